import { send, upload } from '../session/api';
import { ask, waiting } from '../elements/dialog';
import { counted, h } from '../elements/dom';
import { isComputed } from '../values/cells';
import { typeChoices } from '../values/typeNames';

const NAME_LENGTH = 80;
export const form = (values) => {
	const data = new FormData();
	for (const [name, value] of Object.entries(values)) data.append(name, value);
	return data;
};

/** Whether an import takes off the apostrophes that an export puts before formulas. */
export const unescapeField = {
	name: 'unescapeFormulas',
	label: 'Take off apostrophes before formulas',
	type: 'checkbox',
	value: true,
	hint: 'As an export puts them there. Others stay.',
};

/** Encodings that are offered for a file, by their name in the WHATWG Encoding Standard. */
const ENCODINGS = [
	['utf-8', 'UTF-8'],
	['windows-1252', 'Windows-1252 (Western European)'],
	['macintosh', 'Macintosh (Western European)'],
	['windows-1250', 'Windows-1250 (Central European)'],
	['windows-1251', 'Windows-1251 (Cyrillic)'],
	['windows-1253', 'Windows-1253 (Greek)'],
	['windows-1254', 'Windows-1254 (Turkish)'],
	['utf-16le', 'UTF-16 LE'],
	['utf-16be', 'UTF-16 BE'],
	['shift_jis', 'Shift_JIS (Japanese)'],
	['gb18030', 'GB18030 (Simplified Chinese)'],
	['big5', 'Big5 (Traditional Chinese)'],
	['euc-kr', 'EUC-KR (Korean)'],
];

/** Bytes that are searched for a sample, and those before and after the first one beyond ASCII. */
const SEARCHED_BYTES = 4 * 1024 * 1024;
const SAMPLE_BEFORE = 20;
const SAMPLE_AFTER = 40;

/** A part of a file that its encoding matters for. */
async function sampleOf(file) {
	const bytes = new Uint8Array(await file.slice(0, SEARCHED_BYTES).arrayBuffer());
	const first = Math.max(0, bytes.findIndex((byte) => byte > 127 || byte === 0)); // prettier-ignore
	// An even start, because characters of UTF-16 have two bytes.
	const start = Math.max(0, first - SAMPLE_BEFORE) & ~1;
	return bytes.slice(start, first + SAMPLE_AFTER);
}

/** What is wrong with the encoding of a file, according to the service. */
const wrongEncoding = ({ encoding, why }) =>
	`The file is not in the encoding ${encoding.toUpperCase()}: ${why}. Choose the one in which the sample reads right.`;

/**
 * Reads a file; if it is in another encoding, asks for it with a sample in each.
 * @param read receives the name and the file, with its encoding as its type
 */
export const readEncoded = ({ name, file }, isOpen, read) =>
	read({ name, file }, isOpen).catch((error) => {
		if (!error.details?.encoding) throw error;
		return askEncoding({ name, file }, wrongEncoding(error.details), read);
	});

async function askEncoding({ name, file }, reason, read) {
	const sample = await sampleOf(file);
	const options = ENCODINGS.map(([encoding, label]) => {
		const text = new TextDecoder(encoding).decode(sample).replace(/\s+/g, ' ');
		return [encoding, `${label}: ${text}`];
	});
	ask({
		title: `Encoding of “${name}”`,
		intro: reason,
		fields: [
			{
				name: 'encoding',
				label: 'Encoding, with a sample of the text',
				type: 'select',
				options,
				value: 'windows-1252',
			},
		],
		action: 'Preview',
		run: ({ encoding }, isOpen) => {
			const content = new Blob([file], { type: `text/csv;charset=${encoding}` });
			const encoded = new File([content], file.name, { type: content.type });
			return read({ name, file: encoded }, isOpen).catch((error) => {
				throw error.details?.encoding ? new Error(wrongEncoding(error.details)) : error;
			});
		},
	});
}

/** Whether texts are numbers with the same number of decimals, such as `3.50`. */
const areAmounts = (texts) =>
	texts.length > 0 &&
	texts.every((text) => /^-?(0|[1-9]\d*)\.\d+$/.test(text)) &&
	new Set(texts.map((text) => text.length - text.indexOf('.'))).size === 1;

/**
 * Columns that the service reads as text, because it would write `3.50` as 3.5, and that are
 * numbers all the same.
 */
async function amountsIn(plan, check) {
	const amounts = new Set();
	for (const [index, { name, type }] of plan.columns.entries()) {
		const texts = plan.rows.map((row) => row[index] ?? '').filter(Boolean);
		if (type.name !== 'string' || !areAmounts(texts)) continue;
		const isAccepted = await check({ [name]: 'decimal' }).then(() => true, () => false); // prettier-ignore
		if (isAccepted) amounts.add(name);
	}
	return amounts;
}

