import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { same } from '../difference';
import type { Trial } from '../trial';
import type { OperationName } from '../../../testbed/world/call';
import type { Probe } from './probe';
import { inOneSpelling, rowOf, someRows } from './rows';

const EXPORT: OperationName = { node: 'entity', resource: 'bulk', operation: 'exportFile' };
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
		'exportFile: rows of the file',
		found.map((row) => rowOf(trial, row)),
		inOneSpelling(trial, rows),
	);
}

export const fileProbes: Probe[] = [{ name: 'bulk.exportFile', every: 4, run: exportLines }];
