import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** RFC 8259 requires UTF-8. */
const bed = new ProxiedWorld();
const NAME = 'A\u00e9\u00d8';

let grid: WorldGrid;
let row: string;
beforeEach(async () => {
	grid = await bed.world.grid({ Name: 'string', Count: 'integer' });
	[row = ''] = await grid.fill([{ Name: NAME, Count: 1 }]);
});

/** Encodes each JSON response, and labels it with a content type. */
const encode = (type: string) => {
	bed.proxy.setRules(() => ({
		kind: 'change',
		response: ({ headers, body }) =>
			String(headers['content-type']).includes('json')
				? { headers: { ...headers, 'content-type': type }, body: Buffer.from(body, 'latin1') }
				: {},
	}));
};
const extra = () => ({ baseUrl: bed.proxy.url });
const writes = () => bed.proxy.requests.filter(({ method }) => method !== 'GET');

it.each(['application/json', 'application/json; charset=utf-8', 'application/json; charset=ISO-8859-1'])(
	'refuses to read texts in another encoding than UTF-8, whatever their type %s states',
	async (type) => {
		encode(type);
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
