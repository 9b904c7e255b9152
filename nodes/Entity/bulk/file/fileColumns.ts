import { InvalidInput } from '../../../../client/errors';
import type { Values } from '../../../../client/resources/entities';
import { isWritable, type Field } from '../../../../client/resources/fields';
import type { Grid } from '../../../../client/resources/grids';
import { placeMembers } from '../../../shared/inputs/columns/members';
import { collectProblem, refuseProblems } from '../../../shared/inputs/problems';
import { ColumnNames, ROW_MEMBERS } from '../../../shared/rows/columnNames';
import { canonicalKey } from '../../../shared/rows/equality';
import { toServiceValue } from '../../../shared/rows/values';
import type { ItemContext } from '../../../shared/runner/context';
import { KeyedRows } from '../../keys/keyedRows';
import { OptionReader } from '../../writing/unknownOptions';
import { DELIMITERS } from './fileFormat';
import type { FileRow, RowFile } from './fileRows';

/** A column of the grid that the file has values for. */
interface FileColumn {
	field: Field;
	/** Of the cell. */
	index: number;
}

/** What a line of the file is to make of its row. */
export interface FileWrite {
	line: number;
	key: string;
	values: Values;
	/** Whether options that its columns lack are to be added to them. */
	addsOptions: boolean;
}

/**
 * The columns of a file in the grid. Computed columns are not written.
 * @returns those with a place in the grid, and the names of the others
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
				`Its columns are: ${file.columns.slice(0, 30).join(', ')}. Rename them, or choose other "Key Columns".`,
		);
	return { columns, unknown: unknown.filter((name) => name !== '' && !ROW_MEMBERS.has(name)) };
}

/** Advice for a file whose only column has delimiters in its name. */
function wrongDelimiter([only = '', ...others]: readonly string[]): string | undefined {
	const found = Object.entries(DELIMITERS).find(([, sign]) => only.includes(sign));
	if (others.length > 0 || !found) return undefined;
	const [name] = found;
	return `Its only column is "${only}". Choose "${name.charAt(0).toUpperCase()}${name.slice(1)}" in "Delimiter".`;
}

/** Reads what the lines of a file write. */
export class FileWriteReader {
	private readonly options = new OptionReader();
	private readonly keyed: KeyedRows;
	/** Columns whose values are compared. */
	readonly fields: readonly Field[];

	constructor(
		private readonly context: ItemContext & { grid: Grid },
		private readonly columns: readonly FileColumn[],
		private readonly keys: readonly Field[],
	) {
		this.keyed = new KeyedRows(context.client, context.grid, keys);
		this.fields = columns.map(({ field }) => field);
	}

	/**
	 * @returns undefined for a line without a value in a key column
	 * @throws InvalidInput naming every column whose value does not fit
	 */
	async read({ line, cells }: FileRow): Promise<FileWrite | undefined> {
		const { context, fields } = this;
		const problems: InvalidInput[] = [];
		const given: Values = {};
		for (const { field, index } of this.columns) {
			const cell = cells[index] ?? null;
			// An empty cell is no value; an empty text is one beside another key.
			const isNone = cell === '' && !this.keys.includes(field);
			given[field.id] = isNone
				? null
				: collectProblem(problems, () => toServiceValue(field, cell, context.timezone));
		}
		refuseProblems(problems);
		if (this.keyed.emptyKeyOf(given)) return undefined;
		const settled = await this.options.read(context, { grid: context.grid, fields, values: given });
		return { line, key: canonicalKey(this.keys, given), ...settled };
	}

	/** One text for all spellings of the values that are compared; an empty text counts as none. */
	textOf(values: Readonly<Record<string, unknown>>): string {
		return canonicalKey(this.fields, values);
	}

	/** The key in words. */
	describe(values: Values): string {
		return this.keyed.describe(values);
	}

	/** Shows which values were left out. */
	showHints(): void {
		this.options.showHints(this.context);
	}
}
