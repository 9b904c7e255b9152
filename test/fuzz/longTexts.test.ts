import { createContext, runInContext } from 'node:vm';
import { idInPath, idInUrl, idsInUrl } from '../../client/endpoints/paths';
import { parseJson } from '../../client/formats/json';
import { fieldsInSchema } from '../../client/formats/jsonSchema';
import { parseMoment, toTimestamp } from '../../client/formats/moment';
import { expandHref } from '../../client/hal/links';
import { messageIn } from '../../client/http/errorBody';
import { excerptOf, redactedValue, redactorOf } from '../../client/formats/redaction';
import { fieldSchema } from '../../client/resources/fields';
import { readUpdate } from '../../client/resources/updates/updateRecord';
import { safeFileName } from '../../nodes/shared/inputs/output/fileName';
import { FormulaNeutralizer } from '../../nodes/shared/csv/formulas';
import { shownHint, shownMessage } from '../../nodes/shared/display/shownText';
import { ColumnNames } from '../../nodes/shared/rows/columnNames';
import { sameValue, valueOrder } from '../../nodes/shared/rows/equality';

/**
 * n8n has one thread for all workflows: a text that takes minutes to be read stops them all. Work
 * that grows with the square of a text's length takes far longer than the limit here.
 */
const LENGTH = 400_000;
const LIMIT_MS = 60_000;

/** Runs work and interrupts it after the limit. @throws Error if it was interrupted */
function interrupted(work: () => unknown): void {
	runInContext('work()', createContext({ work }), { timeout: LIMIT_MS });
}

const repeated = (text: string) => text.repeat(LENGTH / text.length);
const TEXTS: Readonly<Record<string, string>> = {
	letters: repeated('a'),
	digits: `${repeated('1')}x`,
	zeros: `1${repeated('0')}1x`,
	'a fraction': `0.${repeated('0')}1`,
	'an exponent': `1e${repeated('1')}`,
	'a moment': `2026-01-01T00:00:00.000${repeated('0')}1Z`,
	'a moment with spaces': `2026-01-01T00:00:00${repeated(' ')}Z`,
	'spaces and a sign': `${repeated(' ')}{`,
	'spaces between letters': `a${repeated(' ')}b`,
	'dots between letters': `a${repeated('.')}b`,
	commas: repeated(','),
	'opening brackets': `2026-01-01T00:00:00Z${repeated('[')}]x`,
	'zones in brackets': `${repeated('[')}x`,
	'opening braces': `/entities/${repeated('{')}`,
	'query templates': repeated('{?'),
	'question marks': `${repeated('?')}\nx`,
	'question marks after an address': `/api/users/u/spaces/s/grids/g/entities/e${repeated('?')}\nx`,
	'hash signs': `${repeated('#')}\nx`,
	slashes: repeated('/'),
	'paths of the API': repeated('/api/users/u/spaces/s/grids/g/entities/'),
	escapes: repeated('\\u'),
	backslashes: `${repeated('\\')}"`,
	quotes: repeated('"'),
	'names of secrets': repeated('"secret" : '),
	tags: repeated('<a'),
	expressions: repeated('={{'),
};

const TYPES = [
	'string', 'integer', 'decimal', 'boolean', 'date', 'date-time', 'enumcollection', 'geolocation',
	'attachments', 'reference', 'address', 'user', 'unknown',
]; // prettier-ignore
const RESOURCES = ['accessKey', 'entity', 'field', 'form', 'grid', 'space', 'statefulView', 'user'] as const;
const fieldOf = (type: string) => fieldSchema.parse({ id: 'f', name: 'f', type: { name: type } });
const conceal = redactorOf(['s3cr3t/value', 'the-key:s3cr3t/value']);

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
	'the same value': (text) => TYPES.map((type) => sameValue(fieldOf(type), text, `${text} `)),
	'the order of values': (text) => TYPES.map((type) => valueOrder(fieldOf(type), text, text)),
	'a moment': (text) => [parseMoment(text), toTimestamp(text, 'Europe/Berlin')],
	'the name of a file': safeFileName,
	'a CSV file': (text) => new FormulaNeutralizer().write(new TextEncoder().encode(text)),
	'an id in an address': (text) => [
		idsInUrl(text),
		...RESOURCES.flatMap((type) => [idInUrl(type, text), idInPath(type, text)]),
	],
	'a link': (text) => expandHref(text, { a: 'b' }),
	JSON: (text) => [parseJson(text), parseJson(JSON.stringify({ href: text }))],
	'an entry of the feed': (text) => [
		readUpdate({ timestamp: text, entityId: 'e', type: text, changedBy: text }),
		readUpdate({
			_links: { entity: { href: text, method: 'get' }, self: { href: text, method: 'get' } },
			entity: text,
		}),
	],
	'an error': (text) => [messageIn({ message: text }), shownMessage({}, text), shownHint({}, text)],
	'the beginning of a response': (text) => excerptOf(text, 120, conceal),
	'what holds secrets': (text) => redactedValue(text.slice(0, 65_536), conceal),
};

test.each(Object.entries(READERS))('%s reads a text of any length', (_name, read) => {
	for (const text of Object.values(TEXTS))
		interrupted(() => {
			read(text);
		});
});

/** As deep as JSON is read. */
function nested(wrap: (inner: object) => object): object {
	let body = {};
	for (let depth = 0; depth < 199; depth++) body = wrap(body);
	return body;
}

test.each([
	['errors', nested((errors) => ({ errors }))],
	['errors by name', nested((name) => ({ errors: { name } }))],
	['lists of errors', nested((error) => ({ errors: [error] }))],
	['errors in errors', nested((error) => ({ error, message: {}, detail: [] }))],
])('%s without words are looked through once', (_name, body) => {
	interrupted(() => {
		expect(messageIn(body)).toBeUndefined();
	});
});

const many = (part: object) => Array.from({ length: 50 }, () => part);
const ring = { $ref: '#/$defs/d0' };
/** Each definition refers 50 times to the next one. */
const chained = Object.fromEntries(
	Array.from({ length: 18 }, (_, level) => [
		`d${level}`,
		{ type: 'object', required: ['f'], anyOf: many({ $ref: `#/$defs/d${level + 1}` }) },
	]),
);

test.each([
	['itself', { properties: { f: ring }, $defs: { d0: ring } }],
	['itself, as an alternative', { properties: { f: ring }, $defs: { d0: { type: 'integer', anyOf: many(ring) } } }],
	['others again and again', { properties: { f: ring }, $defs: { ...chained, d18: {} } }],
	['the document', { properties: { f: { anyOf: many({ $ref: '#' }) } } }],
])('a schema that refers to %s is put together', (_name, schema) => {
	interrupted(() => {
		expect(fieldsInSchema(schema)).toMatchObject([{ id: 'f' }]);
	});
}); // prettier-ignore

test('any number of columns may have the same name', () => {
	const field = fieldOf('string');
	const fields = Array.from({ length: 200_000 }, (_, index) => ({ ...field, id: `f${index}` }));
	interrupted(() => {
		expect(() => ColumnNames.of(fields).get('f', 'Columns')).toThrow('200000 columns named "f"');
	});
});
