import type { Field } from '../session/schemas';
import { isComputed } from '../values/cells';
import { blockOf, readBlock, valueOfText, valueOfTyped } from '../values/clipboard';
import { isLink } from '../values/linkedRows';
import type { OpenGrid, SelectableTable } from './openGrid';
import { holdsLinks, withNames } from './linkedTexts';
import type { BlockReader } from './paste';

/** Texts, and the cells that they fill: from the first of these columns and this row on. */
export interface Filling {
	readonly block: ReadonlyArray<readonly string[]>;
	readonly row: number;
	readonly fields: readonly Field[];
	readonly reader: BlockReader;
}

/** A text that is pasted. */
export interface PastedText {
	readonly text: string;
	/** The same from a table of this page, with values as programs write them; or empty. */
	readonly own: string;
}

type Selected = Pick<SelectableTable, 'selection' | 'selectedFields'>;

const repeated = <Item>(item: Item, count: number): Item[] => Array.from({ length: count }, () => item);

/** A pasted text from the first selected cell on; a single cell fills all selected ones. */
export function filledSelection(
	{ columns }: OpenGrid,
	{ text, own }: PastedText,
	{ selection }: Selected,
): Filling {
	const { top, bottom, left, right } = selection.range;
	const fields = columns.slice(left);
	const repeatedIn = (copied: string) => {
		const block = readBlock(copied);
		const [[first] = []] = block;
		if (block.length > 1 || block[0]?.length !== 1 || first === undefined) return block;
		return repeated(repeated(first, right - left + 1), bottom - top + 1);
	};
	const named = repeatedIn(text);
	const cellOf = (cell: string, row: number, column: number) => {
		const field = fields[column];
		// In a column of texts, a linked row is its name.
		return field && !isLink(field) && holdsLinks(cell) ? (named[row]?.[column] ?? cell) : cell;
	};
	const block = own
		? repeatedIn(own).map((line, row) => line.map((cell, column) => cellOf(cell, row, column)))
		: named;
	const valueOf = own ? valueOfText : valueOfTyped;
	return { block, row: Math.max(0, top), fields, reader: (cells) => withNames(valueOf, cells) };
}

/**
 * The first selected row for the selected rows below it, or the row above for a single one.
 * @throws Error if there is no row above
 */
export async function fillingDown(view: OpenGrid, { selection, selectedFields }: Selected): Promise<Filling> {
	const { top, bottom } = selection.range;
	const source = bottom > top ? top : top - 1;
	if (source < 0) throw new Error('There is no row above the first one. Select the rows to fill');
	const fields = selectedFields.filter((field) => !isComputed(field));
	const [line = []] = readBlock(blockOf(await view.entities(source, source + 1), fields));
	return { block: repeated(line, bottom - source), row: source + 1, fields, reader: () => valueOfText };
}
