import { send, upload } from '../session/api.js';
import { ask, waiting } from '../elements/dialog.js';
import { counted, h } from '../elements/dom.js';
import { typeChoices } from '../values/typeNames.js';

const form = (values) => {
	const data = new FormData();
	for (const [name, value] of Object.entries(values)) data.append(name, value);
	return data;
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

/** Asks for the encoding of a file, with a sample in each. @param run receives the file to send */
async function askEncoding({ name, file }, reason, run) {
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
			return run({ name, file: new File([content], file.name, { type: content.type }) }, isOpen);
		},
	});
}

/** Shows a preview of the import, with an input for the type of each column. */
async function preview(link, { name, file }, types) {
	const plan = await send(link, { form: form({ name, dryRun: 'true', file }) });
	const cells = (index) => plan.rows.map((row) => row[index] ?? '').filter(Boolean).join(' · '); // prettier-ignore
	const rows = plan.columns.map(({ name: column, type: { name: guess } }, index) => {
		const options = types.map(([type, label]) =>
			h('option', { value: type, textContent: label, selected: type === guess }),
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
		h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows)),
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
	const types = typeChoices(names);
	if (!isWaiting()) return;
	const link = space._links.uploadCSV;
	const show = (values, isOpen) =>
		preview(link, values, types).then((plan) => {
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
					const chosen = Object.fromEntries(changed.map((one) => [one.dataset.column, one.value]));
					const location = await upload(link, form({ ...values, types: JSON.stringify(chosen) }), {
						tell: (part) => showPart(progress, part),
						signal: stop.signal,
					});
					await done(location);
				},
			});
			dialog.addEventListener('close', () => stop.abort());
		});
	ask({
		title: `Import a CSV file into “${space.name}”`,
		fields: [
			{ name: 'name', label: 'Name of the new grid', required: true, maxLength: 80 },
			{ name: 'file', label: 'File', type: 'file', accept: '.csv,.tsv,.txt,text/csv', required: true },
		],
		action: 'Preview',
		run: ({ name, file }, isOpen) =>
			show({ name, file }, isOpen).catch((error) => {
				if (!error.details?.encoding) throw error;
				return askEncoding({ name, file }, error.message, show);
			}),
	});
}
