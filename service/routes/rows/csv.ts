import { Readable } from 'node:stream';
import { LIMITS } from '../../rules/limits';
import { z } from 'zod/v4';
import * as responses from '../../http/responseSchemas';
import { csvHeader, csvLines, SEPARATORS, type CsvShape } from '../../rules/csv';
import { optionsIn, PART, readRows, surveyCsv, type CsvSurvey } from '../../rules/csvImport';
import { UploadedFile, type SentFile } from '../../rules/csvText';
import { viewCondition, viewOrders } from '../../rules/viewDefinition';
import { readCell, requireFormat } from '../../rules/csvTypes';
import { badRequest } from '../../rules/errors';
import { fieldTypeNames } from '../../rules/fieldTypeNames';
import { fieldTypeSchema, type Field, type FieldType, type Value } from '../../rules/fieldTypes';
import { jsonText, listOf, objectOf } from '../../rules/jsonObject';
import type { Values } from '../../rules/layouts';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { fieldName, nameText } from '../../rules/text';
import { CELL_FORMATS } from '../../rules/textFormats';
import { filterSchema, sortingSchema, type Condition } from '../../rules/filter';
import type { Entity } from '../../store/rows/entities';
import { allValues } from './entities';
import { withNames } from './linkedNames';
import { filterOf, sortingOf } from './rowAccess';
import type { Grid } from '../../store/structure/grids';
import type { Steps } from '../../store/files/slices';
import { HttpResponse, created } from '../../http/route';
import { inGrid, inSpace, type GridCall, type SpaceCall } from '../scopes';

const typeOfColumn = z.union([fieldTypeSchema, z.enum(fieldTypeNames).transform((type) => ({ name: type }))]);
const typesOfColumns = objectOf(typeOfColumn);
const formatsOfColumns = objectOf(z.enum(CELL_FORMATS));
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** Text in JSON, bytes in a multipart form. */
const csvFile = z.union([z.string(), z.instanceof(UploadedFile).meta({ type: 'string' })]);

const upload = z.strictObject({
	name: nameText(LIMITS.nameLength),
	key: nameText(LIMITS.keyLength).optional(),
	file: csvFile.optional(),
	/** Whether cells lose the apostrophe that `escapeFormulas` of an export puts before them. */
	unescapeFormulas: flag.default(false),
	/** By column name; JSON text in a multipart form. */
	types: z.union([jsonText(typesOfColumns), typesOfColumns]).optional(),
	/** By column name, of columns that are not written as programs write them; JSON as well. */
	formats: z.union([jsonText(formatsOfColumns), formatsOfColumns]).optional(),
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
	separator: z.enum(SEPARATORS).default(','),
	/** Excel needs it to read letters beyond ASCII. */
	byteOrderMark: flag.default(false),
	/** Whether texts that a spreadsheet would run get an apostrophe. */
	escapeFormulas: flag.default(false),
	/** Whether linked rows are shown by their names, which a caller with a view only cannot read. */
	linkedNames: flag.default(false),
});

/** Memory of an export: its portions on their way to the client. */
const EXPORT_BYTES = 256 * 1024;

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

/** The lines of an export, once everything that can fail before the first row has succeeded. */
async function exportOf(call: GridCall): Promise<AsyncIterable<string> | readonly string[]> {
	const { definition } = call.grid;
	const query = parseInput(exportQuery, call.query, 'Query');
	const fields = chosenFields(call, query.fields);
	const within = viewCondition(definition, call.allFields);
	const condition: Condition = query.filter
		? { op: 'all', of: [within, filterOf(call, query.filter)] }
		: within;
	const orders = query.sorting ? sortingOf(call, query.sorting) : viewOrders(definition, call.allFields);
	if (call.headOnly) return [];
	await call.awaitRoom(EXPORT_BYTES);
	const rows = await call.store.selections.scan(call.base.no, { condition, orders, caller: call.caller });
	const shape = { separator: query.separator, isEscaped: query.escapeFormulas };
	const head = (query.byteOrderMark ? '\ufeff' : '') + csvHeader(fields, shape);
	const isNamed = query.linkedNames && !call.confined;
	const named = (entities: readonly Entity[]) => (isNamed ? withNames(call, fields, entities) : entities);
	return exportLines({ head, fields, shape, named }, rows, call.authorizeAgain);
}

interface Exported {
	readonly head: string;
	readonly fields: readonly Field[];
	readonly shape: CsvShape;
	/** Puts names of linked rows in the place of links, if they are asked for. */
	readonly named: (entities: readonly Entity[]) => readonly Entity[] | Promise<readonly Entity[]>;
}

/** @param check ends the export by an error if the caller lost the right to it */
async function* exportLines(
	{ head, fields, shape, named }: Exported,
	rows: AsyncIterable<() => readonly Entity[]>,
	check: () => Promise<void>,
): AsyncGenerator<string> {
	yield head;
	for await (const read of rows) {
		const entities = await named(read());
		// A slow client may read for hours, and names are read in turns with the writes of others.
		await check();
		yield csvLines(fields, entities.map((entity) => allValues(fields, entity)), shape); // prettier-ignore
	}
	// The grid may have been deleted, with the rows that are missing.
	await check();
}

grid.get(
	'/csv',
	'reader',
	{ on: { grid: 'csv', virtualGrid: 'csv' }, query: exportQuery, response: 'file' },
	async (call) => {
		const headers = {
			'Content-Type': 'application/octet-stream',
			'Content-Disposition': 'attachment; filename="service-export.csv"',
		};
		return new HttpResponse(200, headers, Readable.from(await exportOf(call)));
	},
);

