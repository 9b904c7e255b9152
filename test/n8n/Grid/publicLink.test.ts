import type { INodeParameters } from 'n8n-workflow';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import type { RunOptions } from '../../../testbed/world/call';
import { byId, textOf } from '../../../testbed/world/parameters';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

let world: SampleWorld;

beforeAll(async () => {
	world = await SampleWorld.start();
});
beforeEach(() => {
	world.listen();
});
afterAll(async () => {
	await world.stop();
});

const run = async (operation: string, parameters: INodeParameters, extra: RunOptions = {}) =>
	await world.run(
		{ node: 'grid', resource: 'publicLink', operation, parameters: { ...world.inGrid, ...parameters } },
		extra,
	);

async function create(parameters: INodeParameters): Promise<string> {
	const { rows, error } = await run('create', { protection: 'none', ...parameters });
	if (error) throw error;
	return textOf(rows[0]?.url);
}

/** Opens a link without an account. */
async function open(url: string, path = '', headers: Record<string, string> = {}) {
	const response = await fetch(`${url}${path}`, { headers });
	return { status: response.status, body: await response.text() };
}

test('a link to a form opens the form without an account, until it is deleted', async () => {
	const url = await create({ kind: 'form', form: byId(world.formId) });
	expect(await open(url)).toMatchObject({ status: 200, body: expect.stringContaining('Order') as unknown });
	const { rows, error } = await run('delete', { publicLink: { __rl: true, mode: 'url', value: url } });
	expect(error).toBeUndefined();
	expect(rows).toEqual([
		{ deleted: true, id: expect.any(String) as unknown, kind: 'form', gridId: world.orders.grid.id },
	]);
	expect(await open(url)).toMatchObject({ status: 404 });
	const again = await run('delete', { publicLink: { __rl: true, mode: 'url', value: url } });
	expect(again.error?.message).toContain('"Public Link" does not exist or was deleted');
});

test('a link to rows only shows those of the chosen view', async () => {
	const ids = [world.orders.id('Order')];
	const filter = { [world.orders.id('Order')]: { $eq: 'Shown' } };
	await world.orders.fill([{ Order: 'Shown' }, { Order: 'Hidden' }]);
	const made = await world.client.views.create(world.orders.grid, { name: 'Cut', fields: ids, filter });
	const url = await create({ kind: 'view', view: byId(made.id ?? '') });
	const { body } = await open(url, '/entities');
	expect(body).toContain('Shown');
	expect(body).not.toContain('Hidden');
});

test('a link to a row opens that row', async () => {
	const [id = ''] = await world.orders.fill([{ Order: 'To be edited' }]);
	const url = await create({ kind: 'edit', entity: byId(id) });
	expect(url).toContain('/api/r/');
	expect((await open(url)).body).toContain('To be edited');
});

test('a protected link requires its user name and password, and the list shows neither', async () => {
	const login = { protection: 'link', user: 'guest', password: 'correct horse' };
	const url = await create({ kind: 'view', ...login });
	expect(await open(url)).toMatchObject({ status: 401 });
	const authorization = `Basic ${btoa('guest:correct horse')}`;
	expect(await open(url, '', { authorization })).toMatchObject({ status: 200 });
	const { rows } = await run('getMany', { returnAll: true });
	expect(rows).toContainEqual(expect.objectContaining({ url, kind: 'view', protection: 'link' }));
	expect(JSON.stringify(rows)).not.toContain('correct horse');
	expect((await run('getMany', { limit: 1 })).rows).toHaveLength(1);
});

test.each([
	['a row that does not exist', { kind: 'edit', entity: byId('nowhere') }, '"Entity" does not exist'],
	['a form that does not exist', { kind: 'form', form: byId('nowhere') }, '"Form" does not exist'],
	['no password', { kind: 'view', protection: 'link', user: 'guest', password: '={{ "" }}' }, '"Password"'],
])('a link with %s is refused', async (_what, parameters, message) => {
	const { error } = await run('create', { protection: 'none', ...parameters });
	expect(error?.message).toContain(message);
});

test('reports a service that does not support public links', async () => {
	world.listen(() => ({
		kind: 'change',
		response: ({ body }) => ({ body: body.replaceAll(/"(?:links|addLink)":/g, '"other":') }),
	}));
	const { error } = await run('create', { kind: 'view', protection: 'none' });
	expect(error?.message).toBe('The service offers no link to create public links to the grid');
	expect(world.writes).toEqual([]);
});

test('links are listed by their target', async () => {
	await create({ kind: 'view' });
	const context = loadOptionsContext({
		type: 'n8n-nodes-datagrid.grid',
		parameters: { resource: 'publicLink', operation: 'delete', ...world.inGrid },
		credentials: { dataGridApi: world.owner },
	});
	const { results } = await new Grid().methods.listSearch.searchPublicLinks.call(context, 'rows');
	expect(results[0]).toEqual({
		name: expect.stringMatching(/^Rows \(reader\) – /) as unknown,
		value: expect.any(String) as unknown,
	});
});
