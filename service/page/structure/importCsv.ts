import { getLink } from '../session/addresses';
import { read, Refusal, upload } from '../session/api';
import * as schemas from '../session/schemas';
import type { Link, Space } from '../session/schemas';
import { ask, waiting, type Choice, type Question } from '../elements/dialog';
import { counted, h } from '../elements/dom';
import { isComputed } from '../values/cells';
import { typeChoices } from '../values/typeNames';
import { formatsOf } from '../../rules/textFormats';
import { readingChoice, readingsOf } from './csvFormats';

const NAME_LENGTH = 80;
export const form = (values: Readonly<Record<string, string | File>>) => {
	const data = new FormData();
	for (const [name, value] of Object.entries(values)) data.append(name, value);
	return data;
};

/** Whether an import takes off the apostrophes that an export puts before formulas. */
export const unescapeField: Question<'unescapeFormulas'> = {
	name: 'unescapeFormulas',
	label: 'Take off apostrophes before formulas',
	type: 'checkbox',
	value: true,
	hint: 'As an export puts them there. Others stay.',
};

/** Encodings that are offered for a file, by their name in the WHATWG Encoding Standard. */
const ENCODINGS: ReadonlyArray<readonly [string, string]> = [
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
async function sampleOf(file: File) {
	const bytes = new Uint8Array(await file.slice(0, SEARCHED_BYTES).arrayBuffer());
	const first = Math.max(0, bytes.findIndex((byte) => byte > 127 || byte === 0)); // prettier-ignore
	// An even start, because characters of UTF-16 have two bytes.
	const start = Math.max(0, first - SAMPLE_BEFORE) & ~1;
	return bytes.slice(start, first + SAMPLE_AFTER);
}

/** A file, whose encoding is its type, with the name of what it becomes. */
export interface EncodedFile {
	readonly name: string;
	readonly file: File;
}

type Reader = (given: EncodedFile, isOpen: () => boolean) => Promise<void>;

/** What is wrong with the encoding of a file, according to the service; undefined if nothing. */
function wrongEncoding(error: unknown) {
	const { encoding, why } = error instanceof Refusal ? error.details : {};
	if (typeof encoding !== 'string' || typeof why !== 'string') return undefined;
	return `The file is not in the encoding ${encoding.toUpperCase()}: ${why}. Choose the one in which the sample reads right.`;
}

/**
 * Reads a file; if it is in another encoding, asks for it with a sample in each.
 * @param read receives the name and the file, with its encoding as its type
 */
export const readEncoded = (given: EncodedFile, isOpen: () => boolean, read: Reader) =>
	read(given, isOpen).catch((error: unknown) => {
		const reason = wrongEncoding(error);
		if (reason === undefined) throw error;
		return askEncoding(given, reason, read);
	});

async function askEncoding({ name, file }: EncodedFile, reason: string, read: Reader) {
	const sample = await sampleOf(file);
	const options = ENCODINGS.map(([encoding, label]): Choice => {
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
		run: ({ encoding }, { isOpen }) => {
			const content = new Blob([file], { type: `text/csv;charset=${encoding}` });
			const encoded = new File([content], file.name, { type: content.type });
			return read({ name, file: encoded }, isOpen).catch((error: unknown) => {
				const again = wrongEncoding(error);
				throw again === undefined ? error : new Error(again);
			});
		},
	});
}

/** What is chosen for columns, by their names. */
interface Chosen {
	readonly types?: Readonly<Record<string, string>>;
	readonly formats?: Readonly<Record<string, string>>;
}
interface Upload extends EncodedFile {
	readonly unescapeFormulas: boolean;
}

const readCsv = (link: Link | undefined, sent: FormData) => read(link, schemas.csvContent, { form: sent });

/** What is sent of an upload. */
const partsOf = ({ unescapeFormulas, ...given }: Upload, { types = {}, formats = {} }: Chosen) => ({
	...given,
	unescapeFormulas: String(unescapeFormulas),
	types: JSON.stringify(types),
	formats: JSON.stringify(formats),
});

/** Shows a preview of the import, with an input for the type of each column. */
async function preview(link: Link, given: Upload, types: ReadonlyArray<readonly [string, string]>) {
	const check = (chosen: Chosen) => readCsv(link, form({ dryRun: 'true', ...partsOf(given, chosen) }));
	const plan = await check({});
	const textsOf = (index: number) => plan.rows.map((row) => row[index] ?? '').filter(Boolean);
	const readings = new Map<string, Awaited<ReturnType<typeof readingsOf>>>();
	for (const [index, { name, type: guess }] of plan.columns.entries()) {
		if (guess.name !== 'string') continue;
		const isAccepted = ({ type, format }: { type: string; format: string }) =>
			check({ types: { [name]: type }, formats: { [name]: format } }).then(() => true, () => false); // prettier-ignore
		readings.set(name, await readingsOf(textsOf(index), isAccepted));
	}
	const rows = plan.columns.map(({ name: column, type: { name: guess } }, index) => {
		const written = readings.get(column) ?? [];
		const proposed = written[0]?.type ?? guess;
		const options = types.map(([type, label]) =>
			h('option', { value: type, textContent: label, selected: type === proposed }),
		);
		const properties = { 'aria-label': `Type of ${column}`, 'data-column': column, 'data-guess': guess };
		const choice = h('select', properties, ...options);
		const [sample = ''] = textsOf(index);
		const format = readingChoice(column, { sample, readings: written }, (type) => {
			choice.value = type ?? guess;
		});
		return h(
			'tr',
			{},
			h('td', { textContent: column }),
			h('td', {}, choice, ...(written.length > 0 ? [format] : [])),
			h('td', { textContent: textsOf(index).join(' · ').slice(0, 120) }),
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

/** What was chosen in a preview. A choice without options gets the values of its column. */
function chosenIn(plan: HTMLElement): Chosen {
	const lists = [...plan.querySelectorAll('select')];
	const columns = lists.filter(({ dataset }) => dataset.column !== undefined);
	const typeOf = new Map(columns.map(({ dataset, value }) => [dataset.column ?? '', value]));
	const changed = columns.filter(({ dataset, value }) => value !== dataset.guess);
	// A format of another type than the chosen one says nothing.
	const written = lists.filter(({ dataset: { written: column }, value }) =>
		formatsOf(typeOf.get(column ?? '') ?? '').some((format) => format === value),
	);
	return {
		types: Object.fromEntries(changed.map(({ dataset, value }) => [dataset.column ?? '', value])),
		formats: Object.fromEntries(written.map(({ dataset, value }) => [dataset.written ?? '', value])),
	};
}

/** Shows the progress of the upload; the progress of the import itself is unknown. */
function showPart(place: HTMLElement, part: number) {
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
export async function importCsv(space: Space, done: (location: string) => Promise<void>) {
	const isWaiting = waiting();
	const names = (await read(getLink('/api/types'), schemas.fieldTypes)).map(({ name }) => name);
	const types = typeChoices(names.filter((name) => !isComputed({ type: { name } })));
	if (!isWaiting()) return;
	const link = space._links.uploadCSV;
	if (!link) return;
	let unescapeFormulas = false;
	const show: Reader = (given, isOpen) => {
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
					const chosen = chosenIn(plan);
					const location = await upload(link, form(partsOf(values, chosen)), {
						tell: (part) => {
							showPart(progress, part);
						},
						signal: stop.signal,
					}).finally(() => {
						progress.replaceChildren();
					});
					await done(location);
				},
			});
			dialog.addEventListener('close', () => {
				stop.abort();
			});
		});
	};
	const dialog = ask<'file' | 'name' | 'unescapeFormulas'>({
		title: `Import a CSV file into “${space.name}”`,
		fields: [
			{ name: 'file', label: 'File', type: 'file', accept: '.csv,.tsv,.txt,text/csv', required: true },
			{ name: 'name', label: 'Name of the new grid', required: true, maxLength: NAME_LENGTH },
			unescapeField,
		],
		action: 'Preview',
		run: ({ name }, { isOpen, isChecked, file: fileOf }) => {
			unescapeFormulas = isChecked('unescapeFormulas');
			return readEncoded({ name, file: fileOf('file') }, isOpen, show);
		},
	});
	const input = (named: string) => dialog.querySelector<HTMLInputElement>(`[name=${named}]`);
	const [file, name] = [input('file'), input('name')];
	file?.addEventListener('change', () => {
		if (name) name.value ||= nameOf(file.files?.[0]?.name ?? '');
	});
}

/** A name for a grid from that of its file, without extension, broken at a word. */
function nameOf(fileName: string) {
	const words = fileName.replace(/\.[^.]*$/, '').split(/[\s_]+/).filter(Boolean); // prettier-ignore
	let name = '';
	for (const word of words) {
		if (name.length + word.length + 1 > NAME_LENGTH) break;
		name += `${name && ' '}${word}`;
	}
	return name || (words[0] ?? '').slice(0, NAME_LENGTH);
}
