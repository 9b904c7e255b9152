import { aspect, type Settings } from '../aspect';
import { isJsonObject, jsonSchema, type Json, type Step } from '../exchange';

/** §2.1: an id is a string; which characters it may have is not said. */
export const ids = aspect({
	form: ['plain', 'percent', 'slash', 'space', 'signs', 'accents'],
});
type Form = Settings<typeof ids.dials>['form'];

const AROUND: Record<Form, readonly [before: string, after: string]> = {
	plain: ['', ''],
	percent: ['50%25', '%'],
	slash: ['a/', '/z'],
	space: ['id ', ' b'],
	signs: ["'+?#&=", '"<;,:'],
	accents: ['ид-ä😀', 'é'],
};
/** Ids of the embedded service: 24 hexadecimal digits, and those of fields, which are shorter. */
const ID = '[0-9a-f]{24}|f[0-9a-f]{9}';
const BARE = `[0-9a-f]{24}|\\bf[0-9a-f]{9}\\b`;
const NOBODY = 'f'.repeat(24);
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Ids as the variant shows them, and back. */
export function idCode(form: Form): { show: (text: string) => string; read: (text: string) => string } {
	if (form === 'plain') return { show: (text) => text, read: (text) => text };
	const anId = new RegExp(BARE, 'g');
	const [before, after] = AROUND[form];
	const shown = new RegExp(`${escaped(before)}(${ID})${escaped(after)}|${BARE}`, 'g');
	return {
		show: (text) => text.replace(anId, (id) => `${before}${id}${after}`),
		// A piece of an id is the id of nothing.
		read: (text) => text.replace(shown, (_match, id: string | undefined) => id ?? NOBODY),
	};
}

/**
 * The same value with each text and each name of a member
 * changed; `path` changes the texts that are addresses.
 */
export function eachText(value: Json, change: (text: string) => string, path = change): Json {
	if (typeof value === 'string') return value.startsWith('/api/') ? path(value) : change(value);
	if (Array.isArray(value)) return value.map((one) => eachText(one, change, path));
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [change(name), eachText(member, change, path)]),
	);
}

export function idsStep({ form }: Settings<typeof ids.dials>): Step {
	if (form === 'plain') return {};
	const { show, read } = idCode(form);
	const showPath = (href: string) => {
		const [path = '', search] = href.split('?', 2);
		const shown = path.split('/').map((segment) => encodeURIComponent(show(decodeURIComponent(segment))));
		if (search === undefined) return shown.join('/');
		const query = [...new URLSearchParams(search)].map(
			([name, value]) => [name, inQuery(value, show)] as const,
		);
		return `${shown.join('/')}?${queryOf(query).toString()}`;
	};
	const readPath = (href: string) =>
		href
			.split('/')
			.map((segment) => encodeURIComponent(read(decode(segment))))
			.join('/');
	return {
		request(request) {
			const path = readPath(request.path);
			const query = queryOf([...request.query].map(([name, value]) => [name, inQuery(value, read)] as const));
			const { body } = request;
			return {
				...request,
				path,
				query,
				body: body.kind === 'json' ? { kind: 'json', value: eachText(body.value, read, readPath) } : body,
			};
		},
		response(response) {
			const { headers, body } = response;
			const location = headers['location'];
			return {
				...response,
				headers: location === undefined ? headers : { ...headers, location: showPath(location) },
				body:
					body.kind === 'json'
						? { kind: 'json', value: eachText(body.value, show, showPath) }
						: body.kind === 'text'
							? { kind: 'text', text: body.text.replace(/\/api\/\S+/, showPath) }
							: body,
			};
		},
	};
}

function queryOf(parameters: ReadonlyArray<readonly [string, string]>): URLSearchParams {
	const query = new URLSearchParams();
	for (const [name, value] of parameters) query.append(name, value);
	return query;
}

/**
 * A parameter of a query: filters and sortings are JSON, in
 * which an id may be written with escapes.
 */
function inQuery(text: string, change: (text: string) => string): string {
	if (!text.startsWith('{')) return change(text);
	return JSON.stringify(eachText(jsonSchema.parse(JSON.parse(text)), change));
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
