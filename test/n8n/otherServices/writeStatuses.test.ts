import '../../fixtures/skippedWaits';
import type { PassingResponse, Rule } from '../../../testbed/proxy/faultProxy';
import { byId } from '../../../testbed/world/parameters';
import { SampleWorld } from '../../../testbed/world/sampleWorld';
import { readList } from '../../../client';

/** A service that responds to writes with other statuses than those of §4. */
const world = SampleWorld.forTests();

const isWrite = (method: string) => method !== 'GET';

const create = (order: string) => ({
	node: 'entity' as const,
	resource: 'entity',
	operation: 'create',
	parameters: { ...world.inGrid, ...world.orders.mapped({ Order: order, Quantity: 1 }) },
});
const update = (entity: string) => ({
	node: 'entity' as const,
	resource: 'entity',
	operation: 'update',
	parameters: { ...world.inGrid, entity: byId(entity), ...world.orders.mapped({ Quantity: 7 }) },
});
const newRow = async () => (await world.orders.fill({ Order: world.fresh('S'), Quantity: 1 }))[0] ?? '';
const UNKNOWN = 'It is unknown whether the service carried out the request';

/** Responds to writes without carrying them out. */
const instead =
	(status: number, headers: Record<string, string> = {}): Rule =>
	({ method }) =>
		isWrite(method) ? { kind: 'response', status, headers } : undefined;

/** Carries writes out, and responds with another status or body. */
const changed =
	(response: Partial<Pick<PassingResponse, 'status' | 'body'>>): Rule =>
	({ method }) =>
		isWrite(method)
			? { kind: 'change', response: ({ status }) => (status < 300 ? response : {}) }
			: undefined;

describe('a write that is answered with 202', () => {
	const href = '/api/tasks/1';

	it('has an unknown outcome, which is told with status and section', async () => {
		world.listen(instead(202, { location: href }));
		const { error } = await world.run(create('Queued'));
		expect(error?.message).toContain(`${UNKNOWN}: the response has status 202, not 200, 201 or 204 (§4)`);
		expect(world.writes).toHaveLength(1);
		expect(world.proxy.requests.map(({ path }) => path)).not.toContain(href);
	});

	it.each([
		['Create or Update', 'upsert', {}],
		['Create with Avoid Duplicates By', 'create', { avoidDuplicatesBy: ['Order'] }],
		['Sync', 'sync', {}],
	])('is not repeated by %s, which does not find the row', async (_what, operation, options) => {
		world.listen(instead(202));
		const { inGrid, orders } = world;
		const values = { Order: world.fresh('Later'), Quantity: 1 };
		const columns = orders.mapped(values, operation === 'create' ? [] : ['Order']);
		const parameters = { ...inGrid, ...columns, options };
		const { error } = await world.run({ node: 'entity', resource: 'entity', operation, parameters });
		expect(error?.message).toContain(UNKNOWN);
		expect(world.writes).toHaveLength(1);
	});

	it('is not sent again for a further item with the same key', async () => {
		world.listen(instead(202));
		const { inGrid, orders } = world;
		const call = { node: 'entity', resource: 'entity', operation: 'upsert' } as const;
		const row = { Order: world.fresh('Twice'), Quantity: 1 };
		const { rows } = await world.run(
			{ ...call, parameters: { ...inGrid, ...orders.auto(['Order']) } },
			{ input: [row, { ...row, Quantity: 2 }], onError: 'continueRegularOutput' },
		);
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['unknown', 'unknown']);
		expect(world.writes).toHaveLength(1);
	});
});

it.each<[string, Rule, string]>([
	['202', instead(202), `Outcome "unknown": ${UNKNOWN}`],
	[
		'a lost connection',
		({ method }) => (isWrite(method) ? { kind: 'resetAfter' } : undefined),
		'Outcome "unknown": ',
	],
	['201 without an address', instead(201), 'Outcome "created": The service created it'],
])(
	'a form submission that is answered with %s says first that the row may exist',
	async (_what, rule, start) => {
		const { inGrid, orders, client } = world;
		const form = byId((await readList(client.forms.list(orders.grid))).items[0]?.id ?? '');
		world.listen(rule);
		const valuesJson = JSON.stringify({ Order: world.fresh('Form') });
		const parameters = { ...inGrid, form, valuesAs: 'json', valuesJson };
		const { error } = await world.run({ node: 'form', resource: 'form', operation: 'submit', parameters });
		expect(error?.message).toMatch(new RegExp(`^${start}`));
		expect(world.writes).toHaveLength(1);
	},
);

it('an update that is answered with 204 outputs the row, which is read once', async () => {
	const id = await newRow();
	world.listen(changed({ status: 204, body: '' }));
	const { rows, error } = await world.run(update(id));
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject({ _id: id, Quantity: 7 });
	const reads = world.proxy.requests.filter(({ method, path }) => method === 'GET' && path.includes(id));
	expect(reads).toHaveLength(1);
});

it('reports a write that was refused with 409, and sends it once', async () => {
	world.listen(instead(409));
	const { error } = await world.run(create('Refused'));
	expect(error?.message).toBe('The service refused the request, and nothing was changed');
	expect(world.writes).toHaveLength(1);
});
