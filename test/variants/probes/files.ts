import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { fileItem } from '../../../testbed/world/fileItem';
import { same } from '../difference';
import type { Trial } from '../trial';
import type { OperationName } from '../../../testbed/world/call';
import type { Probe } from './probe';
import { inOneSpelling, rowOf, sameRows, someRows } from './rows';

const EXPORT: OperationName = { node: 'entity', resource: 'entity', operation: 'export' };
const IMPORT: OperationName = { node: 'entity', resource: 'entity', operation: 'importFile' };
const line = z.custom<IDataObject>((value) => typeof value === 'object' && value !== null);

/** The text of the file that an export makes. */
async function exported(trial: Trial, parameters: object): Promise<string> {
	const { items, error } = await trial.run(EXPORT, { ...trial.inGrid, ...parameters });
	if (error) throw error;
	return Buffer.from(items[0]?.binary?.['data']?.data ?? '', 'base64').toString();
}

async function exportLines(trial: Trial): Promise<void> {
	const rows = await someRows(trial, trial.random.below(20));
	const text = await exported(trial, { fileFormat: 'ndjson' });
	const lines = text.split('\n').filter((one) => one !== '');
	const found = trial.inward(lines.map((one) => line.parse(JSON.parse(one))));
	same(
		'export: rows of the file',
		found.map((row) => rowOf(trial, row)),
		inOneSpelling(trial, rows),
	);
}

const counts = z.looseObject({ unchanged: z.number() });

/** The file of an export changes nothing. */
async function roundTrip(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 1 + trial.random.below(5));
	const text = await exported(trial, { options: { escapeFormulas: false } });
	const parameters = {
		...trial.inGrid,
		keyColumns: [trial.shown(trial.grid.fieldId('Article'))],
		rowsNotInInput: 'delete',
	};
	const [report] = await trial.rows(IMPORT, parameters, [fileItem(text)]);
	same('export, then importFile: unchanged', counts.parse(report).unchanged, rows.length);
	await sameRows(trial, 'export, then importFile: rows', rows);
}

export const fileProbes: Probe[] = [
	{ name: 'entity.export', every: 4, run: exportLines },
	{ name: 'entity.importFile, of an export', every: 4, run: roundTrip },
];
