import { read as readJson } from '../session/api';
import * as schemas from '../session/schemas';
import type { Field, Grid } from '../session/schemas';
import { isComputed } from '../values/cells';
import { valueOfText } from '../values/clipboard';
import { ask, type Choice } from '../elements/dialog';
import { counted } from '../elements/dom';
import { form, readEncoded, unescapeField, type EncodedFile } from '../structure/importCsv';
import { planRow, type Plan, type Problem } from './paste';

const SAMPLES = 3;

/**
 * Asks for a CSV file, and which of its columns fill which ones of the grid.
 * @param use receives the plan of a paste
 */
export function askFile(grid: Grid, fields: readonly Field[], use: (plan: Plan) => void) {
	let unescapeFormulas = false;
	const read = async ({ file }: EncodedFile, isOpen: () => boolean) => {
		const sent = form({ file, unescapeFormulas: String(unescapeFormulas) });
		const { columns, rows, numberOfRows } = await readJson(grid._links.readCSV, schemas.csvContent, {
			form: sent,
		});
		if (rows.length === 0) throw new Error('The file has no rows below the names of its columns');
		if (rows.length < numberOfRows)
			throw new Error(`The file has ${counted(numberOfRows, 'row')}; up to ${rows.length.toLocaleString()} of them can be imported into a grid. Import it as a new grid, or in parts`); // prettier-ignore
		const names = columns.map(({ name }) => name);
		if (isOpen()) matchColumns({ grid, fields, file, content: { names, rows } }, use);
	};
	ask<'file' | 'unescapeFormulas'>({
		title: `Import rows into “${grid.name}”`,
		intro: 'The first line of the file names its columns.',
		fields: [
			{ name: 'file', label: 'File', type: 'file', accept: '.csv,.tsv,.txt,text/csv', required: true },
			unescapeField,
		],
		action: 'Next',
		run: (_, { isOpen, isChecked, file: fileOf }) => {
			unescapeFormulas = isChecked('unescapeFormulas');
			const file = fileOf('file');
			return readEncoded({ name: file.name, file }, isOpen, read);
		},
	});
}

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** A file, the names of its columns and its rows. */
interface Content {
	readonly grid: Grid;
	readonly fields: readonly Field[];
	readonly file: File;
	readonly content: {
		readonly names: readonly string[];
		readonly rows: ReadonlyArray<readonly string[]>;
	};
}

function matchColumns({ grid, fields, file, content: { names, rows } }: Content, use: (plan: Plan) => void) {
	const writable = fields.filter((field) => !isComputed(field));
	const samples = (index: number) => rows.slice(0, SAMPLES).map((cells) => cells[index] ?? '').filter(Boolean).join(' · ').slice(0, 60); // prettier-ignore
	const options = names.map(
		(name, index): Choice => [String(index), `${name || `Column ${index + 1}`}: ${samples(index)}`],
	);
	const nothing: Choice = ['', 'Nothing'];
	const inputs = writable.map((field) => {
		const known = [field.name, field.key].map(plain);
		const index = names.findIndex((name) => name !== '' && known.includes(plain(name)));
		return {
			name: field.id,
			label: field.name,
			type: 'select' as const,
			value: index < 0 ? '' : String(index),
			options: [nothing, ...options],
		};
	});
	ask({
		title: `Columns of “${file.name}”`,
		intro: `${counted(rows.length, 'row')}. Choose what fills each column of “${grid.name}”.`,
		fields: inputs,
		action: 'Preview',
		run: (chosen, { isOpen }) => {
			const filled = writable.filter(({ id }) => chosen[id] !== '');
			if (filled.length === 0) throw new Error('Choose at least one column');
			const plan = planRows(rows, filled, chosen);
			const unused = names.filter((_, index) => !Object.values(chosen).includes(String(index)));
			const rest = unused.length > 0 ? ` Not imported: ${unused.map((name) => `“${name}”`).join(', ')}.` : '';
			const intro = `${counted(plan.added.length, 'row')} ${plan.added.length === 1 ? 'is' : 'are'} added.${rest}`;
			if (isOpen()) use({ ...plan, intro, title: `Import “${file.name}”`, action: 'Import' });
		},
	});
}

/** Types whose values may begin or end with spaces. */
const FREE_TEXTS = ['string', 'richText'];

/** @param chosen indexes of columns of the file, by id of the column that they fill */
function planRows(
	rows: Content['content']['rows'],
	fields: readonly Field[],
	chosen: Readonly<Record<string, string>>,
) {
	const problems: Problem[] = [];
	const added = rows.map((cells, index) => {
		const texts = fields.map(({ id, type }) => {
			const text = cells[Number(chosen[id])] ?? '';
			return FREE_TEXTS.includes(type.name) ? text : text.trim();
		});
		return planRow({ texts, fields, number: index + 1, read: valueOfText }, problems);
	});
	return { problems, changed: [], added: added.filter(({ cells }) => cells.length > 0) };
}
