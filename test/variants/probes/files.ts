import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { fileItem } from '../../../testbed/world/fileItem';
import { same } from '../difference';
import type { Cells } from '../truth';
import type { Trial } from '../trial';
import type { OperationName } from '../../../testbed/world/call';
import type { Probe } from './probe';
import { inOneSpelling, momentSpelled, newCells, rowOf, sameRows, someRows, textIn } from './rows';

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

const counts = z.looseObject({
	created: z.number(),
	updated: z.number(),
	unchanged: z.number(),
	deleted: z.number(),
});

/** A cell of a CSV file that holds a value. */
const cellOf = (value: unknown): string => {
	const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
	return `"${text.replaceAll('"', '""')}"`;
};

/** The grid becomes what the file is, and a second run has nothing to do. */
async function mirrorFile(trial: Trial): Promise<void> {
	const [unchanged, changed, ...gone] = await someRows(trial, 4);
	if (!unchanged || !changed || gone.length !== 2) throw new Error('No rows');
	const at = textIn(unchanged, 'At');
	const fresh: Cells = newCells(trial);
	const wanted: Cells[] = [
		{ ...unchanged.cells, At: momentSpelled(Date.parse(at), trial.random.below(4)) },
		{ ...changed.cells, Size: 5000, error: 'changed' },
		fresh,
	];
	const names = [...trial.grid.fieldIds.keys()];
	const lines = [names, ...wanted.map((cells) => names.map((name) => cells[name]))];
	const file = fileItem(lines.map((cells) => `${cells.map(cellOf).join(',')}\n`).join(''));
	const parameters = {
		...trial.inGrid,
		keyColumns: [trial.shown(trial.grid.fieldId('Article'))],
		rowsNotInInput: 'delete',
		options: { deletionLimit: 100 },
	};
	const [first] = await trial.rows(IMPORT, parameters, [file]);
	const { created, updated, deleted } = counts.parse(first);
	same('importFile: the report', { created, updated, deleted }, { created: 1, updated: 1, deleted: 2 });
	const rows = await trial.grid.rows();
	const made = rows.find(({ cells }) => cells['Article'] === fresh['Article'])?.id ?? '';
	const ids = [unchanged.id, changed.id, made];
	// An empty cell is no value.
	const whole = (cells: Cells) =>
		Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== ''));
	const found = rows.map(({ id, cells }) => ({ id, cells: whole(cells) }));
	const expected = wanted.map((cells, index) => ({ id: ids[index] ?? '', cells: whole(cells) }));
	for (const list of [found, expected]) list.sort((a, b) => (a.id < b.id ? -1 : 1));
	same('importFile: rows', inOneSpelling(trial, found), inOneSpelling(trial, expected));
	const events = (await trial.grid.events()).length;
	const [again] = await trial.rows(IMPORT, parameters, [file]);
	same('importFile: the second run', counts.parse(again).unchanged, 3);
	same('importFile: changes of the second run', (await trial.grid.events()).length, events);
}

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
	{ name: 'entity.importFile', every: 3, run: mirrorFile },
	{ name: 'entity.importFile, of an export', every: 6, run: roundTrip },
];
