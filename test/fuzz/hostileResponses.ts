import fc from 'fast-check';
import { nestings } from './nestedJson';

/** Where the service under test is said to be; whatever goes elsewhere is a finding. */
export const BASE = 'https://grids.example:8443/prefix';

/** What no message may show: the identity of the caller, as an echoing proxy would send it back. */
export const AUTHORIZATION = `Basic ${Buffer.from('the-key:the-very-secret').toString('base64')}`;

/** One answer of a service that means ill, or of something else that answers in its place. */
export interface HostileResponse {
	/** 0: no answer comes back. */
	status: number;
	headers: Record<string, string>;
	/** `#` stands for the number of the request, so that each page may hold something new. */
	body: string;
}

const texts = fc.oneof(
	fc.constantFrom('', 'x', '..', '.', 'a/b', 'a%2Fb', '%E0%A4%A', '\uD800', '🦄', '__proto__', 'constructor'),
	fc.constantFrom('toString', 'prototype', 'hasOwnProperty', '#', 'e#', '<script>alert(1)</script>', 'null'),
	fc.constantFrom('x'.repeat(5000), '\u0000', '\u202Eabc', ' ', '2026-01-01T00:00:00Z', AUTHORIZATION),
	fc.string({ unit: 'binary', maxLength: 20 }),
);
const counts = fc.constantFrom<unknown>(
	0,
	1,
	2,
	3,
	1000,
	12_000,
	1e9,
	1e21,
	-1,
	0.5,
	'3',
	null,
	true,
	{},
	[],
);
const hrefs = fc.oneof(
	fc.constantFrom(
		'/api/users/u1',
		'/prefix/api/users/u1/spaces/s1',
		'api/x',
		'?a=b',
		'',
		'#',
		'/',
		'.',
		'..',
	),
	fc.constantFrom('/api/x{?pageIndex,pageSize}', '/api/{', '/api/{}', '/{a,b}', '/api/%E0%A4%A', 'http://['),
	fc.constantFrom('https://evil.example/api', '//evil.example/api', 'http://grids.example:8443/api'),
	fc.constantFrom(
		'https://grids.example/api',
		'https://grids.example:8443@evil.example/',
		'file:///etc/passwd',
	),
	fc.constantFrom('\\\\evil.example\\api', '/\\evil.example/api', 'javascript:alert(1)', 'data:text/plain,x'),
	fc.constantFrom(
		'https://a:b@grids.example:8443/prefix/api',
		' https://evil.example',
		'\thttps://evil.example',
	),
	texts,
);
const rels = fc.constantFrom(
	...'self spaces grids addGrid shares entities addEntity schema virtualGrids update remove updates query forms sviews csv submit accessKeys columnAdd next copy constructor toString events resources invite uploadCSV addVirtualGrid addSview'.split(
		' ',
	),
);
const link = fc.record(
	{ href: hrefs, method: fc.constantFrom('get', 'post', 'PUT', 'delete', 'patch', 'trace', '', 7) },
	{ requiredKeys: ['href'] },
);
const links = fc.dictionary(rels, fc.oneof({ weight: 6, arbitrary: link }, fc.jsonValue({ maxDepth: 1 })), {
	maxKeys: 6,
});

/** A member that is mostly what the specification says, and else anything. */
const mostly = <Value>(right: fc.Arbitrary<Value>) =>
	fc.oneof<Array<fc.WeightedArbitrary<unknown>>>(
		{ weight: 5, arbitrary: right },
		{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
		{ weight: 1, arbitrary: texts },
	);

const fields = fc.array(
	fc.record(
		{
			id: mostly(texts),
			name: mostly(texts),
			key: mostly(texts),
			description: mostly(texts),
			type: mostly(fc.record({ name: texts, options: mostly(fc.array(texts, { maxLength: 3 })) })),
			schema: fc.jsonValue({ maxDepth: 1 }),
		},
		{ requiredKeys: ['id'] },
	),
	{ maxLength: 3 },
);
const record = fc.record(
	{
		id: mostly(texts),
		_id: mostly(texts),
		name: mostly(texts),
		key: mostly(texts),
		secret: mostly(texts),
		type: mostly(texts),
		role: mostly(texts),
		fields: mostly(fields),
		properties: mostly(fc.dictionary(texts, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })),
		changes: fc.jsonValue({ maxDepth: 3 }),
		entity: fc.jsonValue({ maxDepth: 2 }),
		timestamp: mostly(texts),
		href: hrefs,
		constructor: fc.jsonValue({ maxDepth: 1 }),
		message: texts,
		errors: fc.jsonValue({ maxDepth: 3 }),
		_representation: mostly(fc.constantFrom('full', 'summary')),
		_links: mostly(links),
	},
	{ requiredKeys: [] },
);
const page = fc.record(
	{
		page: counts,
		pageSize: counts,
		size: counts,
		numberOfItems: counts,
		numberOfPages: counts,
		items: mostly(fc.array(mostly(record), { maxLength: 4 })),
		_embedded: mostly(fc.record({ list: fc.array(record, { maxLength: 3 }) })),
		_links: mostly(links),
	},
	{ requiredKeys: ['items'] },
);
/**
 * A page as it should be, but for its end: there is always
 * one more, and always something new on it.
 */