/** Shows a preview of the import, with an input for the type of each column. */
async function preview(link, { name, file, unescapeFormulas }, types) {
	const check = (chosen) =>
		send(link, {
			form: form({ name, dryRun: 'true', file, unescapeFormulas, types: JSON.stringify(chosen) }),
		});
	const plan = await check({});
	const amounts = await amountsIn(plan, check);
	const cells = (index) => plan.rows.map((row) => row[index] ?? '').filter(Boolean).join(' · '); // prettier-ignore
	const rows = plan.columns.map(({ name: column, type: { name: guess } }, index) => {
		const proposed = amounts.has(column) ? 'decimal' : guess;
		const options = types.map(([type, label]) =>
			h('option', { value: type, textContent: label, selected: type === proposed }),
		);
		const properties = { 'aria-label': `Type of ${column}`, 'data-column': column, 'data-guess': guess };
		const choice = h('select', properties, ...options);
		return h(
			'tr',
			{},
			h('td', { textContent: column }),
			h('td', {}, choice),
			h('td', { textContent: cells(index).slice(0, 120) }),
		);
	});
	const head = h(
		'tr',
		{},
		...['Column', 'Type', 'First values'].map((text) => h('th', { textContent: text })),
	);
	const text = `${counted(plan.numberOfRows, 'row')}, ${counted(plan.columns.length, 'column')}`;
	return h(
		'div',
		{},
		h('p', { textContent: text }),
		h('div', { className: 'wide' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows))),
	);
}

/** Shows the progress of the upload; the progress of the import itself is unknown. */
function showPart(place, part) {
	const isSent = part === 1;
	const text = isSent
		? 'The file was sent. The service is creating the grid…'
		: `${Math.floor(part * 100)} % of the file sent`;
	const bar = isSent
		? h('progress', { ariaLabel: text })
		: h('progress', { value: part, ariaLabel: 'File sent' });
	place.replaceChildren(bar, text);
}

/** Creates a grid from a CSV file, after a preview. */
export async function importCsv(space, done) {
	const isWaiting = waiting();
	const names = (await send({ href: '/api/types', method: 'get' })).map(({ name }) => name);
	const types = typeChoices(names.filter((name) => !isComputed({ type: { name } })));
	if (!isWaiting()) return;
	const link = space._links.uploadCSV;
	let unescapeFormulas;
	const show = (given, isOpen) => {
		const values = { ...given, unescapeFormulas };
		return preview(link, values, types).then((plan) => {
			if (!isOpen()) return;
			const progress = h('p', { role: 'status' });
			const stop = new AbortController();
			const dialog = ask({
				title: `Import “${values.name}”`,
				fields: [plan, progress],
				action: 'Import',
				run: async () => {
					const changed = [...plan.querySelectorAll('select')].filter(
						(one) => one.value !== one.dataset.guess,
					);
					// A choice without options gets the values of its column.
					const chosen = Object.fromEntries(changed.map(({ value, dataset }) => [dataset.column, value]));
					const location = await upload(link, form({ ...values, types: JSON.stringify(chosen) }), {
						tell: (part) => showPart(progress, part),
						signal: stop.signal,
					}).finally(() => progress.replaceChildren());
					await done(location);
				},
			});
			dialog.addEventListener('close', () => stop.abort());
		});
	};
	const dialog = ask({
		title: `Import a CSV file into “${space.name}”`,
		fields: [
			{ name: 'file', label: 'File', type: 'file', accept: '.csv,.tsv,.txt,text/csv', required: true },
			{ name: 'name', label: 'Name of the new grid', required: true, maxLength: NAME_LENGTH },
			unescapeField,
		],
		action: 'Preview',
		run: ({ name, file, ...chosen }, isOpen) => {
			({ unescapeFormulas } = chosen);
			return readEncoded({ name, file }, isOpen, show);
		},
	});
	const [file, name] = ['file', 'name'].map((one) => dialog.querySelector(`[name=${one}]`));
	file.addEventListener('change', () => {
		name.value ||= nameOf(file.files[0]?.name ?? '');
	});
}

/** A name for a grid from that of its file, without extension, broken at a word. */
function nameOf(fileName) {
	const words = fileName.replace(/\.[^.]*$/, '').split(/[\s_]+/).filter(Boolean); // prettier-ignore
	let name = '';
	for (const word of words) {
		if (name.length + word.length + 1 > NAME_LENGTH) break;
		name += `${name && ' '}${word}`;
	}
	return name || (words[0] ?? '').slice(0, NAME_LENGTH);
}
