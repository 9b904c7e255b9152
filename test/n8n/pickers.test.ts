import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { idsInUrl } from '../../client';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Space } from '../../nodes/Space/Space.node';
import { loadOptionsContext, type NodeSettings } from '../../testbed/engine/engine';
import { startFaultProxy, type FaultProxy } from '../../testbed/proxy/faultProxy';
import { caseOf, offered, type Offered, withTitles } from './cases';
import { SampleWorld } from '../../testbed/world/sampleWorld';

/** The entries of lists for a reader, and the lists of each operation. */
const world = SampleWorld.forTests();
const lists = { ...new Entity().methods.listSearch, ...new Space().methods.listSearch };

beforeAll(async () => {
	await world.newRow('A row');
});

async function listed(
	name: keyof typeof lists,
	credentials: NodeSettings['credentials'],
	parameters: INodeParameters = {},
) {
	const context = loadOptionsContext({ type: 'n8n-nodes-datagrid.entity', parameters, credentials });
	return (await lists[name].call(context)).results.map((result) => result.name);
}

test.each([
	['searchGrids', 'searchWritableGrids', 'Orders (Work)', 'may only read'],
	['searchSpaces', 'searchSpacesForGrids', 'Work', 'may not add grids to'],
	['searchSpaces', 'searchSpacesToShare', 'Work', 'may not manage the shares of'],
] as const)('%s shows a reader the entries that %s omits', async (all, writable, name, lacks) => {
	expect(await listed(all, world.credentials('reader'))).toContain(name);
	await expect(listed(writable, world.credentials('reader'))).rejects.toThrow(`This key ${lacks}: "${name}"`);
	expect(await listed(writable, world.credentials())).toContain(name);
});

test.each(['searchUpdatableEntities', 'searchRemovableEntities'] as const)(
	'%s omits rows that a reader may not change',
	async (name) => {
		expect(await listed('searchEntities', world.credentials('reader'), world.inGrid)).toContain('A row');
		await expect(listed(name, world.credentials('reader'), world.inGrid)).rejects.toThrow(
			'This key may only read: "Linked", "A row"',
		);
		expect(await listed(name, world.credentials(), world.inGrid)).toContain('A row');
	},
);

describe('of a service whose summaries contain few links', () => {
	let proxy: FaultProxy;

	beforeAll(async () => {
		proxy = await startFaultProxy(world.service.url);
	});
	afterAll(async () => {
		await proxy.stop();
	});

	/** Removes the links of summaries except those in `kept`. */
	const fewLinks = (body: string, kept: string[]) =>
		JSON.stringify(JSON.parse(body), (_name, value: unknown) => {
			const summary = z
				.looseObject({ _representation: z.literal('summary'), _links: links })
				.safeParse(value);
			if (!summary.success) return value;
			const few = Object.entries(summary.data._links).filter(([rel]) => kept.includes(rel));
			return { ...summary.data, _links: Object.fromEntries(few) };
		});
	const links = z.record(z.string(), z.unknown());

	test.each([
		['searchWritableGrids', 'Orders (Work)'],
		['searchSpacesForGrids', 'Work'],
		['searchSpacesToShare', 'Work'],
		['searchUpdatableEntities', 'A row'],
		['searchRemovableEntities', 'A row'],
	] as const)('%s checks the full representation', async (name, shown) => {
		const at = (account: Record<string, string>) => ({
			dataGridApi: { ...account, baseUrl: proxy.url },
		});
		const { owner, reader } = world;
		for (const kept of [['self', 'entities', 'grids'], []]) {
			proxy.setRules(() => ({
				kind: 'change',
				response: ({ body }) => ({ body: body.includes('summary') ? fewLinks(body, kept) : body }),
			}));
			expect(await listed(name, at(owner), world.inGrid)).toContain(shown.replace(' (Work)', ''));
			await expect(listed(name, at(reader), world.inGrid)).rejects.toThrow('This key may ');
		}
	});
});

