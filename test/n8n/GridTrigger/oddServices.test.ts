import type { INodeParameters } from 'n8n-workflow';
import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { FeedService } from '../../simulation/feedService';

/** Services with unusual feeds that the specification allows. */
let service: FeedService;
/** Timestamp of all changes of a test, so that all responses of the feed are equal. */
let timestamp: string;
beforeEach(async () => {
	service = await FeedService.start();
	timestamp = new Date().toISOString();
});
afterEach(async () => {
	await service.stop();
});

async function activated(options: INodeParameters = {}): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(new GridTrigger(), {
		type: 'n8n-nodes-datagrid.gridTrigger',
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

test('reads a row of which the feed has only a link', async () => {
	const active = await activated({ fullEntity: true });
	const self = { href: '/opaque/1', method: 'get' };
	service.updates = () => [{ type: 'created', timestamp: timestamp, entity: { _links: { self } } }];
	service.other = (path) => (path === '/opaque/1' ? { _id: 'e1', f1: 5, _links: { self } } : undefined);
	expect(await active.poll()).toMatchObject([{ _id: '/opaque/1', entity: { _id: 'e1', Amount: 5 } }]);
});

test('finds a row of a view although the list of the view has another link to it', async () => {
	const active = await activated({ view: 'v1' });
	const row = (href: string) => ({ _id: 'e1', _links: { self: { href, method: 'get' } } });
	const entry = (entity: string) => ({ type: 'created', timestamp: timestamp, entity });
	service.updates = () => [entry('/opaque/1'), entry('/opaque/2')];
	service.other = (path) => {
		if (path === '/opaque/2') return { ...row(path), _id: 'e2' };
		return path === '/opaque/1' ? row(path) : undefined;
	};
	service.entities = () => ({ items: [row('/views/v1/rows/a')], numberOfItems: 1 });
	expect(await active.poll()).toMatchObject([{ event: 'created', _id: '/opaque/1' }]);
});

test('changes that contain only the current row are all emitted', async () => {
	const active = await activated();
	const entry = (f1: number) => ({ type: 'updated', entity: { _id: 'e1', f1 } });
	service.updates = () => [entry(1)];
	expect(await active.poll()).toMatchObject([{ entity: { Amount: 1 } }]);
	service.updates = () => [entry(2)];
	expect(await active.poll()).toMatchObject([{ entity: { Amount: 2 } }]);
	expect(await active.poll()).toEqual([]);
});

test('emits deleted rows that the feed lists separately from changed ones', async () => {
	const active = await activated();
	service.updates = () => ({
		items: [{ _id: 'e1', f1: 1, updatedAt: timestamp }],
		deletedIds: ['e2'],
		page: 1,
		numberOfPages: 1,
	});
	expect(await active.poll()).toMatchObject([
		{ event: 'updated', _id: 'e1' },
		{ event: 'deleted', _id: 'e2' },
	]);
	expect(await active.poll()).toEqual([]);
});
