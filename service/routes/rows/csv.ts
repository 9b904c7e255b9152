import { Readable } from 'node:stream';
import { z } from 'zod/v4';
import * as responses from '../../http/responseSchemas';
import { csvHeader, csvLines, readCsv, type CsvTable } from '../../rules/csv';
import { viewCondition, viewOrders } from '../../rules/viewDefinition';
import { ColumnGuess, readCell } from '../../rules/csvTypes';
import { badRequest } from '../../rules/errors';
import { fieldTypeNames } from '../../rules/fieldTypeNames';
import { fieldTypeSchema, type Field, type Value } from '../../rules/fieldTypes';
import { jsonText, listOf, objectOf } from '../../rules/jsonObject';
import type { Values } from '../../rules/layouts';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH, nameText } from '../../rules/text';
import { checkFieldCount } from '../../store/structure/fields';
import { filterSchema, sortingSchema, type Condition } from '../../rules/filter';
import type { Entity } from '../../store/rows/entities';
import { allValues } from './entities';
import { filterOf, sortingOf } from './rowAccess';
import type { Grid } from '../../store/structure/grids';
import type { Steps } from '../../store/files/slices';
import { HttpResponse, created } from '../../http/route';
import { inGrid, inSpace, type GridCall, type SpaceCall } from '../scopes';

const typeOfColumn = z.union([fieldTypeSchema, z.enum(fieldTypeNames).transform((type) => ({ name: type }))]);
const typesOfColumns = objectOf(typeOfColumn);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const upload = z.strictObject({
	name: nameText(MAX_NAME_LENGTH),
	key: nameText(MAX_KEY_LENGTH).optional(),
	// Cells may contain NUL; a lone surrogate has no UTF-8 encoding and would be replaced.
	file: z
		.string()
		.refine((text) => !/\p{Surrogate}/u.test(text), 'contains a lone surrogate')
		.default(''),
	/** By column name; JSON text in a multipart form. */
	types: z.union([jsonText(typesOfColumns), typesOfColumns]).optional(),
	/** Returns a preview and creates nothing. */
	dryRun: flag.default(false),
});
type Upload = z.infer<typeof upload>;

const grid = inGrid('');

/** Filter and sorting as in a list of entities, and a selection of columns. */
const exportQuery = z.object({
	filter: jsonText(filterSchema).optional(),
	sorting: jsonText(sortingSchema).optional(),
	fields: jsonText(listOf(z.string())).optional(),
});

/** The requested fields in the requested order. @throws ServiceError 400 for an unknown field */
function chosenFields({ fields }: GridCall, ids: readonly string[] | undefined): readonly Field[] {
	if (!ids) return fields;
	if (new Set(ids).size !== ids.length) throw badRequest('An export cannot show a field twice');
	return ids.map((id) => {
		const field = fields.find((one) => one.id === id);
		if (!field) throw badRequest(`Unknown field "${id}"`, { unknown: id });
		return field;
	});
}

function exportOf(call: GridCall): AsyncGenerator<string> {
	const { definition } = call.grid;
	const query = parseInput(exportQuery, call.query, 'Query');
	const fields = chosenFields(call, query.fields);
	const within = viewCondition(definition, call.allFields);
	const condition: Condition = query.filter
		? { op: 'all', of: [within, filterOf(call, query.filter)] }
		: within;
	const orders = query.sorting ? sortingOf(call, query.sorting) : viewOrders(definition, call.allFields);
	const rows = call.store.selections.scan(call.base.no, condition, orders);
	return exportLines(fields, rows, call.authorizeAgain);
}

/** @param check ends the export by an error if the caller lost the right to it */
async function* exportLines(
	fields: readonly Field[],
	rows: AsyncIterable<readonly Entity[]>,
	check: () => Promise<void>,
): AsyncGenerator<string> {
	yield csvHeader(fields);
	for await (const entities of rows) {
		// A slow client may read for hours, and rows are read as they are by then.
		await check();
		yield csvLines(fields, entities.map((entity) => allValues(fields, entity))); // prettier-ignore
	}
}

grid.get(
	'/csv',
	'reader',
	{ on: { grid: 'csv', virtualGrid: 'csv' }, query: exportQuery, response: 'file' },
	(call) => {
		const headers = {
			'Content-Type': 'application/octet-stream',
			'Content-Disposition': 'attachment; filename="service-export.csv"',
		};
		return new HttpResponse(200, headers, Readable.from(exportOf(call)));
	},
);

