import { ownMember } from '../../../client/formats/json';
import type { Client } from '../../../client';
import type { Entity } from '../../../client/resources/entities';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { storeText } from '../../shared/connection/storedFile';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { safeFileName } from '../../shared/inputs/output/fileName';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { requestsAtATime } from '../../shared/inputs/options';
import { fileName, neutralizeFormulas, outputBinaryField } from '../../shared/inputs/output/outputFile';
import { columnNaming, outputColumns } from '../../shared/inputs/output/outputOptions';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { combineWithView, selectionFields, selectionOf } from '../../shared/inputs/selection/filters';
import { ColumnNames } from '../../shared/rows/columnNames';
import { csvLine } from '../../shared/rows/csv';
import { neutralizing } from '../../shared/rows/csvFormulas';
import { namesOf, RowWithFiles, rowWriter, unstableHint, type ColumnNaming } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { ConditionsCheck } from '../selection/ignoredConditions';
import { fileFormat, FILE_TYPES, type FileFormat } from './file/fileFormat';

/** Only for CSV: spreadsheets do not open NDJSON. */
const neutralizeInCsv = {
	...neutralizeFormulas,
	property: { ...neutralizeFormulas.property, displayOptions: { show: { fileFormat: ['csv'] } } },
};

export const exportFile = operation({
	value: 'exportFile',
	name: 'Export to File',
	action: 'Export rows to a file',
	description:
		'Write the rows of a grid or view, filtered and sorted, to a CSV or NDJSON file in a binary field. Rows are read and written page by page, so a grid may have more rows than fit into memory.',
	on: chosenGrid,
	fields: [
		optionalViewPicker,
		...selectionFields,
		fileFormat,
		outputBinaryField,
		fileName,
		neutralizeInCsv,
		columnNaming,
	],
	options: [combineWithView, outputColumns, requestsAtATime],
	async run({ client, grid, fields, parameter, option, timezone, hint, node }) {
		const viewId = parameter(optionalViewPicker);
		const compose = option(combineWithView);
		const query = {
			...selectionOf(parameter, fields, timezone),
			...(viewId === undefined ? {} : { viewId, compose }),
		};
		const source = await sourceOf(client, grid, fields, viewId);
		const format = parameter(fileFormat);
		const { extension, type } = FILE_TYPES[format];
		const name = safeFileName(parameter(fileName) || `${source.name}.${extension}`);
		const lines = linesOf(format, fields, {
			by: parameter(columnNaming),
			only: option(outputColumns),
			shown: source.shown,
		});
		const isNeutral = format === 'csv' && parameter(neutralizeInCsv);
		const check = new ConditionsCheck(grid, fields, query);
		const line = (entity: Entity) => {
			check.see(entity);
			return lines.line(entity);
		};
		const reading = client.entities.stream(grid, line, query, async (pages) => {
			let rows = 0;
			const texts = async function* () {
				yield lines.head;
				for await (const page of pages) {
					rows += page.length;
					yield page.map(({ kept }) => kept).join('');
				}
				// Throws before the file is stored.
				check.end();
			};
			const rewrite = isNeutral ? neutralizing() : undefined;
			const { file, size } = await storeText(node, texts, { name, type }, rewrite);
			return { file, fileSize: size, rows };
		});
		const { result, unstable } = await pickedBy(optionalViewPicker, reading);
		if (unstable) hint(unstableHint(unstable, grid.name), 'warning');
		const { file, fileSize, rows } = result;
		const row = {
			gridId: grid.id,
			...(viewId === undefined ? {} : { viewId }),
			fileName: name,
			fileSize,
			rows,
		};
		return new RowWithFiles(row, { [parameter(outputBinaryField)]: file });
	},
});

/** The name of the exported grid or view, and the IDs of the columns of its rows. */
async function sourceOf(client: Client, grid: Grid, fields: readonly Field[], viewId: string | undefined) {
	const all = new Set(fields.map(({ id }) => id));
	if (viewId === undefined) return { name: grid.name || grid.id, shown: all };
	const { spaceId } = grid.address;
	const view = await pickedBy(optionalViewPicker, client.grids.open({ spaceId, gridId: viewId }));
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
}

/** The first line of the file, and a function that writes the line of an entity. */
function linesOf(
	format: FileFormat,
	fields: readonly Field[],
	{ by, only, shown }: LineShape,
): { head: string; line: (entity: Entity) => string } {
	const wanted = new Set(only.map((name) => ColumnNames.of(fields).get(name, 'Output Columns').id));
	const columns = fields.filter(({ id }) => (wanted.size === 0 || wanted.has(id)) && shown.has(id));
	if (format === 'ndjson') {
		const write = rowWriter(columns, { by });
		// Every line has the same members.
		const empty = Object.fromEntries(columns.map(({ id }) => [id, null]));
		return { head: '', line: (entity) => `${JSON.stringify(write({ ...empty, ...entity }))}\n` };
	}
	const names = namesOf(fields, by);
	return {
		head: csvLine(['_id', ...columns.map(({ id }) => names.get(id) ?? id)]),
		line: (entity) => csvLine([entity._id, ...columns.map(({ id }) => ownMember(entity, id))]),
	};
}
