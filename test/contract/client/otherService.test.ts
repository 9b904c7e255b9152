import type { Client } from '../../../client';
import type { Grid } from '../../../client/resources/grids';
import { endpoints } from '../../../client/endpoints/endpoints';
import { pathOf } from '../../../client/endpoints/paths';
import { startFaultProxy, type PassingResponse, type FaultProxy } from '../../../testbed/proxy/faultProxy';
import { OpaqueAddresses, type Rewriting, rewrite, withHrefs } from '../../../testbed/proxy/rewriting';
import { newId } from '../../../testbed/world/makeGrid';
import { World } from '../../../testbed/world/world';

/** Services that obey the specification and respond differently where it is silent. */
const world = World.forTests();
let proxy: FaultProxy;
let reference: { spaceId: string; gridId: string };
let amount: string;
const ROWS = 60;

beforeAll(async () => {
	proxy = await startFaultProxy(world.service.url);
	const orders = await world.grid({ Amount: 'integer' }, 'Orders');
	reference = { spaceId: world.spaceId, gridId: orders.grid.id };
	amount = orders.id('Amount');
	for (const Amount of numbers) await orders.fill({ Amount });
});
afterAll(async () => {
	await proxy.stop();
});

async function opened(rewriting: Rewriting, path = ''): Promise<{ client: Client; grid: Grid }> {
	proxy.setRules(rewrite(rewriting));
	const client = world.newClient(`${proxy.url}${path}`);
	return { client, grid: await client.grids.open(reference) };
}

const numbers = Array.from({ length: ROWS }, (_none, number) => number);
const numbersIn = async (client: Client, grid: Grid) =>
	(await client.entities.many(grid)).items.map((row) => row[amount]);

/** Creates, reads, changes and deletes a row. */
async function createChangeDelete({ client, grid }: { client: Client; grid: Grid }) {
	const id = newId(await client.entities.create(grid, { [amount]: -1 }));
	const read = await client.entities.get(grid, id);
	const changed = await client.entities.update(grid, read, { [amount]: -2 });
	await client.entities.remove(grid, changed);
	return { ids: [id, read._id, changed._id], values: [read[amount], changed[amount]] };
}

describe('addresses', () => {
	/** Makes addresses relative to the document, as a browser resolves them. */
	const relative: Rewriting = {
		response: ({ path, body }) => {
			const folder = (path.split('?', 1)[0] ?? '').split('/').slice(1, -1);
			const up = (href: string) => {
				const to = href.split('/').slice(1);
				let same = 0;
				while (same < folder.length && folder[same] === to[same]) same++;
				return `${'../'.repeat(folder.length - same)}${to.slice(same).join('/')}` || './';
			};
			return { body: withHrefs(body, up) };
		},
	};
	const opaque = new OpaqueAddresses();
	it.each<[string, Rewriting]>([
		['relative to the document', relative],
		[
			'relative to the base URL',
			{ response: ({ body }) => ({ body: withHrefs(body, (href) => href.slice(1)) }) },
		],
		[
			'absolute, with the scheme in upper case',
			{
				response: ({ body }) => ({
					body: withHrefs(body, (href) => proxy.url.replace('http', 'HTTP') + href),
				}),
			},
		],
		[
			'with methods in upper case',
			{
				response: ({ body }) => ({
					body: body.replace(/"method":"([^"]*)"/g, (match) =>
						match.toUpperCase().replace('METHOD', 'method'),
					),
				}),
			},
		],
		['opaque', opaque.rewriting],
	])('links are followed if they are %s', async (_what, rewriting) => {
		const other = await opened(rewriting);
		expect(await numbersIn(other.client, other.grid)).toEqual(numbers);
		const { ids, values } = await createChangeDelete(other);
		expect(new Set(ids).size).toBe(1);
		expect(values).toEqual([-1, -2]);
	});

	it('an opaque Location is resolved to the ID of the created resource', async () => {
		const { client, grid } = await opened(opaque.rewriting);
		const direct = world.newClient();
		const space = await client.spaces.create({ name: 'Opaque' });
		expect((await direct.spaces.get(newId(space))).name).toBe('Opaque');
		const made = await client.grids.create(await client.spaces.get(newId(space)), { name: 'New' });
		const newGrid = await direct.grids.open({ spaceId: newId(space), gridId: newId(made) });
		expect(newGrid.name).toBe('New');
		const view = await client.views.create(grid, { name: 'Cut', fields: [amount], filter: {} });
		expect((await direct.grids.open({ ...reference, gridId: newId(view) })).name).toBe('Cut');
		const sview = await client.statefulViews.create(grid, {
			type: 'kanban',
			properties: {},
			slotProperties: {},
		});
		expect((await direct.statefulViews.get(grid, newId(sview))).type).toBe('kanban');
		const column = await client.fields.add(grid, { name: 'Note', type: { name: 'string' } });
		const fields = await direct.fields.of(await direct.grids.open(reference));
		expect(fields.find(({ name }) => name === 'Note')?.id).toBe(column);
		await client.fields.remove(grid, column ?? '');
		const copy = await client.spaces.copy(await client.spaces.get(newId(space)), { includeEntities: false });
		expect((await direct.spaces.get(copy ? newId(copy) : '')).id).not.toBe(space.id);
	});

	it('writes to a row follow its links if it was read, otherwise use the documented address', async () => {
		const { client, grid } = await opened(opaque.rewriting);
		const id = newId(await client.entities.create(grid, { [amount]: -1 }));
		const row = pathOf(endpoints.entityGet, { ...grid.address, entityId: id });
		const written = () =>
			proxy.requests.filter(({ method }) => ['PUT', 'DELETE'].includes(method)).map(({ path }) => path);
		await client.entities.update(grid, id, { [amount]: -2 });
		await client.entities.update(grid, id, { [amount]: -3 });
		await client.entities.remove(grid, id);
		expect(written()).toEqual([
			`${row}?layout=field`,
			`${opaque.opaque(row)}?layout=field`,
			opaque.opaque(row),
		]);
	});

	it('the ID of the user is read from the response if the address of users/me is opaque', async () => {
		const { client } = await opened(opaque.rewriting);
		expect(await client.session.currentUser.id()).toBe(world.service.userId);
	});
});