const space = inSpace('');

/** Parses a file for import: columns, the fields they become, and the cells of each row. */
async function planImport({ store }: SpaceCall, { file, types = {} }: Upload) {
	// Parsing the body may have used up this turn of the event loop.
	await store.slices.turn();
	const empty: CsvTable = { separator: ',', header: [], rows: [] };
	const turn = () => store.slices.turn();
	const { separator, header, rows } = file === '' ? empty : await readCsv(file, turn, checkFieldCount);
	checkFieldCount(header.length);
	const names = header.map((column, index) => column || `Column ${index + 1}`);
	// A map, because a column may be called "constructor".
	const typesByName = new Map(Object.entries(types));
	const unknown = [...typesByName.keys()].find((name) => !names.includes(name));
	if (unknown !== undefined)
		throw badRequest(
			`"types" contains the column "${unknown}", but the columns of the file are ${names.join(', ')}`,
			{ unknown },
		);
	const guesses = await store.slices.read(guessTypes(names.length, rows));
	const fields = store.fields.plan(
		names.map((name, index) => ({
			name,
			type: typesByName.get(name) ?? guesses[index]?.type ?? { name: 'string' },
		})),
	);
	return { separator, rows, fields, filled: guesses.map((one) => one.filled) };
}

function* guessTypes(columns: number, rows: CsvTable['rows']): Steps<ColumnGuess[]> {
	const guesses = Array.from({ length: columns }, () => new ColumnGuess());
	for (const row of rows) {
		for (const [index, one] of guesses.entries()) one.add(row[index] ?? '');
		yield;
	}
	return guesses;
}

/** Parses the cells of all rows. @param onRow receives the values of each row */
function* readRows(
	fields: readonly Field[],
	rows: CsvTable['rows'],
	onRow: (values: Values) => void,
): Steps<void> {
	for (const [index, row] of rows.entries()) {
		const values: Record<string, Value> = {};
		for (const [column, field] of fields.entries()) {
			const value = readCell(field, row[column] ?? '', index + 1);
			if (value !== null) values[field.id] = value;
		}
		onRow(values);
		yield;
	}
}

/** Creates a grid from a CSV file: a field per column and an entity per row. */
async function importCsv(call: SpaceCall, given: Upload): Promise<Grid> {
	const { store, space: target, identity } = call;
	const { name, key } = given;
	store.grids.requireUnused(target.id, { name, key });
	const { fields, rows } = await planImport(call, given);
	const insert = (no: number) =>
		readRows(fields, rows, (values) => {
			store.entities.create(no, values, identity.userId);
		});
	const publish = ([draft]: readonly number[]) => {
		const made = store.addGrid(target.id, { name, key }, draft);
		store.fields.addPlanned(made.no, fields);
		return made;
	};
	// The space or the right may have been deleted while the file was read.
	return store.fillGrids([insert], publish, call.authorizeAgain);
}

/** Rows of a preview. */
const PREVIEW_ROWS = 5;

/** Preview of an import, with the same checks. */
async function previewImport(call: SpaceCall, given: Upload): Promise<z.infer<typeof responses.csvPreview>> {
	const { store, space: target } = call;
	const { separator, fields, rows, filled } = await planImport(call, given);
	await store.slices.read(readRows(fields, rows, () => undefined));
	return store.withRollback(() => {
		const { name, key } = store.addGrid(target.id, { name: given.name, key: given.key });
		const columns = fields.map(({ name: column, key: columnKey, type }, index) => ({
			name: column,
			key: columnKey,
			type,
			filled: filled[index] ?? 0,
		}));
		return { name, key, separator, numberOfRows: rows.length, columns, rows: rows.slice(0, PREVIEW_ROWS) };
	});
}

space.post(
	'/uploadCSV',
	'admin',
	{
		on: { space: 'uploadCSV' },
		body: upload,
		upload: true,
		response: 'created',
		preview: responses.csvPreview,
	},
	async (call) => {
		if (call.body === undefined)
			throw badRequest('Send multipart/form-data with the parts "name", "key" and "file"');
		const given = parseInput(upload, call.body, 'Body');
		if (given.dryRun) return previewImport(call, given);
		const made = await importCsv(call, given);
		return created(
			expandPath('/api/users/:userId/spaces/:spaceId/grids/:gridId', { ...call.params, gridId: made.id }),
		);
	},
);

export const csvRoutes = [...grid.routes, ...space.routes];
