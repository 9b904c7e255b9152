import { Readable } from 'node:stream';
import { z } from 'zod/v4';
import * as answers from '../answers';
import { csvHeader, csvLines, readCsv } from '../csv';
import { cutCondition, cutOrders } from '../cut';
import { ColumnGuess, readCell } from '../csvTypes';
import { badRequest } from '../errors';
import { fieldTypeNames, fieldTypeSchema, type Value } from '../fieldTypes';
import { jsonText, recordOf } from '../jsonObject';
import { read } from '../paging';
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH, nameText } from '../text';
import { allValues } from './entities';
import { Answer, created, inGrid, inSpace, type GridCall, type SpaceCall } from './route';

const typeOfColumn = z.union([fieldTypeSchema, z.enum(fieldTypeNames).transform((type) => ({ name: type }))]);
const typesOfColumns = recordOf(typeOfColumn);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const upload = z.strictObject({
	name: nameText(MAX_NAME_LENGTH),
	key: nameText(MAX_KEY_LENGTH).optional(),
	file: z.string().default(''),
	/** By the name of the column; as JSON in a form. */
	types: z.union([jsonText(typesOfColumns), typesOfColumns]).optional(),
	/** Says what would be made, and makes nothing. */
	dryRun: flag.default(false),
});
type Upload = z.infer<typeof upload>;

const grid = inGrid('');

async function* exported(call: GridCall): AsyncGenerator<string> {
	const { cut } = call.grid;
	const condition = cutCondition(cut, call.allFields);
	const orders = cutOrders(cut, call.allFields);
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

/** A file as it would be imported: the fields, and the values of each row in their order. */
function planImport({ file, types = {} }: Upload) {
	const { separator, header, rows } = file === '' ? { separator: ',', header: [], rows: [] } : readCsv(file);
	const names = header.map((column, index) => column || `Column ${index + 1}`);
	const unknown = Object.keys(types).find((name) => !names.includes(name));
	if (unknown !== undefined)
		throw badRequest(`types names the column "${unknown}"; the file has ${names.join(', ')}`, { unknown });
	const columns = names.map((name, index) => {
		const guess = new ColumnGuess();
		for (const row of rows) guess.see(row[index] ?? '');
		return { name, type: types[name] ?? guess.type, filled: guess.filled };
	});
	return { separator, columns, rows };
}

/** Makes a grid of a CSV file: a field for each column and an entity for each row. */
function importCsv(call: SpaceCall, given: Upload) {
	const { store, space: target, identity } = call;
	const { columns, rows } = planImport(given);
	const made = store.addGrid(target.id, { name: given.name, key: given.key });
	const fields = columns.map(({ name, type }) => store.fields.add(made.no, { name, type }));
	rows.forEach((row, index) => {
		const values: Record<string, Value> = {};
		for (const [column, field] of fields.entries()) {
			const value = readCell(field, row[column] ?? '', index + 1);
			if (value !== null) values[field.id] = value;
		}
		store.entities.create(made.no, values, identity.userId);
	});
	return made;
}

/** Rows that a preview shows. */
const PREVIEW_ROWS = 5;

/** What an import would make: the same work, undone before anybody sees it. */
function previewImport(call: SpaceCall, given: Upload): z.infer<typeof answers.csvPreview> {
	const { separator, columns, rows } = planImport(given);
	return call.store.undone(() => {
		const { no, name, key } = importCsv(call, given);
		const fields = call.store.fields.list(no);
		const shown = columns.map(({ filled }, index) => {
			const {
				name: column = '',
				key: columnKey = '',
				type = { name: 'string' as const },
			} = fields[index] ?? {};
			return { name: column, key: columnKey, type, filled };
		});
		return {
			name,
			key,
			separator,
			numberOfRows: rows.length,
			columns: shown,
			rows: rows.slice(0, PREVIEW_ROWS),
		};
	});
}

space.post(
	'/uploadCSV',
	'admin',
	{ space: 'uploadCSV' },
	{ body: upload, upload: true, answer: 'created', preview: answers.csvPreview },
	(call) => {
		if (call.body === undefined)
			throw badRequest('Send multipart/form-data with the parts name, key and file');
		const given = read(upload, call.body, 'Body');
		if (given.dryRun) return previewImport(call, given);
		const made = call.store.transaction(() => importCsv(call, given));
		return created(`${call.url.replace(/\/uploadCSV.*$/, '')}/grids/${made.id}`);
	},
);

export const csvRoutes = [...grid.routes, ...space.routes];
