import type { NewField } from '../../../client';
import { inputFile } from '../../shared/connection/inputFile';
import { storeText } from '../../shared/connection/storedFile';
import { changeableGrid, type ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { keyColumns as keysIn } from '../../shared/inputs/columns/columnMapper';
import { dryRun, columnsOption, optionGroup } from '../../shared/inputs/options';
import { safeFileName } from '../../shared/inputs/output/fileName';
import { encoding } from '../../shared/inputs/encoding';
import { firstRow } from '../../shared/inputs/firstRow';
import { formats } from '../../shared/inputs/formats';
import {
	inputField,
	escapeFormulas,
	fieldInput,
	restoredFormulas,
} from '../../shared/inputs/output/outputFile';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import { neutralizing } from '../../shared/csv/formulas';
import { RowWithFiles } from '../../shared/rows/output';
import type { ItemContext } from '../../shared/runner/context';
import { operation } from '../../shared/runner/operation';
import { compareAs, comparedFields } from '../keys/compareAs';
import { duplicatesMadeMeanwhile } from '../writing/settling';
import { KeyColumns } from '../keys/keyColumns';
import { KeyedRows } from '../keys/keyedRows';
import { RunTurns } from '../keys/turns';
import { LinkedRows } from '../writing/linkedRows';
import { noKeys } from '../writing/checks';
import { emptiedValuesLimit } from '../writing/emptiedValues';
import { columnRules, rulesById } from '../writing/columnRules';
import { addTo, missing, missingIn, withColumns } from '../writing/missingColumns';
import type { Rules } from '../writing/plan';
import { RunCounts } from '../writing/runCounts';
import { beginLog, logged } from '../writing/runLog';
import { addMissingOptionsOrThrow, unknownOptions } from '../writing/unknownOptions';
import { fileColumns, FileWriteReader, formatsOf } from '../file/fileColumns';
import { FileChanges } from '../file/fileExecution';
import { delimiter, DELIMITERS, fileFormat } from '../file/fileFormat';
import { indexGrid, planFile, rowsWithoutKey, type FileExecution } from '../file/filePlan';
import { csvRows, jsonRows, type RowFile } from '../file/fileRows';
import {
	creationLimit,
	deletesOthers,
	deletionLimit,
	faultyRows,
	limits,
	onlyRowsWhere,
	rowsNotInFile,
	rowsToWrite,
	scopeOf,
	updateLimit,
	writing,
} from '../writing/settings';

const keyColumns = columnsOption({
	displayName: 'Key Columns',
	name: 'keyColumns',
	description:
		'The columns that together identify a row. The file must contain them, too. To name columns that Missing Columns adds, use an expression.',
});
const changesOutput = fieldInput({
	displayName: 'Put Changes File in Field',
	name: 'changesBinaryPropertyName',
	default: 'changes',
	hint: 'The name of the output binary field to put the file with the changes in',
	description: 'The binary field of the output item to write the CSV file to: one line for each change',
});
/** n8n would insist on a required option even if it was not added. */
const changesField = { ...changesOutput, property: { ...changesOutput.property, required: false } };
const changesFile = optionGroup(
	{
		displayName: 'Changes File',
		name: 'changesFile',
		description: 'The file with the changes: one line for each',
	},
	changesField,
	columnNaming,
);
const emptiedValues = emptiedValuesLimit(100);

const inputBinaryField = inputField({
	hint: 'The name of the input binary field that contains the file',
	description: 'The binary field of the input item with the file',
});

/** Also for reading, so that a file of Export has the cells of its grid. */
const escaping = {
	...escapeFormulas,
	property: {
		...escapeFormulas.property,
		description:
			'Whether cells lose the apostrophe that Export puts before texts that a spreadsheet would run as a formula, and whether such texts in the changes file get one. If off, all texts stay unchanged.',
	},
};
/** How the file is read. */
const reading = optionGroup(
	{ displayName: 'Reading the File', name: 'reading', description: 'How the file is written' },
	delimiter,
	encoding,
	escaping,
	firstRow,
);

export const importFile = operation({
	value: 'importFile',
	name: 'Import From File',
	action: 'Import rows from a file',
	description:
		'Create or update the rows of a CSV or NDJSON file in a binary field by key columns and, optionally, delete all others. File and grid are read in parts, so both may have more rows than fit into memory.',
	hintsBeforeRun: [deletesOthers],
	on: changeableGrid,
	fields: [
		inputBinaryField,
		fileFormat,
		{ ...keyColumns, property: { ...keyColumns.property, required: true } },
		rowsNotInFile,
		dryRun,
	],
	options: [
		changesFile,
		columnRules,
		compareAs,
		faultyRows(rowsWithoutKey),
		findLinkedRowsBy,
		formats,
		limits(creationLimit, deletionLimit, emptiedValues, updateLimit),
		missing(),
		onlyRowsWhere,
		reading,
		unknownOptions,
		writing(duplicatesMadeMeanwhile, rowsToWrite),
	],
	run: async (context) => await logged(context, async () => await importRows(context)),
});

async function importRows(context: ItemContext & ChosenGrid): Promise<RowWithFiles> {
	const file = await openedFile(context);
	const { columns, repeated } = file;
	const added = await missingIn(context, {
		names: () => columns.filter((name) => !repeated.has(name)),
		rows: file.rows(),
		cellOf: (name) => {
			const index = columns.indexOf(name);
			return ({ cells }) => cells[index];
		},
		hasOnlyTexts: context.parameter(fileFormat) === 'csv',
		keys: `enter their names in "${keyColumns.property.displayName}" as an expression`,
	});
	const planned = await plannedExecution(withColumns(context, added), file);
	const run = new RunCounts(planned.dryRun);
	if (!planned.dryRun) {
		const { plan, missing: others } = planned;
		await beginLog(context.node, { planned: plan.totals.planned(others), run });
	}
	const changed = await addTo(context, context.grid, added);
	const execution = changed ? await plannedExecution({ ...context, ...changed }, file) : planned;
	return await carryOut(execution, added, run);
}

async function openedFile({ parameter, option, node, itemIndex }: ItemContext): Promise<RowFile> {
	const { displayName } = inputBinaryField.property;
	const place = { itemIndex, property: parameter(inputBinaryField), label: displayName };
	const source = await inputFile(node, place, option(encoding));
	if (parameter(fileFormat) !== 'csv') return await jsonRows(source);
	const shape = {
		delimiter: DELIMITERS[option(delimiter)],
		firstRow: option(firstRow),
		isEscaped: option(escaping),
	};
	return await csvRows(source, shape);
}

/** Reads the file and the grid, plans and checks all changes. @throws InvalidInput, LinkMissing */
async function plannedExecution(context: ItemContext & ChosenGrid, file: RowFile): Promise<FileExecution> {
	const { client, grid, parameter, option, columnNames, hint } = context;
	const fields = comparedFields(option(compareAs), context.fields);
	const keys = keysIn(parameter(keyColumns), fields, keyColumns.property.displayName);
	const { columns, unknown } = fileColumns(file, fields, keys);
	const fileFormats = await formatsOf(context, file, columns);
	const linked = new LinkedRows();
	const targets = await linked.targetsOf(context, fields);
	// From now on, the run notes which keys others write.
	const keyed = new KeyedRows({ client, grid, fields }, new KeyColumns(keys), new RunTurns(context));
	const rules: Rules = {
		...{ fields, names: columnNames(fields), keys: keyed.keys, matched: 'update', emptyIsNone: true },
		columns: rulesById(option(columnRules), fields),
	};
	const reader = new FileWriteReader(context, columns, {
		keyed,
		targets,
		rules,
		...scopeOf(context, context.fields),
		formats: fileFormats,
		countsEmptied: option(emptiedValues) < 100,
	});
	if (targets.size > 0) await reader.readAhead(linked, file);
	const index = await indexGrid(reader);
	const plan = await planFile(context, reader, file, index);
	if (unknown.length > 0)
		hint(`Not written, because "${grid.name}" has no such column: ${unknown.join(', ')}`);
	reader.options.showHints(context);
	const restored = file.unescapedCells();
	if (restored > 0) hint(restoredFormulas(restored));
	if (plan.totals.rows === 0)
		throw noKeys(
			`No line of the file "${file.name}"`,
			'Check that the file contains rows, and that "File Format" and "Delimiter" match the file.',
		);
	if (plan.skipped > 0) hint(skippedLines(plan.skipped));
	const kind = parameter(rowsNotInFile);
	const others = { kind, rows: kind === 'delete' ? index.unclaimedRows : 0 };
	plan.totals.check(context, others, emptiedValues);
	const [firstDeletion] = kind === 'delete' ? index.unclaimed() : [];
	if (plan.totals.counts.create > 0) client.entities.mayCreate(grid);
	if (plan.firstUpdate !== undefined) await client.entities.writeLink(grid, plan.firstUpdate, 'update');
	if (firstDeletion !== undefined) await client.entities.writeLink(grid, firstDeletion, 'remove');
	return { context, file, index, plan, reader, missing: others, dryRun: parameter(dryRun) };
}

/** Carries out the plan. @returns the counts, with the changes file */
async function carryOut(
	execution: FileExecution,
	added: readonly NewField[],
	run: RunCounts,
): Promise<RowWithFiles> {
	const { context, plan, dryRun: isDry } = execution;
	const { grid, parameter, option, node } = context;
	await addMissingOptionsOrThrow(context, plan.writings, isDry);
	const changes = new FileChanges(execution, run);
	const name = safeFileName(`${grid.name || grid.id} changes.csv`);
	const rewrite = option(escaping) ? neutralizing() : undefined;
	const stored = await storeText(node, () => changes.lines(), { name, type: 'text/csv' }, rewrite);
	run.stored.showHints(context.hint);
	const error = run.conclude(context, 'Import');
	if (error) return await Promise.reject(error);
	const row = {
		...{ dryRun: isDry, ...run.counts, skipped: plan.skipped, ...plan.totals.invalid.report },
		addedColumns: added.map((column) => ({ name: column.name, type: column.type.name })),
		...{ fileName: name, fileSize: stored.size },
	};
	return new RowWithFiles(row, { [parameter(changesField)]: stored.file });
}

function skippedLines(count: number): string {
	return count === 1
		? '1 line of the file has no value in a key column and was skipped.'
		: `${count} lines of the file have no value in a key column and were skipped.`;
}
