import {
	type Digest,
	digestOf,
	type Field,
	InvalidInput,
	isWritable,
	ownMember,
	parseJson,
	type Values,
} from '../../../client';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { CHECK_FIRST_ROW } from '../../shared/inputs/firstRow';
import { placeMembers } from '../../shared/inputs/columns/members';
import { collectProblem, refuseProblems } from '../../shared/inputs/problems';
import { isEmptyCell } from '../../shared/rows/values';
import { ColumnNames, ROW_MEMBERS } from '../../shared/rows/columnNames';
import { InvalidCell } from '../../shared/rows/conversion';
import { canonicalKey } from '../../shared/rows/equality';
import { columnsIn } from '../../shared/rows/filterReading';
import { FormatDetection, hasFormat, type TextFormats } from '../../shared/rows/textFormats';
import { formats as formatsOption, guessedFormats } from '../../shared/inputs/formats';
import type { ItemContext } from '../../shared/runner/context';
import { type GridIndex, type IndexedRow, keyIn } from '../keys/gridIndex';
import type { KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { convertedBy, LinkedCell, withLinks, type LinkedRows, type LinkTargets } from '../writing/linkedRows';
import { changeOf, comparedColumns, type Rules } from '../writing/plan';
import type { ComparedRow } from '../writing/gridPlan';
import type { Scope } from '../writing/settings';
import { OptionReader } from '../writing/unknownOptions';
import { DELIMITERS } from './fileFormat';
import type { FileRow, RowFile } from './fileRows';

/** A column of the grid that the file has values for. */
interface FileColumn {
	field: Field;
	/** Index of its cell in a line. */
	index: number;
}

/** What a line of the file writes to its row. */
export interface FileWrite {
	line: number;
	key: RowKey;
	values: Values;
	/** Whether to add options that the columns lack. */
	addsOptions: boolean;
}

/** How the lines of a file are read and compared. */
interface FileReading extends Scope {
	keyed: KeyedRows;
	targets: LinkTargets;
	rules: Rules;
	/** How the file writes numbers and dates. */
	formats: TextFormats;
	/** Whether to count the values that the file empties. */
	countsEmptied: boolean;
}

/**
 * Matches the columns of a file with the writable columns of the grid.
 * @returns the matching columns, and the names that match none
 * @throws InvalidInput if a key column is not in the file
 */
export function fileColumns(file: RowFile, fields: readonly Field[], keys: readonly Field[]) {
	const byName = Object.fromEntries(file.columns.map((name, index) => [name, index]));
	const { placed, unknown } = placeMembers(byName, ColumnNames.of(fields));
	const columns: FileColumn[] = [];
	for (const { name, field, value } of placed) {
		if (columns.some((column) => column.field === field))
			throw new InvalidInput(
				`The file has two columns for "${field.name}", one of them "${name}"`,
				'Rename or remove one of them.',
			);
		if (isWritable(field)) columns.push({ field, index: Number(value) });
	}
	const lacking = keys.filter((key) => !columns.some(({ field }) => field === key));
	if (lacking.length > 0)
		throw new InvalidInput(
			`The file has no column for the key column ${lacking.map(({ name }) => `"${name}"`).join(', ')}`,
			wrongDelimiter(file.columns) ??
				`Its columns are: ${file.columns.slice(0, 30).join(', ')}. Rename them, or choose other "Key Columns". ${CHECK_FIRST_ROW}`,
		);
	for (const name of unknown) {
		const repeated = file.repeated.get(name);
		if (repeated !== undefined)
			throw new InvalidInput(
				`The file has several columns "${repeated}", and the grid has no column "${name}"`,
				'Rename or remove one of them.',
			);
	}
	return { columns, unknown: unknown.filter((name) => name !== '' && !ROW_MEMBERS.has(name)) };
}

/** Advice for a file whose only column has a delimiter in its name. */
function wrongDelimiter([only = '', ...others]: readonly string[]): string | undefined {
	const delimiter = Object.entries(DELIMITERS).find(([, sign]) => sign !== undefined && only.includes(sign));
	if (others.length > 0 || !delimiter) return undefined;
	const [name] = delimiter;
	return `Its only column is "${only}". Choose "${name.charAt(0).toUpperCase()}${name.slice(1)}" in "Delimiter". ${CHECK_FIRST_ROW}`;
}

/**
 * The formats of a file: chosen ones, otherwise as its values tell.
 * @throws InvalidInput if a value means something else in each format
 */
export async function formatsOf(
	{ option, hint }: ItemContext,
	file: RowFile,
	columns: readonly FileColumn[],
): Promise<TextFormats> {
	const detection = new FormatDetection();
	const chosen = option(formatsOption);
	const formatted = columns.filter(({ field }) => hasFormat(field));
	if (formatted.length > 0 && (chosen.number === undefined || chosen.date === undefined))
		for await (const { cells } of file.rows())
			for (const { field, index } of formatted) detection.add(field, cells[index]);
	const { formats, guessed } = detection.formats(chosen);
	if (guessed.length > 0) hint(guessedFormats(guessed));
	return formats;
}

/** The problem of a cell, with advice for those who can change the file. */
const ofFile = (problem: InvalidInput): InvalidInput =>
	problem instanceof InvalidCell
		? new InvalidCell(
				problem.field,
				new InvalidInput(
					problem.message,
					`Correct "${problem.field.name}" in the file, or choose how it writes numbers and dates in "Formats" under Options.`,
				),
			)
		: problem;

/** Converts the lines of a file to values of the grid, and compares them with its rows. */
export class FileWriteReader {
	readonly options = new OptionReader();
	private readonly convert: ReturnType<typeof convertedBy>;
	readonly rules: Rules;
	readonly keyed: KeyedRows;
	/** Columns of the file. */
	private readonly fields: readonly Field[];
	/** Columns that are always written: a digest of their values tells whether a row differs. */
	private readonly digested: readonly Field[];
	/** Ids of the columns whose stored values a rule or condition depends on. */
	private readonly heldIds: readonly string[];
	/** Ids of the columns that the plan compares. */
	readonly needs: readonly string[];
	readonly isInScope: Scope['isInScope'];
	/** Columns of which the index notes whether they have a value. */
	private readonly counted: readonly Field[];

	constructor(
		private readonly context: ItemContext & ChosenGrid,
		private readonly columns: readonly FileColumn[],
		{ keyed, targets, rules, scope, isInScope, formats, countsEmptied }: FileReading,
	) {
		this.convert = convertedBy(targets, formats);
		this.keyed = keyed;
		this.rules = rules;
		this.fields = columns.map(({ field }) => field);
		const ruleOf = ({ id }: Field) => rules.columns?.get(id) ?? 'always';
		this.digested = this.fields.filter((field) => ruleOf(field) === 'always');
		const ruled = this.fields.filter((field) => ['ifEmpty', 'ifValue'].includes(ruleOf(field)));
		this.heldIds = [...new Set([...ruled.map(({ id }) => id), ...columnsIn(scope ?? {})])];
		const written = [...this.digested, ...ruled].map(({ id }) => id);
		this.needs = comparedColumns({ keys: keyed.keys, written, scope });
		this.isInScope = isInScope;
		this.counted = countsEmptied ? this.digested : [];
	}

	/** What the index stores of a row of the grid. */
	indexed(row: Values): IndexedRow {
		const { heldIds } = this;
		return {
			...keyIn(this.keyed.keys, row),
			isInScope: this.isInScope(row),
			digest: this.digestIn(row),
			held: this.holds
				? JSON.stringify([...heldIds.map((id) => row[id] ?? null), ...this.filledIn(row)])
				: undefined,
		};
	}

	private get holds(): boolean {
		return this.heldIds.length + this.counted.length > 0;
	}

	/** 1 for each counted column with a value, 0 for others. */
	private filledIn(row: Values): number[] {
		return this.counted.map(({ id }) => (isEmptyCell(ownMember(row, id)) ? 0 : 1));
	}

	/** Digest of the values that are always written; an empty text equals no value. */
	private digestIn(values: Values): Digest {
		return digestOf(canonicalKey(this.digested, values));
	}

	/**
	 * The change that a line needs, its row after it, as far as conditions need it, and which counted
	 * columns of the row have a value.
	 */
	changeOf({ key, values }: FileWrite, index: GridIndex): Pick<ComparedRow, 'kind' | 'state' | 'held'> {
		const { heldIds, rules } = this;
		const present = index.rowOf(key.text, this.digestIn(values));
		if (!present) return { kind: 'create', state: () => values };
		const { isSame, held: stored } = present;
		const json = this.holds ? parseJson(stored) : {};
		const cells: unknown[] = 'value' in json && Array.isArray(json.value) ? json.value : [];
		const flags = this.counted.map(({ id }, at) => [id, cells[heldIds.length + at] === 1 ? true : null]);
		const held = flags.length > 0 ? Object.fromEntries(flags) : undefined;
		if (heldIds.length === 0) return { kind: isSame ? 'unchanged' : 'update', state: () => values, held };
		const row = {
			...Object.fromEntries(heldIds.map((id, at) => [id, cells[at]])),
			...{ _id: '', _links: new Map() },
		};
		// Of columns that are not stored, all values differ.
		const change = changeOf({ values }, row, rules);
		const isChange = !isSame || heldIds.some((id) => Object.hasOwn(change.values, id));
		return { kind: isChange ? 'update' : 'unchanged', state: () => ({ ...row, ...change.values }), held };
	}

	/**
	 * @returns undefined for a line without a value in a key column
	 * @throws InvalidInput naming every column whose value does not fit
	 */
	async read({ line, cells }: FileRow): Promise<FileWrite | undefined> {
		const { context, keyed, fields } = this;
		const problems: InvalidInput[] = [];
		const converted: Values = {};
		for (const { field, index } of this.columns) {
			const cell = cells[index] ?? null;
			converted[field.id] = collectProblem(problems, this.convert, field, cell, context.timezone);
		}
		refuseProblems(problems.map(ofFile), converted);
		if (keyed.keys.emptyKeyOf(converted)) return undefined;
		const values = await withLinks(converted);
		const write = await this.options.read(context, { grid: context.grid, fields, values });
		return { line, key: keyed.keys.keyOf(converted), ...write };
	}

	/** Finds the linked rows of a file, each value once. */
	async readAhead(linked: LinkedRows, file: RowFile): Promise<void> {
		const cells = new Map<string, LinkedCell>();
		for await (const row of file.rows())
			for (const { field, index } of this.columns) {
				const cell = row.cells[index] ?? null;
				// An invalid value is reported with its line.
				const value = collectProblem([], this.convert, field, cell, this.context.timezone);
				if (value instanceof LinkedCell) cells.set(JSON.stringify([field.id, cell]), value);
			}
		await linked.readAhead(this.context.client, [...cells.values()]);
	}

	optionsIn(values: Values): Values {
		const choices = this.fields.filter(({ type }) => type.options);
		return Object.fromEntries(choices.map(({ id }) => [id, values[id]]));
	}

	/** The cells of a line as they are in the file, by field id. */
	cellsOf({ cells }: FileRow): Values {
		return Object.fromEntries(this.columns.map(({ field, index }) => [field.id, cells[index] ?? null]));
	}
}
