import fc from 'fast-check';
import { nestings } from './nestedJson';
import { allRoutes } from '../../service/routes/all';

const nasty = fc.oneof(
	fc.constantFrom(
		'..',
		'../../../../etc/passwd',
		'..%2f..%2fetc%2fpasswd',
		'%00',
		'%E0%A4%A',
		'\u0000',
		'🦄',
		'a/b',
	),
	fc.constantFrom(
		"' OR 1=1 --",
		'"; DROP TABLE users; --',
		'$."x"',
		'%',
		'_',
		'*',
		'1e999',
		'-1',
		'0',
		'NaN',
		'[]',
	),
	fc.constantFrom(
		'__proto__',
		'constructor',
		'toString',
		'\uD800',
		'x'.repeat(300),
		'<script>alert(1)</script>',
		'',
	),
	fc.string({ unit: 'binary', maxLength: 12 }),
);
const anything = fc.jsonValue({ maxDepth: 3 });
const types = fc.constantFrom(
	...'string integer boolean date enum references geolocation createdat x'.split(' '),
);
const filters = fc.oneof(
	fc.dictionary(
		fc.oneof(fc.constantFrom('{fieldId}', '$and', '$or', '$not'), nasty),
		fc.oneof(
			anything,
			fc.dictionary(
				fc.constantFrom('$eq', '$ne', '$gt', '$lte', '$in', '$contains', '$empty', '$where'),
				anything,
			),
		),
		{ maxKeys: 3 },
	),
	anything,
	fc.constant(nested(40, '$not')),
);
/** Members that some endpoint knows, with values that it knows or does not. */
const bodyOf = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record(
			{
				name: fc.oneof(nasty, anything, fc.constant('x'.repeat(81))),
				key: fc.oneof(nasty, anything),
				role: fc.oneof(fc.constantFrom('reader', 'admin', 'creator'), anything),
				email: fc.oneof(fc.constant('a@b.example'), nasty, anything),
				fields: fc.oneof(fc.array(fc.oneof(anything, fc.constant('{fieldId}')), { maxLength: 3 }), anything),
				filter: filters,
				sorting: fc.oneof(
					fc.dictionary(fc.oneof(fc.constant('{fieldId}'), nasty), anything, { maxKeys: 2 }),
					anything,
				),
				type: fc.oneof(fc.record({ name: types, options: anything }), nasty, anything),
				fieldId: fc.oneof(fc.constant('{fieldId}'), nasty, anything),
				oldName: fc.oneof(fc.constant('A'), nasty),
				newName: nasty,
				position: anything,
				properties: anything,
				slotProperties: anything,
				icon: anything,
				spaceIcon: anything,
				includeEntities: anything,
				kind: fc.constantFrom('form', 'view', 'edit', 'x'),
				entityId: fc.oneof(fc.constant('{entityId}'), nasty),
				'{fieldId}': fc.oneof(nasty, anything),
				a: anything,
				constructor: anything,
				file: nasty,
			},
			{ requiredKeys: [] },
		),
	},
	{ weight: 1, arbitrary: anything },
);
function nested(depth: number, name: string): unknown {
	return depth === 0 ? 1 : { [name]: nested(depth - 1, name) };
}
const boundary = 'xXx';
const part = fc
	.tuple(
		fc.constantFrom('name', 'key', 'file', '__proto__', 'other'),
		nasty,
		fc.constantFrom('', '; filename="a.csv"'),
	)
	.map(
		([name, text, file]) =>
			`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`,
	);
const sent = fc.oneof(
	{
		weight: 8,
		arbitrary: bodyOf.map((body) => ({ type: 'application/json', content: JSON.stringify(body) })),
	},
	{
		weight: 1,
		arbitrary: fc
			.tuple(
				fc.constantFrom(
					'application/json',
					'text/plain',
					'application/xml',
					'',
					'application/json; charset=utf-16',
				),
				nasty,
			)
			.map(([type, content]) => ({ type, content })),
	},
	{
		weight: 1,
		arbitrary: fc.array(part, { maxLength: 4 }).chain((parts) =>
			fc.constantFrom(`--${boundary}--\r\n`, '', 'x').map((end) => ({
				type: `multipart/form-data; boundary=${boundary}`,
				content: parts.join('') + end,
			})),
		),
	},
	{
		weight: 1,
		arbitrary: fc
			.constantFrom('[', '{"a":', '{"__proto__":{"x":1}}', '['.repeat(50_000), `{"a":${'{"a":'.repeat(5000)}`)
			.map((content) => ({ type: 'application/json', content })),
	},
	{ weight: 1, arbitrary: nestings.map((content) => ({ type: 'application/json', content })) },
);
const queries = fc.record(
	{
		pageIndex: fc.oneof(nasty, fc.constantFrom('1', '99999999999999999999', '1.5')),
		pageSize: fc.oneof(nasty, fc.constantFrom('0', '1000', '1e9')),
		layout: fc.oneof(fc.constantFrom('field', 'indexed', 'key', 'keyAndField', 'property'), nasty),
		filter: fc.oneof(
			filters.map((filter) => JSON.stringify(filter)),
			nasty,
			// Longer ones do not fit into a request line.
			nestings.filter(({ length }) => length < 10_000),
		),
		sorting: fc.oneof(fc.constant('{"{fieldId}":{"$order":"ascending"}}'), nasty),
		viewId: nasty,
		compose: nasty,
		matching: nasty,
		types: fc.oneof(fc.constant('grid,entity,field'), nasty),
		since: fc.oneof(
			nasty,
			fc.constantFrom('2020-01-01T00:00:00Z', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00.000+00:00'),
		),
		nested: nasty,
		type: nasty,
	},
	{ requiredKeys: [] },
);
const headers = fc.record(
	{
		accept: fc.constantFrom('application/vnd.service.hal;version=2', '*/*', ';;;', 'x'.repeat(4000)),
		'content-length': fc.constant('0'),
		'x-forwarded-for': fc.constant('1'),
		authorization: fc.constantFrom(
			'Basic',
			'Basic !!!',
			'Bearer a.b.c',
			'Bearer eyJhbGciOiJub25lIn0.e30.',
			'Digest x',
			'Basic Og==',
		),
	},
	{ requiredKeys: [] },
);

/** One request that means ill. `{name}` stands for an id that exists. */
export const attempts = fc.record({
	route: fc.nat(allRoutes.length - 1),
	method: fc.oneof(
		{ weight: 9, arbitrary: fc.constant('') },
		{ weight: 1, arbitrary: fc.constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'HEAD') },
	),
	/** What takes the place of an id, and of which. */
	strange: fc.option(nasty, { freq: 3 }),
	which: fc.nat(6),
	raw: fc.boolean(),
	query: queries,
	headers: fc.option(headers, { freq: 3, nil: {} }),
	body: fc.option(sent, { freq: 8 }),
});
export type Attempt = typeof attempts extends fc.Arbitrary<infer Value> ? Value : never;
