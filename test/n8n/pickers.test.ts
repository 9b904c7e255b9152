import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Space } from '../../nodes/Space/Space.node';
import { loadOptionsContext } from '../fixtures/n8n';
import { startFaultProxy, type FaultProxy } from '../../testbed/proxy/faultProxy';
import { Stage, type Credentials } from '../fixtures/stage';
import { caseOf, offered, type Offered } from './cases';

/** What the lists offer to somebody who may only read, and which operations have which lists. */
let stage: Stage;
const lists = { ...new Entity().methods.listSearch, ...new Space().methods.listSearch };

beforeAll(async () => {
	stage = await Stage.open();
	await stage.row('A row');
});
afterAll(async () => {
	await stage.close();
});

async function listed(name: keyof typeof lists, credentials: Credentials, parameters: INodeParameters = {}) {
	const context = loadOptionsContext({ type: 'n8n-nodes-datagrid.entity', parameters, credentials });
	return (await lists[name].call(context)).results.map((result) => result.name);
}

test.each([
	['searchGrids', 'searchWritableGrids', 'Orders (Operations)'],
	['searchSpaces', 'searchSpacesForGrids', 'Operations'],
	['searchSpaces', 'searchSpacesToShare', 'Operations'],
] as const)('%s shows a reader what %s leaves out', async (all, writable, name) => {
	expect(await listed(all, stage.reader)).toContain(name);
	expect(await listed(writable, stage.reader)).toEqual([]);
	expect(await listed(writable, stage.owner)).toContain(name);
});

test.each(['searchUpdatableEntities', 'searchRemovableEntities'] as const)(
	'%s leaves out what a reader may not change',
	async (name) => {
		expect(await listed('searchEntities', stage.reader, stage.inGrid)).toContain('A row');
		expect(await listed(name, stage.reader, stage.inGrid)).toEqual([]);
		expect(await listed(name, stage.owner, stage.inGrid)).toContain('A row');
	},
);

describe('of a service whose summaries carry few links', () => {
	let proxy: FaultProxy;

	beforeAll(async () => {
		proxy = await startFaultProxy(stage.account.fixture.service.url);
	});
	afterAll(async () => {
		await proxy.stop();
	});

	/** Leaves two of the links of a summary, or none. */
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
		['searchWritableGrids', 'Orders (Operations)'],
		['searchSpacesForGrids', 'Operations'],
		['searchSpacesToShare', 'Operations'],
		['searchUpdatableEntities', 'A row'],
		['searchRemovableEntities', 'A row'],
	] as const)('%s asks the full representation', async (name, shown) => {
		const at = (account: Record<string, string>) => ({
			dataGridApi: { ...account, baseUrl: proxy.url },
		});
		const { owner, reader } = stage.account;
		for (const kept of [['self', 'entities', 'grids'], ['self'], []]) {
			proxy.setRules(() => ({
				kind: 'change',
				response: ({ body }) => ({ body: body.includes('summary') ? fewLinks(body, kept) : body }),
			}));
			expect(await listed(name, at(owner), stage.inGrid)).toContain(shown.replace(' (Operations)', ''));
			expect(await listed(name, at(reader), stage.inGrid)).toEqual([]);
		}
	});
});

test('a chosen space narrows the grids to write to, too', async () => {
	expect(await listed('searchWritableGrids', stage.owner, stage.inSpace)).toContain('Orders');
	expect(await listed('searchWritableGrids', stage.reader, stage.inSpace)).toEqual([]);
});

const methodOf = ({ modes = [] }: INodeProperties) =>
	modes.find(({ type }) => type === 'list')?.typeOptions?.searchListMethod;
const picker = ({ properties }: Offered, name: string) =>
	properties.find((property) => property.name === name);
/** Whether the links tell a reader that this is not for him. */
const forWriters = (operation: Offered) =>
	String(caseOf(operation).refusal.says).startsWith('No permission to');
const inGrids = offered.filter((operation) => picker(operation, 'grid') && operation.node !== 'form');

test.each(inGrids.map((operation): [string, Offered] => [operation.title, operation]))(
	'%s lists the grids that it can be used with',
	(_title, operation) => {
		const grid = picker(operation, 'grid');
		expect(grid && methodOf(grid)).toBe(forWriters(operation) ? 'searchWritableGrids' : 'searchGrids');
	},
);
