import type { INodeParameters } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { endpoints } from '../../../client/endpoints/endpoints';
import { pathOf } from '../../../client/endpoints/paths';
import { startFaultProxy, type FaultProxy } from '../../../testbed/proxy/faultProxy';
import { OpaqueAddresses, rewrite } from '../../../testbed/proxy/rewriting';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../testbed/testServer';
import { caseOf, offered, type Offered, withTitles } from '../cases';
import { byId } from '../../../testbed/world/parameters';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/** Pickers with the URL of a resource: of another server, opaque, or with reserved characters. */
const world = SampleWorld.forTests();
let otherServer: TestServer;
let proxy: FaultProxy;
const opaque = new OpaqueAddresses();

beforeAll(async () => {
	otherServer = await startTestServer((_request, response) => response.end('{}'));
	proxy = await startFaultProxy(world.service.url);
	proxy.setRules(rewrite(opaque.rewriting));
});
afterAll(async () => {
	await proxy.stop();
	await otherServer.stop();
});

const idIn = (locator: unknown) =>
	typeof locator === 'object' && locator !== null && 'value' in locator ? String(locator.value) : '';

/** Returns the documented paths (§4) of the resources that the pickers choose. */
function pathsOf(given: INodeParameters): Map<string, string> {
	const userId = world.service.userId;
	const space = idIn(given['space']) || world.spaceId;
	const at = { userId, spaceId: space, gridId: idIn(given['grid']) || world.orders.grid.id };
	const of: Record<string, (id: string) => string> = {
		space: (id) => pathOf(endpoints.spaceGet, { userId, spaceId: id }),
		grid: (id) => pathOf(endpoints.gridGet, { ...at, gridId: id }),
		view: (id) => pathOf(endpoints.gridGet, { ...at, gridId: id }),
		field: (id) => pathOf(endpoints.fieldGet, { ...at, fieldId: id }),
		form: (id) => pathOf(endpoints.formGet, { ...at, formId: id }),
		entity: (id) => pathOf(endpoints.entityGet, { ...at, entityId: id }),
		board: (id) => pathOf(endpoints.statefulViewGet, { ...at, sview: id }),
	};
	return new Map(
		Object.entries(given).flatMap(([name, locator]) => {
			const path = of[name]?.(idIn(locator));
			return path === undefined ? [] : [[name, path]];
		}),
	);
}

/** Replaces each choice by its URL. */
function byUrl(given: INodeParameters, urlOf: (path: string) => string): INodeParameters {
	const urls: INodeParameters = {};
	for (const [name, path] of pathsOf(given)) urls[name] = { __rl: true, mode: 'url', value: urlOf(path) };
	return { ...given, ...urls };
}

/** One operation for each set of pickers. */
const byPickers = new Map(
	offered.map((operation) => {
		const pickers = operation.properties.filter(({ type }) => type === 'resourceLocator');
		return [pickers.map(({ name }) => name).join(), operation] as const;
	}),
);
const table = withTitles([...byPickers].filter(([names]) => /space|grid/.test(names)).map(([, one]) => one));

test.each(table)('%s refuses the URL of another server, and sends nothing', async (_title, operation) => {
	const { parameters, input } = caseOf(operation);
	const given = await parameters(world);
	for (const origin of [otherServer.url, world.proxy.url.replace('127.0.0.1', 'localhost')]) {
		world.listen();
		const { error } = await world.run(
			{ ...operation, parameters: byUrl(given, (path) => origin + path) },
			{ input: input?.(world) },
		);
		expect(error?.message).toContain(`belongs to ${origin}, but the credential to ${world.proxy.url}/`);
		expect(error?.message).toContain('nothing was sent');
		expect(world.sent).toEqual([]);
	}
	expect(otherServer.requests).toEqual([]);
});

test.each(table)('%s resolves an opaque URL to an ID', async (_title, operation) => {
	const { parameters, input, output } = caseOf(operation);
	const urlOf = (path: string) => proxy.url + opaque.opaque(path);
	const given = byUrl(await parameters(world), urlOf);
	const { error, rows } = await world.run(
		{ ...operation, parameters: given },
		{ baseUrl: proxy.url, input: input?.(world) },
	);
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject(output);
});

const get: Offered | undefined = offered.find(({ title }) => title === 'entity → entity.get');

