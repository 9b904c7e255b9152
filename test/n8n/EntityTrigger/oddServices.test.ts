import type { INodeParameters } from 'n8n-workflow';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { FeedService } from '../../simulation/feedService';

/** Services with unusual feeds that the specification allows. */
let service: FeedService;
/** Timestamp of all changes of a test, after the activation. */
let timestamp: string;
beforeEach(async () => {
	service = await FeedService.start();
	timestamp = new Date(Date.now() + 5000).toISOString();
});
afterEach(async () => {
	await service.stop();
});

async function activated(options: INodeParameters = {}): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(new EntityTrigger(), {
		type: 'n8n-nodes-datagrid.entityTrigger',
		parameters: { grid: service.grid, events: ['created', 'updated', 'deleted'], options },
		credentials: service.credentials,
	});
	expect(await active.activate()).toEqual([]);
	return active;
}

test('a feed whose link differs at each reading of the grid counts as the same feed', async () => {
	let token = 0;
	service.links = () => ({ updates: { href: `/feed?token=${++token}`, method: 'get' } });
	let entries: object[] = [];
	service.other = (path) => (path === '/feed' ? entries : undefined);
	const active = await activated();
	service.other = () => undefined;
	await expect(active.poll()).rejects.toThrow();
	entries = [{ id: 'u1', type: 'created', entityId: 'e1', timestamp: timestamp }];
	service.other = (path) => (path === '/feed' ? entries : undefined);
	expect(await active.poll()).toMatchObject([{ event: 'created', _id: 'e1' }]);
	expect(token).toBeGreaterThan(1);
});

test('a watched column is recognized after it was renamed, also in a feed that has column names', async () => {
	const active = await activated({ watched: ['f1'] });
	const of = (id: string, field: string) => ({
		id,
		type: 'updated',
		entityId: 'e1',
		timestamp: timestamp,
		changes: [{ field, oldValue: 1, newValue: 2 }],
	});
	service.updates = () => [of('u1', 'Total'), of('u2', 'Amount')];
	expect(await active.poll()).toMatchObject([
		{ changes: [{ field: 'Total' }] },
		{ changes: [{ field: 'Amount' }] },
	]);
});
