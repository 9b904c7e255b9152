import { isComputed, isSimple } from '../values/cells';
import { ask, type Choice } from '../elements/dialog';
import { counted, h, labelled, shown } from '../elements/dom';
import type { Field } from '../session/schemas';
import { formatChoice, optionOffer } from './columnFormats';
import { planImport, type FilledColumn } from './importPlan';
import type { OpenGrid } from './openGrid';
import type { Plan } from './paste';

const SAMPLES = 3;
/** Types whose values may begin or end with spaces. */
const FREE_TEXTS = ['string', 'richText'];

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** The names of the columns of a file, and its rows. */
export interface Content {
	readonly names: readonly string[];
	readonly rows: ReadonlyArray<readonly string[]>;
}

interface NamedContent {
	/** Of the file. */
	readonly name: string;
	readonly content: Content;
}

/** Asks what fills each column, how its texts are written, and which rows exist already. */
export function matchColumns(view: OpenGrid, { name: fileName, content }: NamedContent, use: (plan: Plan) => void) {
	const { grid } = view;
	const { names, rows } = content;
	const columns = view.fields
		.filter((field) => !isComputed(field))
		.map((field) => columnInputs(field, content));
	const keys = h(
		'select',
		{},
		h('option', { value: '', textContent: 'Nothing: all rows are added' }),
		...columns.filter(({ field }) => isSimple(field)).map(({ field }) => h('option', { value: field.id, textContent: field.name })), // prettier-ignore
	);
	const where = grid.type === 'virtual' ? 'view' : 'grid';
	ask({
		title: `Columns of “${fileName}”`,
		intro: `${counted(rows.length, 'row')}. Choose what fills each column of “${grid.name}”.`,
		fields: [
			...columns.flatMap(({ nodes }) => nodes),
			labelled('Find existing rows by', keys, `Rows of this ${where} with the same value are changed, others are added.`), // prettier-ignore
		],
		action: 'Preview',
		run: async (_, { isOpen }) => {
			const filled = shown(columns.map(({ chosen }) => chosen()));
			if (filled.length === 0) throw new Error('Choose at least one column');
			const key = filled.find(({ field }) => field.id === keys.value);
			if (keys.value !== '' && !key) throw new Error('Choose what fills the column by which rows are found');
			const plan = await planImport(view, rows, { filled, key });
			const unused = names.filter((_name, index) => !filled.some((one) => one.index === index));
			const rest = unused.length > 0 ? ` Not imported: ${unused.map((name) => `“${name}”`).join(', ')}.` : '';
			const options = filled.flatMap(({ field, added }) => added.length > 0 ? [` New options of “${field.name}”: ${added.join(', ')}.`] : []); // prettier-ignore
			const intro = `${plan.intro}${options.join('')}${rest}`;
			if (isOpen()) use({ ...plan, intro, title: `Import “${fileName}”`, action: 'Import' });
		},
	});
} // prettier-ignore

/** The inputs for a column of the grid. */
function columnInputs(field: Field, { names, rows }: Content) {
	const known = [field.name, field.key].map(plain);
	const found = names.findIndex((name) => name !== '' && known.includes(plain(name)));
	const samples = (index: number) => rows.slice(0, SAMPLES).map((cells) => cells[index] ?? '').filter(Boolean).join(' · ').slice(0, 60); // prettier-ignore
	const choices: readonly Choice[] = [
		['', 'Nothing'],
		...names.map((name, index) => [String(index), `${name || `Column ${index + 1}`}: ${samples(index)}`] as const),
	];
	const options = choices.map(([value, textContent]) => h('option', { value, textContent }));
	const select = h('select', {}, ...options);
	select.value = found < 0 ? '' : String(found);
	const textOf = (cells: readonly string[]) => {
		const text = cells[Number(select.value)] ?? '';
		return FREE_TEXTS.includes(field.type.name) ? text : text.trim();
	};
	const format = formatChoice(field);
	const offer = optionOffer(field);
	const follow = () => {
		const texts = select.value === '' ? [] : [...new Set(rows.map(textOf))].filter(Boolean);
		format.show(texts);
		offer.show(texts);
	};
	select.addEventListener('change', follow);
	follow();
	const chosen = (): FilledColumn | undefined =>
		select.value === ''
			? undefined
			: { field, index: Number(select.value), textOf, format: format.chosen(), added: offer.chosen() };
	return { field, nodes: shown([labelled(field.name, select), format.node, offer.node]), chosen };
} // prettier-ignore