describe('an entity', () => {
	const run = async (parameters: INodeParameters, baseUrl = world.proxy.url) => {
		if (!get) throw new Error('There is no such operation');
		const chosen = { ...world.inGrid, entity: byId('e1'), simplify: true, ...parameters };
		return await world.run({ ...get, parameters: chosen }, { baseUrl });
	};

	test('whose URL leads to another resource is not found', async () => {
		const value =
			proxy.url +
			opaque.opaque(pathOf(endpoints.spaceGet, { userId: world.service.userId, spaceId: world.spaceId }));
		const { error } = await run({ entity: { __rl: true, mode: 'url', value } }, proxy.url);
		expect(error?.message).toContain('"Row" contains the URL');
		expect(error?.message).toContain('does not lead to a resource of this type');
	});

	test.each(['/other', '/tools/../other', '/tools/..%2F2', '/tools/%252e%252e/other'])(
		'is refused if its URL is outside the path of the service: %s',
		async (path) => {
			world.listen();
			for (const below of [pathOf(endpoints.gridGet, world.orders.grid.address), '/go/1']) {
				const value = world.proxy.url + path + below;
				const { error } = await run({ grid: { __rl: true, mode: 'url', value } }, `${world.proxy.url}/tools`);
				expect(error?.message).toContain('nothing was sent');
			}
			expect(world.sent).toEqual([]);
		},
	);

	test.each(['100%', 'a%b', '%2F'])('with the ID %s is reported as missing', async (value) => {
		for (const picker of ['space', 'grid', 'entity']) {
			const { error } = await run({ [picker]: { __rl: true, mode: 'id', value } });
			expect(error?.message).toContain('does not exist or was deleted');
		}
		const { error } = await run({ grid: { __rl: true, mode: 'list', value } });
		expect(error?.message).toContain('does not exist or was deleted');
	});
});

test('a dependent list refuses a picker with the URL of another server', async () => {
	world.listen();
	const grid = {
		__rl: true,
		mode: 'url',
		value: otherServer.url + pathOf(endpoints.gridGet, world.orders.grid.address),
	};
	const settings = {
		type: 'n8n-nodes-datagrid.entity',
		parameters: { grid },
		credentials: world.credentials(),
	};
	const { listSearch, resourceMapping } = new Entity().methods;
	await expect(listSearch.searchEntities.call(loadOptionsContext(settings))).rejects.toThrow(
		'nothing was sent',
	);
	const { emptyFieldsNotice } = await resourceMapping.getColumns.call(loadOptionsContext(settings));
	expect(emptyFieldsNotice).toContain('nothing was sent');
	expect([world.sent, otherServer.requests]).toEqual([[], []]);
});

test('a dependent list resolves a picker with an opaque URL', async () => {
	await world.newRow('Listed');
	const value = proxy.url + opaque.opaque(pathOf(endpoints.gridGet, world.orders.grid.address));
	const dataGridApi = { ...world.owner, baseUrl: proxy.url };
	const parameters = { grid: { __rl: true, mode: 'url', value } };
	const context = loadOptionsContext({
		type: 'n8n-nodes-datagrid.entity',
		parameters,
		credentials: { dataGridApi },
	});
	const { results } = await new Entity().methods.listSearch.searchEntities.call(context);
	expect(results.map(({ name }) => name)).toContain('Listed');
});

describe('the trigger', () => {
	const trigger = (value: string, baseUrl: string) => {
		const type = 'n8n-nodes-datagrid.entityTrigger';
		const dataGridApi = { ...world.owner, baseUrl };
		const parameters = { grid: { __rl: true, mode: 'url', value } };
		return new ActiveTrigger(new EntityTrigger(), { type, parameters, credentials: { dataGridApi } });
	};

	test('refuses the URL of another server, and sends nothing', async () => {
		world.listen();
		const polling = trigger(
			otherServer.url + pathOf(endpoints.gridGet, world.orders.grid.address),
			world.proxy.url,
		).activate();
		await expect(polling).rejects.toThrow('nothing was sent');
		expect([world.sent, otherServer.requests]).toEqual([[], []]);
	});

	test('resolves an opaque URL to an ID', async () => {
		const active = trigger(
			proxy.url + opaque.opaque(pathOf(endpoints.gridGet, world.orders.grid.address)),
			proxy.url,
		);
		await active.activate();
		const { entity } = await world.newRow('Watched');
		expect(JSON.stringify(await active.poll())).toContain(idIn(entity));
	});
});
