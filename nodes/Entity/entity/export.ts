import { type Client, type Entity, type Field, type Grid, ownMember } from '../../../client';
import { storeText } from '../../shared/connection/storedFile';
import { csvLine } from '../../shared/csv/line';
import { neutralizing } from '../../shared/csv/formulas';
import { choice } from '../../shared/inputs/choice';
import { safeFileName } from '../../shared/inputs/output/fileName';
import { escapeFormulas, fileName, outputBinaryField } from '../../shared/inputs/output/outputFile';
import { columnNaming, outputColumns } from '../../shared/inputs/output/outputOptions';
import { shownFor, toggle } from '../../shared/inputs/parameter';
import { chosenGrid, type ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { fittingView, viewToRead } from '../../shared/inputs/pickers/fittingView';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { combineConditions, jsonConditions, rowConditions } from '../../shared/inputs/selection/conditions';
import { combineWithView, jsonSort, rowSelectionOf, rowSort } from '../../shared/inputs/selection/filters';
import { ColumnNames } from '../../shared/rows/columnNames';
import { requireFit } from '../../shared/rows/viewFit';
import { namesOf, RowWithFiles, unstableHint, type ColumnNaming } from '../../shared/rows/output';
import type { ItemContext } from '../../shared/runner/context';
import { operation } from '../../shared/runner/operation';
import { DELIMITERS, fileFormat, FILE_TYPES, writtenDelimiter, type FileFormat } from '../file/fileFormat';
import { ConditionsCheck } from '../reading/listChecks';
import { storedServiceCsv } from '../reading/serviceCsv';

const fileMadeBy = choice(
	'fileMadeBy',
	'File Made By',
	{
		node: {
			name: 'This Node',
			description: 'Reads the rows and writes the file, with the format, conditions and columns you choose',
		},
		service: {
			name: 'The Service',
			description: 'Downloads the CSV file of the service: all rows of the grid or view, in its own format',
		},
	},
	{ default: 'node', description: 'Who writes the file' },
);
const byNode = { fileMadeBy: ['node'] };
const optionByNode = { '/fileMadeBy': ['node'] };
const format = shownFor(fileFormat, byNode);
/** Only for CSV: spreadsheets do not open NDJSON. */
const escapeInCsv = {
	...escapeFormulas,
	property: { ...escapeFormulas.property, displayOptions: { hide: { '/fileFormat': ['ndjson'] } } },
};
const csvByNode = { '/fileMadeBy': ['node'], '/fileFormat': ['csv'] };
const delimiter = shownFor(writtenDelimiter, csvByNode);
const byteOrderMark = toggle({
	displayName: 'Byte Order Mark',
	name: 'byteOrderMark',
	displayOptions: { show: csvByNode },
	description:
		'Whether the file begins with a byte order mark. Excel needs it to read letters such as ä in UTF-8.',
});
const combine = shownFor(combineWithView, optionByNode);
const columns = shownFor(outputColumns, optionByNode);
const naming = shownFor(columnNaming, optionByNode);

export const exportRows = operation({
	value: 'export',
	name: 'Export',
	action: 'Export rows to a file',
	description:
		'Write the rows of a grid or view to a CSV or NDJSON file in a binary field. Rows are read and written page by page, so a grid may have more rows than fit into memory.',
	on: chosenGrid,
	fields: [
		optionalViewPicker,
		fileMadeBy,
		format,
		shownFor(rowConditions('export'), byNode),
		outputBinaryField,
	],
	options: [
		byteOrderMark,
		combine,
		delimiter,
		escapeInCsv,
		fileName,
		shownFor(combineConditions, optionByNode),
		shownFor(jsonConditions, optionByNode),
		naming,
		columns,
		shownFor(rowSort, optionByNode),
		shownFor(jsonSort, optionByNode),
	],
	run: async (context) =>
		context.parameter(fileMadeBy) === 'node' ? await fileOfNode(context) : await fileOfService(context),
});

/** Reads the rows page by page and writes the file. */
async function fileOfNode(context: ItemContext & ChosenGrid): Promise<RowWithFiles> {
	const { client, grid, fields, parameter, option, timezone, hint, node } = context;
	const viewId = parameter(optionalViewPicker);
	const compose = option(combine);
	const query = {
		...rowSelectionOf(parameter, fields, timezone),
		...(viewId === undefined ? {} : { viewId, compose }),
	};
	const view = await viewToRead(client, grid, viewId);
	// §4.5: conditions that replace the view's filter make its own irrelevant.
	if (view && (compose || query.filter === undefined)) requireFit(view, context, hint);
	const source = await sourceOf(client, grid, fields, view);
	const fileType = parameter(format);
	const { extension, type } = FILE_TYPES[fileType];
	const name = safeFileName(option(fileName) || `${source.name}.${extension}`);
	const shape = { by: option(naming), only: option(columns), shown: source.shown };
	const mark = fileType === 'csv' && option(byteOrderMark) ? '\ufeff' : '';
	const lines = linesOf(fileType, fields, { ...shape, delimiter: DELIMITERS[option(delimiter)] });
	const isEscaped = fileType === 'csv' && option(escapeInCsv);
	const check = new ConditionsCheck(grid, fields, query);
	const line = (entity: Entity) => {
		check.see(entity);
		return lines.line(entity);
	};
	const reading = client.entities.stream(grid, line, query, async (pages) => {
		let rows = 0;
		const texts = async function* () {
			yield mark + lines.head;
			for await (const page of pages) {
				rows += page.length;
				yield page.map(({ kept }) => kept).join('');
			}
			// Throws before the file is stored.
			check.end();
		};
		const rewrite = isEscaped ? neutralizing() : undefined;
		const { file, size } = await storeText(node, texts, { name, type }, rewrite);
		return { file, fileSize: size, rows };
	});
	const { result, unstable } = await pickedBy(optionalViewPicker, reading);
	if (unstable) hint(unstableHint(unstable, grid.name), 'warning');
	const { file, ...facts } = result;
	return new RowWithFiles(
		{ gridId: grid.id, ...(viewId === undefined ? {} : { viewId }), fileName: name, ...facts },
		{ [parameter(outputBinaryField)]: file },
	);
}

/** §4.4: downloads the file that the service makes of a grid, or of the rows of a view. */
async function fileOfService(context: ItemContext & ChosenGrid): Promise<RowWithFiles> {
	const { client, grid, parameter, option, node, hint } = context;
	const viewId = parameter(optionalViewPicker);
	// At a virtual grid's own address, the file contains only its rows.
	const exported = (await fittingView(client, context, viewId, hint)) ?? grid;
	// The service gives every file the same name.
	const name = safeFileName(option(fileName) || `${exported.name || exported.id}.csv`);
	const { file, fileSize } = await storedServiceCsv(client, exported, {
		isEscaped: option(escapeInCsv),
		store: async (content) => await node.helpers.prepareBinaryData(content, name, 'text/csv'),
	});
	return new RowWithFiles(
		{ gridId: grid.id, ...(viewId === undefined ? {} : { viewId }), fileName: name, fileSize },
		{ [parameter(outputBinaryField)]: file },
	);
}

/** The name of the exported grid or view, and the IDs of the columns of its rows. */
async function sourceOf(client: Client, grid: Grid, fields: readonly Field[], view: Grid | undefined) {
	const all = new Set(fields.map(({ id }) => id));
	if (!view) return { name: grid.name || grid.id, shown: all };
	const shown = new Set((await client.fields.of(view).catch(() => [])).map(({ id }) => id));
	// If the service does not return the columns of a view, the view may show any column.
	return { name: view.name || view.id, shown: shown.size > 0 ? shown : all };
}

interface LineShape {
	by: ColumnNaming;
	/** Columns by name, key or ID; empty for all. */
	only: readonly string[];
	/** IDs of the columns of the rows. */
	shown: ReadonlySet<string>;
	/** Of a CSV file. */
	delimiter: string;
}

/** The first line of the file, and a function that writes the line of an entity. */
function linesOf(
	format: FileFormat,
	fields: readonly Field[],
	{ by, only, shown, delimiter: sign }: LineShape,
): { head: string; line: (entity: Entity) => string } {
	const wanted = new Set(only.map((name) => ColumnNames.of(fields).get(name, 'Output Columns').id));
	const columns = fields.filter(({ id }) => (wanted.size === 0 || wanted.has(id)) && shown.has(id));
	const labels = namesOf(fields, by);
	const names = columns.map(({ id }) => labels.get(id) ?? id);
	// Every line has the same members.
	const cellsOf = (entity: Entity) => columns.map(({ id }) => ownMember(entity, id) ?? null);
	if (format === 'csv')
		return {
			head: csvLine(['_id', ...names], sign),
			line: (entity) => csvLine([entity._id, ...cellsOf(entity)], sign),
		};
	const line = (entity: Entity) => {
		const cells = cellsOf(entity);
		const row = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
		return `${JSON.stringify({ _id: entity._id, ...row })}\n`;
	};
	return { head: '', line };
}
