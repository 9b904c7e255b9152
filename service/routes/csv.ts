import { Readable } from 'node:stream';
import { z } from 'zod/v4';
import { csvHeader, csvLines, inferColumn, readCsv } from '../csv';
import { badRequest } from '../errors';
import { checkValue, type Value } from '../fieldTypes';
import { parseFilter, parseSorting } from '../filter';
import { read } from '../paging';
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH, nameText } from '../text';
import { allValues } from './entities';
import { Answer, created, inGrid, inSpace, type GridCall, type SpaceCall } from './route';

const upload = z.strictObject({
	name: nameText(MAX_NAME_LENGTH),
	key: nameText(MAX_KEY_LENGTH).optional(),
	file: z.string().default(''),
});

const grid = inGrid('');

async function* exported(call: GridCall): AsyncGenerator<string> {
	const { cut } = call.grid;
	const condition = parseFilter(cut?.filter ?? {}, call.allFields);
	const orders = parseSorting(cut?.sorting ?? {}, call.allFields);
	yield csvHeader(call.fields);
	for await (const entities of call.store.selections.scan(call.base.no, condition, orders)) {
		yield csvLines(call.fields, entities.map((entity) => allValues(call.fields, entity))); // prettier-ignore
	}
}

grid.get('/csv', 'reader', { grid: 'csv', virtualGrid: 'csv' }, { answer: 'file' }, (call) => {
	const headers = {
		'Content-Type': 'application/octet-stream',
		'Content-Disposition': 'attachment; filename="service-export.csv"',
	};
	return new Answer(200, headers, Readable.from(exported(call)));
});

const space = inSpace('');

/** Makes a grid of a CSV file: a field for each column, its type taken from the values, and an entity for each line. */
function importCsv(call: SpaceCall, { name, key, file }: z.infer<typeof upload>) {
	const { header, rows } = file === '' ? { header: [], rows: [] } : readCsv(file);
	return call.store.transaction(() => {
		const made = call.store.addGrid(call.space.id, { name, key });
		const columns = header.map((column, index) => {
			const { type, value } = inferColumn(rows.map((row) => row[index] ?? ''));
			return {
				value,
				field: call.store.fields.add(made.no, { name: column || `Column ${index + 1}`, type }),
			};
		});
		for (const row of rows) {
			const values: Record<string, Value> = {};
			columns.forEach(({ field, value }, index) => {
				const text = row[index] ?? '';
				if (text !== '') values[field.id] = checkValue(field, value(text));
			});
			call.store.entities.create(made.no, values, call.identity.userId);
		}
		return made;
	});
}

space.post('/uploadCSV', 'admin', { space: 'uploadCSV' }, { body: upload, answer: 'created' }, (call) => {
	if (call.body === undefined) throw badRequest('Send multipart/form-data with the parts name, key and file');
	const made = importCsv(call, read(upload, call.body, 'Body'));
	return created(`${call.url.replace(/\/uploadCSV.*$/, '')}/grids/${made.id}`);
});

export const csvRoutes = [...grid.routes, ...space.routes];