interface Sent {
	readonly file: string | UploadedFile;
	readonly unescapeFormulas: boolean;
}

const sentFile = ({ file, unescapeFormulas: isEscaped }: Sent): SentFile => ({
	...(typeof file === 'string'
		? { blocks: [Buffer.from(file)] }
		: { blocks: file.blocks, charset: file.charset }),
	isEscaped,
});

const reading = z.strictObject({
	file: csvFile,
	unescapeFormulas: flag.default(false),
	/** Rows before the returned ones; a response holds a part of a large file. */
	from: z.union([z.int().min(0), z.string().regex(/^\d{1,9}$/).transform(Number)]).default(0), // prettier-ignore
});

grid.post(
	'/readCSV',
	'creator',
	{
		on: { grid: 'readCSV', virtualGrid: 'readCSV' },
		body: reading,
		upload: true,
		response: responses.csvContent,
	},
	async ({ body, store }) => {
		if (body === undefined) throw badRequest('Send multipart/form-data with the part "file"');
		const given = parseInput(reading, body, 'Body');
		const survey = await store.slices.read(surveyCsv(sentFile(given), { from: given.from, ...PART }));
		const columns = survey.columns.map(({ name, guess }) => ({
			name,
			type: guess.type,
			filled: guess.filled,
		}));
		return { ...survey, columns };
	},
);

const space = inSpace('');

const NO_FILE: CsvSurvey = { separator: ',', columns: [], numberOfRows: 0, rows: [] };

/** A type without options gets those that the column of the file has. */
async function completed(
	{ store }: SpaceCall,
	type: FieldType,
	column: CsvSurvey['columns'][number],
	file: SentFile | undefined,
): Promise<FieldType> {
	const isList = type.name === 'enumcollection';
	if (file === undefined || type.options || !(isList || type.name === 'enum')) return type;
	return { ...type, options: [...(await store.slices.read(optionsIn(file, column, isList)))] };
}

/** What a request says of columns. A map, because a column may be called "constructor". */
function byName<Value>(
	member: string,
	said: Readonly<Record<string, Value>> | undefined,
	names: readonly string[],
): Map<string, Value> {
	const values = new Map(Object.entries(said ?? {}).map(([name, value]) => [fieldName(name), value]));
	const unknown = [...values.keys()].find((name) => !names.includes(name));
	if (unknown === undefined) return values;
	throw badRequest(
		`"${member}" contains the column "${unknown}", but the columns of the file are ${names.join(', ')}`,
		{ unknown },
	);
}

/** Reads a file for import: its columns, and the fields that they become. */
async function planImport(call: SpaceCall, { file: given, types, formats, unescapeFormulas }: Upload) {
	const { store } = call;
	const file = given === undefined ? undefined : sentFile({ file: given, unescapeFormulas });
	const survey = file === undefined ? NO_FILE : await store.slices.read(surveyCsv(file));
	const names = survey.columns.map((column) => column.name);
	const typesByName = byName('types', types, names);
	const formatsByName = byName('formats', formats, names);
	const planned = [];
	for (const column of survey.columns) {
		const type = typesByName.get(column.name) ?? column.guess.type;
		planned.push({ name: column.name, type: await completed(call, type, column, file) });
	}
	const fields = store.fields.plan(planned);
	const formatOf = fields.map((field, column) => {
		const format = formatsByName.get(names[column] ?? '');
		if (format !== undefined) requireFormat(field, format);
		return format;
	});
	/** Steps that read the values of each row. */
	const values = function* (onRow: (values: Values) => void): Steps<void> {
		if (file === undefined) return;
		yield* readRows(file, survey.columns, (cells, place) => {
			const row: Record<string, Value> = {};
			for (const [column, field] of fields.entries()) {
				const value = readCell(field, cells[column] ?? null, place, formatOf[column]);
				if (value !== null) row[field.id] = value;
			}
			onRow(row);
		});
	};
	return { survey, fields, values };
}

/** Creates a grid from a CSV file: a field per column and an entity per row. */
async function importCsv(call: SpaceCall, given: Upload): Promise<Grid> {
	const { store, space: target, identity } = call;
	const { name, key } = given;
	store.grids.requireUnused(target.id, { name, key });
	const { fields, values } = await planImport(call, given);
	const insert = (no: number) =>
		values((row) => {
			store.entities.create(no, row, identity.userId);
		});
	const publish = (draft: number) => {
		const made = store.addGrid(target.id, { name, key }, draft);
		store.fields.addPlanned(made.no, fields);
		return made;
	};
	// The space or the right may have been deleted while the file was read.
	return store.fillGrid(insert, publish, call.authorizeAgain);
}

/** Preview of an import, with the same checks. */
async function previewImport(call: SpaceCall, given: Upload): Promise<z.infer<typeof responses.csvPreview>> {
	const { store, space: target } = call;
	const { survey, fields, values } = await planImport(call, given);
	await store.slices.read(values(() => undefined));
	return store.withRollback(() => {
		const { name, key } = store.addGrid(target.id, { name: given.name, key: given.key });
		const columns = fields.map(({ name: column, key: columnKey, type }, index) => ({
			name: column,
			key: columnKey,
			type,
			filled: survey.columns[index]?.guess.filled ?? 0,
		}));
		const { separator, numberOfRows, rows } = survey;
		return { name, key, separator, numberOfRows, columns, rows };
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
