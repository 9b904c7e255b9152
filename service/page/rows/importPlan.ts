import { messageOf, read, send } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, Field, Grid } from '../session/schemas';
import { counted } from '../elements/dom';
import { valueOfOption } from '../values/options';
import { valueOfText } from '../values/clipboard';
import { plainText, type TextFormat } from '../../rules/textFormats';
import { isLink } from '../values/linkedRows';
import { withNames } from './linkedTexts';
import type { OpenGrid } from './openGrid';
import { planRow, summary, type Plan, type Problem } from './paste';
import { formOf, rowsByKey } from './rowsByKey';

/** A column of the grid, and what fills it. */
export interface FilledColumn {
	readonly field: Field;
	/** Of the column of the file. */
	readonly index: number;
	readonly textOf: (cells: readonly string[]) => string;
	readonly format: TextFormat | undefined;
	/** Options that the column gets. */
	readonly added: readonly string[];
}

interface Chosen {
	readonly filled: readonly FilledColumn[];
	/** The column by which existing rows are found. */
	readonly key: FilledColumn | undefined;
}

/** A column with the options that it gets. */
const completed = ({ field, added }: FilledColumn): Column =>
	added.length === 0
		? field
		: { ...field, type: { ...field.type, options: [...(field.type.options ?? []), ...added] } };

function plainOf({ format, textOf }: FilledColumn, cells: readonly string[]) {
	const text = textOf(cells);
	return format && text !== '' ? plainText(text, format) : text;
}

/** Adds options to a column, whatever options others have added meanwhile. */
async function addOptions({ _links }: Grid, { field, added }: FilledColumn) {
	const { fields } = await read(_links.self, schemas.grid);
	const now = fields.find(({ id }) => id === field.id);
	if (!now) throw new Error(`The column “${field.name}” was deleted in the meantime`);
	const known = now.type.options ?? [];
	const options = [...known, ...added.filter((one) => !known.map(valueOfOption).includes(one))];
	await send(now._links.update, { body: { type: { ...now.type, options } } });
}

/** Plans the rows of a file: those to change, which are found by a key, and those to add. */
export async function planImport(
	view: OpenGrid,
	rows: ReadonlyArray<readonly string[]>,
	{ filled, key }: Chosen,
): Promise<Pick<Plan, 'problems' | 'changed' | 'added' | 'intro' | 'prepare'>> {
	const fields = filled.map(completed);
	const problems: Problem[] = [];
	/** The key of a line; undefined if it has none or it does not fit. */
	const keyOf = (cells: readonly string[]) => {
		try {
			return key ? (valueOfText(key.field, plainOf(key, cells)) ?? undefined) : undefined;
		} catch {
			return undefined;
		}
	};
	const keys = rows.map(keyOf);
	const existing = key && (await rowsByKey(view.grid, key.field, keys.filter((value) => value !== undefined)));
	const taken = new Set<string>();
	const linking = filled.filter(({ field }) => isLink(field));
	const valueOf = await withNames(valueOfText, rows.flatMap((cells) => linking.map(({ field, textOf }) => [field, textOf(cells)] as const)));
	const lines = rows.flatMap((cells, index) => {
		const id = keys[index] === undefined ? undefined : formOf(keys[index]);
		const matches = existing && id !== undefined ? existing(keys[index]) : [];
		const number = index + 1;
		const skip = (reason: string) => {
			if (key) problems.push({ number, field: key.field, text: key.textOf(cells), reason });
			return [];
		};
		if (matches.length > 1) return skip(`is in ${matches.length} rows of the grid, so the row is left out`);
		if (id !== undefined && taken.has(id)) return skip('is in an earlier row of the file, so the row is left out');
		if (id !== undefined) taken.add(id);
		const texts: string[] = [];
		const used: Column[] = [];
		for (const [place, column] of filled.entries()) {
			const field = fields[place];
			if (!field) continue;
			try {
				texts.push(plainOf(column, cells));
				used.push(field);
			} catch (error) {
				problems.push({ number, field, text: column.textOf(cells), reason: messageOf(error) });
			}
		}
		const [match] = matches;
		const entity = match && view.inGrid(match);
		return [planRow({ texts, fields: used, entity, number, read: valueOf }, problems)];
	});
	const planned = lines.filter(({ cells }) => cells.length > 0);
	const changed = planned.flatMap(({ entity, ...line }) => (entity ? [{ ...line, entity }] : []));
	const added = planned.filter(({ entity }) => !entity);
	const extended = filled.filter((one) => one.added.length > 0);
	const prepare = async () => {
		for (const column of extended) await addOptions(view.grid, column);
	};
	const intro = key
		? summary({ changed, added, outside: 0, below: 0 })
		: `${counted(added.length, 'row')} ${added.length === 1 ? 'is' : 'are'} added.`;
	return { problems, changed, added, intro, ...(extended.length > 0 ? { prepare } : {}) };
} // prettier-ignore