const cyclicPage = fc
	.tuple(fc.constantFrom('#', '1000000000', '12000', '3', 'null'), fc.constantFrom('#', '1e9', 'null', '7'))
	.map(
		([pages, items]) =>
			`{"page":1,"numberOfPages":${pages},"numberOfItems":${items},"items":[{"_id":"e#","id":"i#","href":"/h#"}]}`,
	);

const bodies = fc.oneof(
	{ weight: 6, arbitrary: fc.oneof(record, page, fc.array(record, { maxLength: 3 })).map(asText) },
	{ weight: 2, arbitrary: cyclicPage },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }).map(asText) },
	{ weight: 1, arbitrary: nestings },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			...[
				'',
				'null',
				'true',
				'0',
				'[]',
				'{}',
				'""',
				'"deleted"',
				'Created /api/users/u1/spaces/s1',
				'Created',
			],
			'<!doctype html><html><title>Sign in</title><body>Please sign in</body></html>',
			`{"message":"bad header authorization: ${AUTHORIZATION}"}`,
			`authorization: ${AUTHORIZATION}`,
			'['.repeat(100_000),
			`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
			`{"items":${'['.repeat(150)}${']'.repeat(150)}}`,
			`{"items":[${Array.from({ length: 2000 }, (_, n) => `{"_id":"e${n}","id":"i${n}"}`).join(',')}]}`,
			`{"id":"u1","name":"${'long '.repeat(50_000)}"}`,
			'\uFEFF{"id":"u1"}',
		),
	},
);

function asText(value: unknown): string {
	return JSON.stringify(value);
}

/** What may happen to a body on its way. */
const damaged = fc
	.tuple(bodies, fc.constantFrom('none', 'none', 'none', 'cut', 'proto', 'junk', 'twice'), fc.nat(1000))
	.map(([body, damage, at]) => {
		if (damage === 'cut') return body.slice(0, at % (body.length + 1));
		if (damage === 'proto')
			return body.replaceAll('"key"', '"__proto__"').replaceAll('"name"', '"\\u005f_proto__"');
		if (damage === 'junk') return `)]}',\n${body}`;
		return damage === 'twice' ? body + body : body;
	});

const headers = fc.record(
	{
		'content-type': fc.constantFrom(
			'application/json',
			'text/html',
			'image/png',
			'',
			'application/json; charset=x',
		),
		location: hrefs,
		'retry-after': fc.constantFrom(
			'1',
			'99999999999999999999',
			'-1',
			'soon',
			'Fri, 31 Dec 9999 23:59:59 GMT',
		),
		date: fc.constantFrom('Fri, 31 Dec 1999 23:59:59 GMT', 'yesterday'),
		'service-authorization': fc.constantFrom('link', 'internal', 'x'),
		'content-disposition': fc.constantFrom(
			'attachment; filename="../../etc/passwd"',
			'attachment; filename=""',
		),
	},
	{ requiredKeys: [] },
);
const statuses = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(200, 201) },
	{ weight: 1, arbitrary: fc.constantFrom(0, 204, 206, 301, 302, 303, 304, 307, 308, 418, 599, 999) },
	{ weight: 1, arbitrary: fc.constantFrom(400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504) },
);

/** What a service answers, one after the other and then again from the first on. */
export const hostileResponses: fc.Arbitrary<HostileResponse[]> = fc.array(
	fc.record({ status: statuses, headers, body: damaged }),
	{ minLength: 1, maxLength: 4 },
);
