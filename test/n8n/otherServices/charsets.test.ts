import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** RFC 8259 requires UTF-8, but §4 does not mention the encoding of responses. */
const bed = new ProxiedWorld();
const NAME = 'A\u00e9\u00d8';

let grid: WorldGrid;
let row: string;
beforeEach(async () => {
	grid = await bed.world.grid({ Name: 'string', Count: 'integer' });
	[row = ''] = await grid.fill([{ Name: NAME, Count: 1 }]);
});

/** Encodes each JSON response, and labels it with a content type. */
const encode = (encoding: 'latin1' | 'utf8', type: string) => {
	bed.proxy.setRules(() => ({
		kind: 'change',
		response: ({ headers, body }) =>
			String(headers['content-type']).includes('json')
				? { headers: { ...headers, 'content-type': type }, body: Buffer.from(body, encoding) }
				: {},
	}));
};
const extra = () => ({ baseUrl: bed.proxy.url });
const writes = () => bed.proxy.requests.filter(({ method }) => method !== 'GET');

it.each([
	['latin1', 'application/json;charset=ISO-8859-1'],
	['latin1', 'application/json; q=1; Charset="windows-1252"'],
	['utf8', 'application/json; charset=ISO-8859-1'],
	['utf8', 'application/json; charset=unknown'],
] as const)('finds a row by its key in a response in %s with the type %s', async (encoding, type) => {
	encode(encoding, type);
	const { rows, error } = await grid.run('upsert', grid.auto(['Name']), [{ Name: NAME, Count: 2 }], extra());
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ Name: NAME, Count: 2, _outcome: 'updated' }]);
	expect(await grid.rows()).toMatchObject([{ Name: NAME, Count: 2 }]);
});

it.each(['application/json', 'application/json; charset=utf-8', 'application/json; charset=unknown'])(
	'refuses to read texts in another encoding than their type %s states',
	async (type) => {
		encode('latin1', type);
		for (const [operation, parameters] of [
			['getMany', { returnAll: true }],
			['upsert', grid.auto(['Name'])],
		] as const) {
			const { rows, error } = await grid.run(operation, parameters, [{ Name: NAME, Count: 2 }], extra());
			expect(error?.message).toContain('The service responded with a text that is not encoded in UTF-8');
			expect(rows).toEqual([]);
		}
		expect(writes()).toEqual([]);
	},
);

it('reads the ID of a new row from a Location that is not percent-encoded', async () => {
	const located = (location: string) => location.replace('/entities/', '/entities/\u00e4');
	bed.proxy.setRules(() => ({
		kind: 'change',
		response: ({ headers }) =>
			headers.location === undefined
				? {}
				: { headers: { ...headers, location: Buffer.from(located(headers.location)).toString('latin1') } },
	}));
	const { rows } = await grid.run('create', grid.auto(), [{ Name: 'new' }], extra());
	expect(rows).toEqual([{ _id: expect.stringMatching(/^\u00e4[0-9a-f]{24}$/) as unknown, Name: 'new' }]);
});

it('leaves the outcome of a write unknown if the encoding of its response is unknown', async () => {
	bed.proxy.setRules(({ method }) =>
		method === 'GET'
			? undefined
			: { kind: 'change', response: ({ body }) => ({ body: Buffer.from(body, 'latin1') }) },
	);
	const parameters = { entity: { __rl: true, mode: 'id', value: row }, ...grid.auto() };
	const { error } = await grid.run('update', parameters, [{ Count: 3 }], extra());
	expect(error?.message).toContain('It is unknown whether the service carried out the request');
	expect(writes()).toHaveLength(1);
});