describe('IDs with reserved characters', () => {
	it.each(['a/b?c=%2F#ä', '{a}'])('an entity with the ID %s is read, updated and deleted', async (id) => {
		const encoded = encodeURIComponent(id);
		const real = newId(await world.newClient().entities.create((await opened({})).grid, { [amount]: -1 }));
		const { client, grid } = await opened({
			request: (path) => path.replace(encoded, real),
			response: ({ headers, body }) => ({
				headers: { ...headers, location: headers.location?.replace(real, encoded) },
				body: body.replaceAll(`"${real}"`, JSON.stringify(id)).replaceAll(real, encoded),
			}),
		});
		expect(await client.entities.get(grid, id)).toMatchObject({ _id: id, [amount]: -1 });
		expect(await client.entities.update(grid, id, { [amount]: -2 })).toMatchObject({ _id: id });
		await client.entities.remove(grid, id);
		expect(await numbersIn(client, grid)).toEqual(numbers);
	});
});

const isWrite = ({ method }: PassingResponse) => method !== 'GET';

describe('responses to writes', () => {
	it.each<[string, Rewriting]>([
		[
			'204 without a body',
			{ response: (one) => (isWrite(one) && one.status === 200 ? { status: 204, body: '' } : {}) },
		],
		['no content type', { response: (one) => ({ headers: { location: one.headers.location } }) }],
	])('%s counts as success', async (_what, rewriting) => {
		const other = await opened(rewriting);
		expect((await createChangeDelete(other)).values).toEqual([-1, -2]);
		expect(await numbersIn(other.client, other.grid)).toEqual(numbers);
	});

	it.each<[string, string, string]>([
		['a login page', 'text/html', '<!DOCTYPE html><title>Log in</title>'],
		['a login page without a content type', '', '  <html><body>Log in</body></html>'],
	])('%s in response to a deletion leaves its outcome unknown', async (_what, type, body) => {
		const { client, grid } = await opened({
			response: (one) => (isWrite(one) ? { status: 200, headers: { 'content-type': type }, body } : {}),
		});
		await expect(client.entities.remove(grid, 'e1')).rejects.toMatchObject({ outcome: 'unknown' });
		expect(proxy.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
	});

	it('an update has an unknown outcome if the response is not the row', async () => {
		const { client, grid } = await opened({
			response: (one) => (isWrite(one) ? { body: '{"ok":true}' } : {}),
		});
		const row = (await client.entities.many(grid, {}, 1)).items[0];
		const changing = client.entities.update(grid, row?._id ?? '', { [amount]: row?.[amount] });
		await expect(changing).rejects.toMatchObject({ outcome: 'unknown' });
	});
});