test('a chosen space also limits the list of grids for writing', async () => {
	expect(await listed('searchWritableGrids', world.credentials(), world.inSpace)).toContain('Orders');
	await expect(listed('searchWritableGrids', world.credentials('reader'), world.inSpace)).rejects.toThrow(
		'This key may only read: "Orders"',
	);
});

const methodOf = ({ modes = [] }: INodeProperties) =>
	modes.find(({ type }) => type === 'list')?.typeOptions?.searchListMethod;
const picker = ({ properties }: Offered, name: string) =>
	properties.find((property) => property.name === name);
/** Whether the links show that a reader may not run the operation. */
const forWriters = (operation: Offered) =>
	/^(No permission|The service offers no link) to/.test(String(caseOf(operation).refusal.message));
const inGrids = offered.filter((operation) => picker(operation, 'grid') && operation.node !== 'form');

test.each(withTitles(inGrids))('%s lists the grids that it can be used with', (_title, operation) => {
	const grid = picker(operation, 'grid');
	expect(grid && methodOf(grid)).toBe(forWriters(operation) ? 'searchWritableGrids' : 'searchGrids');
});

describe('the chosen entry of a list', () => {
	const entries = async (
		name: keyof typeof lists,
		parameters: INodeParameters,
		path = '',
		filter?: string,
		credentials = world.credentials(),
	) => {
		const settings = { type: 'n8n-nodes-datagrid.entity', parameters, credentials };
		return (await lists[name].call(loadOptionsContext(settings, path), filter)).results;
	};
	const elsewhere = {
		__rl: true,
		mode: 'list',
		value: 'there/g9',
		cachedResultName: 'Orders (There)',
		cachedResultUrl: 'https://there.example.com/api/users/u1/spaces/there/grids/g9',
	};
	const { cachedResultName: name, cachedResultUrl: url, value } = elsewhere;

	test('is in the list of an account that lacks it, as the workflow keeps it', async () => {
		expect(await entries('searchGrids', { grid: elsewhere })).toContainEqual({ name, url, value });
	});

	test('is in the list when it is part of another input', async () => {
		const options = { findLinkedRowsBy: { rule: [{ linkedGrid: elsewhere }] } };
		const path = 'parameters.options.findLinkedRowsBy.rule[0].linkedGrid';
		expect(await entries('searchGrids', { operation: 'create', options }, path)).toContainEqual({
			name,
			url,
			value,
		});
	});

	test('stays in a list whose grid the account lacks', async () => {
		const view = { __rl: true, mode: 'list', value: 'v1', cachedResultName: 'Open', cachedResultUrl: 'x' };
		const found = entries('searchViews', { grid: elsewhere, view });
		expect(await found).toStrictEqual([{ name: 'Open', value: 'v1', url: 'x' }]);
		await expect(entries('searchViews', { grid: elsewhere })).rejects.toThrow('not found');
	});

	test('stays in a list of grids to change with a key that may only read', async () => {
		const reader = world.credentials('reader');
		const found = entries('searchWritableGrids', { grid: elsewhere }, '', undefined, reader);
		expect(await found).toStrictEqual([{ name, url, value }]);
	});

	test('is not added to the entries that a search finds', async () => {
		expect(await entries('searchGrids', { grid: elsewhere }, '', 'Orders')).not.toContainEqual(
			expect.objectContaining({ value }),
		);
	});

	test('keeps the address with which it was chosen, and the others have theirs', async () => {
		const [first] = await entries('searchGrids', {});
		const { spaceId, gridId } = idsInUrl(first?.url ?? '');
		expect(`${spaceId}/${gridId}`).toBe(first?.value);
		const chosen = { ...elsewhere, value: String(first?.value) };
		const [again] = await entries('searchGrids', { grid: chosen });
		expect(again).toStrictEqual({ ...first, url });
	});
});
