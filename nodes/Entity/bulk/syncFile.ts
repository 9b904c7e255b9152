import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import { inputFile } from '../../shared/connection/inputFile';
import { storeText } from '../../shared/connection/storedFile';
import { addToHint, toNodeError } from '../../shared/display/nodeError';
import { changeableGrid, type ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { keyColumns as keysIn } from '../../shared/inputs/columns/columnMapper';
import { dryRun } from '../../shared/inputs/dryRun';
import { safeFileName } from '../../shared/inputs/output/fileName';
import { columnsOption, requestsAtATime } from '../../shared/inputs/options';
import { inputField, neutralizeFormulas, outputField } from '../../shared/inputs/output/outputFile';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import { numeric, parameter as input } from '../../shared/inputs/parameter';
import { neutralizing } from '../../shared/rows/csvFormulas';
import { RowWithFiles } from '../../shared/rows/output';
import type { ItemContext } from '../../shared/runner/context';
import { operation } from '../../shared/runner/operation';
import { excessiveShare, stopAt } from '../selection/changeLimits';
import { Tally } from '../writing/rowSteps';
import { addMissingOptionsOrThrow, unknownOptions } from '../writing/unknownOptions';
import { fileColumns, FileWriteReader } from './file/fileColumns';
import { FileChanges, type FileCounts, type FileExecution } from './file/fileExecution';
import { delimiter, DELIMITERS, fileFormat } from './file/fileFormat';
import { indexGrid, planFileSync } from './file/filePlan';
import { csvRows, jsonRows } from './file/fileRows';
import { deleteOthers, deletesOthers, deletionLimit, rowsWithoutKeyOf } from './syncSettings';

const keyColumns = columnsOption({
	displayName: 'Key Columns',
	name: 'keyColumns',
	description: 'The columns that together identify a row. The file must contain them, too.',
});
const changesField = outputField({
	displayName: 'Put Changes File in Field',
	name: 'changesBinaryPropertyName',
	default: 'changes',
	hint: 'The name of the output binary field to put the file with the changes in',
	description: 'The binary field of the output item to write the CSV file to: one line for each change',
});
const rowsWithoutKey = rowsWithoutKeyOf('a line');

/** Maximum number of rows of a grid that can be read (docs/bulk.md). */
const MAX_ROWS = 10_000_000;

const rowLimit = (displayName: string, name: string, verb: string) =>
	input(
		{
			displayName,
			name,
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: MAX_ROWS,
			description: `Maximum number of rows to ${verb} in one run. If there are more, nothing is written.`,
		},
		numeric.pipe(z.number().int().min(0)),
	);
const creationLimit = rowLimit('Creation Limit', 'creationLimit', 'create');
const updateLimit = rowLimit('Update Limit', 'updateLimit', 'update');

const inputBinaryField = inputField({
	hint: 'The name of the input binary field that contains the file',
	description: 'The binary field of the input item with the file, encoded in UTF-8',
});

export const syncFile = operation({
	value: 'syncFile',
	name: 'Sync From File',
	action: 'Sync rows from a file',
	description:
		'Make a grid match a CSV or NDJSON file in a binary field: create missing rows, update rows that differ and, optionally, delete all others. File and grid are read in parts, so both may have more rows than fit into memory.',
	hintsBeforeRun: [deletesOthers],
	on: changeableGrid,
	fields: [
		inputBinaryField,
		fileFormat,
		{ ...keyColumns, property: { ...keyColumns.property, required: true } },
		deleteOthers,
		dryRun,
		changesField,
		neutralizeFormulas,
		columnNaming,
	],
	options: [
		creationLimit,
		delimiter,
		deletionLimit,
		requestsAtATime,
		rowsWithoutKey,
		unknownOptions,
		updateLimit,
	],
	async run(context) {
		const { parameter, option } = context;
		const limits = {
			create: option(creationLimit),
			update: option(updateLimit),
			deletePercent: option(deletionLimit),
		};
		const execution = await plannedExecution(context, parameter(deleteOthers));
		refuseOverLimits(execution, limits);
		await requirePermissions(execution);
		await addMissingOptionsOrThrow(context, execution.plan.writings, execution.dryRun);
		return await carryOut(execution);
	},
});

/** Reads the file and the grid and plans all changes. @throws InvalidInput: nothing was written */
async function plannedExecution(
	context: ItemContext & ChosenGrid,
	isDeleting: boolean,
): Promise<FileExecution> {
	const { grid, fields, parameter, option, columnNames, hint, node, itemIndex } = context;
	const keys = keysIn(parameter(keyColumns), fields, keyColumns.property.displayName);
	const { displayName } = inputBinaryField.property;
	const source = await inputFile(node, itemIndex, parameter(inputBinaryField), displayName);
	const file =
		parameter(fileFormat) === 'csv'
			? await csvRows(source, DELIMITERS[option(delimiter)])
			: await jsonRows(source);
	const { columns, unknown } = fileColumns(file, fields, keys);
	const reader = new FileWriteReader(context, columns, keys);
	const skips = option(rowsWithoutKey) === 'skip';
	const index = await indexGrid(context, keys, reader);
	const plan = await planFileSync(context, file, index, { reader, skips });
	if (unknown.length > 0)
		hint(`Not written, because "${grid.name}" has no such column: ${unknown.join(', ')}`);
	reader.showHints();
	if (plan.create + plan.update + plan.unchanged === 0) throw noKeys(source.name);
	if (plan.skipped > 0) hint(skippedLines(plan.skipped));
	return {
		...{ context, file, index, plan, reader, keys },
		names: columnNames(fields),
		dryRun: parameter(dryRun),
		deleteOthers: isDeleting,
	};
}

interface Limits {
	create: number;
	update: number;
	/** Share of the rows of the grid. */
	deletePercent: number;
}

/** @throws InvalidInput if the plan exceeds a limit, unless it is a dry run */
function refuseOverLimits(
	{ context: { grid, hint }, index, plan, dryRun: isDryRun, deleteOthers: isDeleting }: FileExecution,
	limits: Limits,
): void {
	const deletions = excessiveShare({
		grid,
		rows: isDeleting ? index.rows - plan.update - plan.unchanged : 0,
		all: index.rows,
		percent: limits.deletePercent,
		verb: 'deleted',
		advice:
			'Check that the file is complete. To delete this many rows, raise "Deletion Limit (%)" under Options.',
	});
	for (const excess of [
		excessOf(grid, { rows: plan.create, most: limits.create, verb: 'created', limit: creationLimit }),
		excessOf(grid, { rows: plan.update, most: limits.update, verb: 'updated', limit: updateLimit }),
		deletions,
	])
		stopAt(excess, { isDryRun, hint });
}

/** Checks the permission for each kind of change on one row. @throws LinkMissing */
async function requirePermissions({
	context,
	index,
	plan,
	deleteOthers: isDeleting,
}: FileExecution): Promise<void> {
	const { entities } = context.client;
	const { grid } = context;
	const [firstDeletion] = isDeleting ? index.unclaimed() : [];
	if (plan.create > 0) entities.mayCreate(grid);
	if (plan.firstUpdate !== undefined) await entities.writeLink(grid, plan.firstUpdate, 'update');
	if (firstDeletion !== undefined) await entities.writeLink(grid, firstDeletion, 'remove');
}

/** Carries out the plan. @returns the counts, with the changes file */
async function carryOut(execution: FileExecution): Promise<RowWithFiles> {
	const { context, plan, dryRun: isDry } = execution;
	const { grid, parameter, hint, node, itemIndex } = context;
	const changes = new FileChanges(execution);
	const name = safeFileName(`${grid.name || grid.id} changes.csv`);
	const rewrite = parameter(neutralizeFormulas) ? neutralizing() : undefined;
	const stored = await storeText(node, () => changes.lines(), { name, type: 'text/csv' }, rewrite);
	const { counts, failure } = changes;
	const sentence = `${isDry ? 'Dry run' : 'Sync From File'}: ${sentenceOf(counts, isDry)}`;
	if (failure && !node.continueOnFail()) {
		const error = toNodeError(node, failure.error, itemIndex);
		addToHint(node, error, `${sentence}.`);
		return await Promise.reject(error);
	}
	hint(sentence);
	const row = { dryRun: isDry, ...counts, skipped: plan.skipped, fileName: name, fileSize: stored.size };
	return new RowWithFiles(row, { [parameter(changesField)]: stored.file });
}

function skippedLines(count: number): string {
	return count === 1
		? '1 line of the file has no value in a key column and was skipped.'
		: `${count} lines of the file have no value in a key column and were skipped.`;
}

/** An empty or broken source must not look like a successful run. */
function noKeys(name: string): InvalidInput {
	return new InvalidInput(
		`No line of the file "${name}" has a value in all key columns; nothing was written`,
		'Check that the file contains rows, and that "File Format" and "Delimiter" match the file.',
	);
}

interface RowLimit {
	rows: number;
	most: number;
	/** Past participle for the message, such as `created`. */
	verb: string;
	limit: typeof creationLimit;
}

function excessOf({ name }: Grid, { rows, most, verb, limit }: RowLimit): InvalidInput | undefined {
	if (rows <= most) return undefined;
	return new InvalidInput(
		`${rows === 1 ? '1 row' : `${rows} rows`} of "${name}" would be ${verb}, which is more than ${most}; nothing was written`,
		`Check the file and its key columns, or raise "${limit.property.displayName}" under Options.`,
	);
}

function sentenceOf(counts: FileCounts, isDry: boolean): string {
	const tally = new Tally();
	const { updated, created, deleted, failed, notTried, unchanged } = counts;
	const words: Array<[string, number]> = [
		[isDry ? 'update' : 'updated', updated],
		[isDry ? 'create' : 'created', created],
		[isDry ? 'delete' : 'deleted', deleted],
		['failed', failed],
		['not tried', notTried],
		['unchanged', unchanged],
	];
	for (const [word, count] of words) if (count > 0) tally.add(word, count);
	if (isDry) return tally.planned;
	return tally.text || 'nothing to do';
}
