import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import type { Fault } from '../../../testbed/proxy/faultProxy';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const failureSchema = z.looseObject({ failure: z.unknown() });

const world = new ProxiedWorld();
let orders: WorldGrid;

beforeAll(async () => {
	orders = await world.grid({ Order: 'string' });
});
async function activated(options: INodeParameters = {}, { grid } = orders): Promise<ActiveTrigger> {
	const { spaceId, gridId } = grid.address;
	const active = new ActiveTrigger(new EntityTrigger(), {
		type: 'n8n-nodes-datagrid.entityTrigger',
		parameters: {
			grid: { __rl: true, mode: 'list', value: `${spaceId}/${gridId}` },
			events: ['created', 'updated'],
			options,
		},
		credentials: world.credentials('owner', world.proxy.url),
	});
	expect(await active.activate()).toEqual([]);
	return active;
}

/** What n8n's poll back-off reads of the error of the next poll. */
const failureOfPoll = async (active: ActiveTrigger) =>
	await active.poll().then(
		() => 'none',
		(error: unknown) => failureSchema.parse(error).failure,
	);

test.each<[string, Fault, object | undefined]>([
	[
		'429 with Retry-After',
		{ kind: 'response', status: 429, headers: { 'retry-after': '600' } },
		{ cause: 'rate-limited', retryAfterMs: 600_000 },
	],
	[
		'503 with Retry-After',
		{ kind: 'response', status: 503, headers: { 'retry-after': '600' } },
		{ cause: 'temporarily-unavailable', retryAfterMs: 600_000 },
	],
	['a key that is refused', { kind: 'response', status: 401 }, { cause: 'credential-invalid' }],
	['a share that was lost', { kind: 'response', status: 403 }, { cause: 'configuration-invalid' }],
	['a body that is no feed', { kind: 'response', status: 200, body: '"login"' }, undefined],
])('%s', async (_name, fault, failure) => {
	const active = await activated();
	world.proxy.setRules(({ path }) => (path.includes('/updates') ? fault : undefined));
	expect(await failureOfPoll(active)).toEqual(failure);
	world.proxy.setRules();
	expect(await active.poll()).toEqual([]);
});

test('a column that is gone is to be repaired', async () => {
	const doomed = await world.grid({ Order: 'string', Doomed: 'string' });
	const active = await activated({ watched: [doomed.id('Doomed')] }, doomed);
	await world.client.fields.remove(doomed.grid, doomed.id('Doomed'));
	await doomed.fill({ Order: 'A' });
	expect(await failureOfPoll(active)).toEqual({ cause: 'configuration-invalid' });
});

test('a change without a user needs no repair: n8n polls again soon', async () => {
	const active = await activated({ ignoreChangesBy: ['me'] });
	world.proxy.setRules(({ path }) =>
		path.includes('/updates')
			? {
					kind: 'change',
					response: ({ body }) => ({ body: body.replaceAll(/"userId":"[^"]*"/g, '"userId":null') }),
				}
			: undefined,
	);
	const [id] = await orders.fill({ Order: 'B' });
	expect(await failureOfPoll(active)).toBeUndefined();
	expect(await active.poll()).toMatchObject([{ _id: id, changedBy: null }]);
});
