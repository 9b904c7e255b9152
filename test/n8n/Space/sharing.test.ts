import type { INodeParameters } from 'n8n-workflow';
import { Space } from '../../../nodes/Space/Space.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { startFaultProxy } from '../../../testbed/proxy/faultProxy';
import type { RunOptions } from '../../../testbed/world/call';
import { byId, textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';

const world = World.forTests();
let spaceId: string;

beforeAll(() => {
	spaceId = world.spaceId;
});

const run = async (
	resource: string,
	operation: string,
	parameters: INodeParameters = {},
	extra: RunOptions = {},
) => await world.run({ node: 'space', resource, operation, parameters }, extra);
const asReader = (): RunOptions => ({ as: 'reader' });
const person = (email: string, role = 'writer') => ({ space: byId(spaceId), email, role });

describe.each([
	['a share without an email', false],
	['a share with an email', true],
])('%s', (_name, sendEmail) => {
	const email = `${sendEmail ? 'invited' : 'shared'}@example.com`;
	const kind = sendEmail ? 'invitations' : 'shares';
	const create = async (address: string, extra: RunOptions = {}, role = 'writer') =>
		await run('share', 'create', { ...person(address, role), sendEmail }, extra);
	const listed = async () =>
		JSON.stringify((await run('share', 'getMany', { space: byId(spaceId), kind, returnAll: true })).rows);

	test('is created and then listed', async () => {
		const { rows, error } = await create(email);
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ email, role: 'writer', emailSent: sendEmail, spaceId });
		expect(await listed()).toContain(email);
		expect(await listed()).not.toContain('_links');
		const { rows: shares } = await run('share', 'getMany', { space: byId(spaceId), returnAll: true });
		expect(JSON.stringify(shares)).toContain(email);
	});

	test('is listed by address and role, and deleted once', async () => {
		const address = `gone-${email}`;
		await create(address);
		const context = loadOptionsContext({
			type: 'n8n-nodes-datagrid.space',
			parameters: { resource: 'share', operation: 'delete', space: byId(spaceId) },
			credentials: { dataGridApi: world.owner },
		});
		const { results } = await new Space().methods.listSearch.searchShares.call(context, 'gone-');
		expect(results).toMatchObject([{ name: `${address} (writer)`, value: expect.any(String) as unknown }]);
		const chosen = { space: byId(spaceId), share: byId(String(results[0]?.value)) };
		const { rows, error } = await run('share', 'delete', chosen);
		expect(error).toBeUndefined();
		const id = results[0]?.value;
		expect(rows).toEqual([
			{ deleted: true, id, email: address, role: 'writer', isInvitation: false, spaceId },
		]);
		expect(await listed()).not.toContain(address);
		const again = await run('share', 'delete', chosen);
		expect(again.error?.message).toContain('does not exist or was removed');
	});

	test('is deleted by email address, ignoring case', async () => {
		await create(`address-${email}`);
		const value = `ADDRESS-${email}`;
		const chosen = { space: byId(spaceId), share: { __rl: true, mode: 'email', value } };
		const { rows } = await run('share', 'delete', chosen);
		expect(rows).toMatchObject([{ deleted: true, email: `address-${email}` }]);
	});
});

describe('a service that keeps invitations apart from shares', () => {
	const space = () => ({ space: byId(spaceId) });
	/** Serves an invitation with an ID of its own, and records what is deleted. */
	async function apart(email: string, role: string) {
		const deleted: string[] = [];
		const proxy = await startFaultProxy(world.service.url);
		proxy.setRules(({ method, path }) => {
			const href = '/api/users/u/spaces/s/invitations/i9';
			const _links = { remove: { href, method: 'delete' } };
			if (method === 'DELETE') deleted.push(path.replace(/.*\/(shares|invitations)\//, '$1/'));
			if (path.startsWith(href)) return { kind: 'response', status: 204, body: '' };
			if (!/\/invitations(\?|$)/.test(path)) return undefined;
			const items = [{ id: 'i9', email, role, _links }];
			return { kind: 'response', status: 200, body: JSON.stringify(items) };
		});
		const baseUrl = proxy.url;
		const context = loadOptionsContext({
			type: 'n8n-nodes-datagrid.space',
			parameters: { resource: 'share', operation: 'delete', ...space() },
			credentials: { dataGridApi: { ...world.owner, baseUrl } },
		});
		const search = async () => await new Space().methods.listSearch.searchShares.call(context, email);
		return {
			baseUrl,
			deleted,
			search,
			stop: async () => {
				await proxy.stop();
			},
		};
	}

	test('lists and revokes the invitation of a person without a share', async () => {
		const { baseUrl, deleted, search, stop } = await apart('alone@example.com', 'reader');
		expect((await search()).results).toEqual([{ name: 'alone@example.com (reader, invited)', value: 'i9' }]);
		const { rows } = await run('share', 'delete', { ...space(), share: byId('i9') }, { baseUrl });
		expect(rows).toMatchObject([{ deleted: true, id: 'i9', isInvitation: true }]);
		expect(deleted).toEqual(['invitations/i9']);
		await stop();
	});

	test('deletes a share together with the invitation of the same person', async () => {
		const email = 'both@example.com';
		const { rows: made } = await run('share', 'create', person(email));
		const { baseUrl, deleted, search, stop } = await apart('Both@example.com', 'writer');
		expect((await search()).results).toMatchObject([{ name: `${email} (writer)`, value: made[0]?.id }]);
		await run('share', 'delete', { ...space(), share: byId(email) }, { baseUrl });
		expect(deleted).toEqual([`shares/${textOf(made[0]?.id)}`, 'invitations/i9']);
		await stop();
	});
});

test('a share of several people is removed by its ID, not by the address of one of them', async () => {
	const href = '/api/users/u/spaces/s/shares/s9';
	const _links = { self: { href, method: 'get' }, remove: { href, method: 'delete' } };
	const items = [{ id: 's9', role: 'reader', emails: ['ada@example.com', 'bob@example.com'], _links }];
	const deleted: string[] = [];
	const proxy = await startFaultProxy(world.service.url);
	proxy.setRules(({ method, path }) => {
		if (method === 'DELETE') deleted.push(path);
		if (path.startsWith(href)) return { kind: 'response', status: 204, body: '' };
		const isList = /\/shares(\?|$)/.test(path);
		return isList ? { kind: 'response', status: 200, body: JSON.stringify(items) } : undefined;
	});
	const remove = async (share: INodeParameters) =>
		await run('share', 'delete', { space: byId(spaceId), share }, { baseUrl: proxy.url });
	const one = await remove({ __rl: true, mode: 'email', value: 'Bob@example.com' });
	const all = await remove(byId('s9'));
	await proxy.stop();
	expect(one.error?.message).toContain('also gives access to ada@example.com; nothing was changed');
	expect(all.rows).toMatchObject([{ deleted: true, id: 's9' }]);
	expect(deleted).toEqual([href]);
});

describe('access key', () => {
	const created = async (name: string) => {
		const { rows, hints, error } = await run('accessKey', 'create', { name, role: 'reader' });
		if (error) throw error;
		return { row: rows[0] ?? {}, hints };
	};
	const keys = async (extra = {}) => await run('accessKey', 'getMany', { returnAll: true }, extra);

	test('Create outputs the secret, and states that it is shown only once', async () => {
		const { row, hints } = await created('For n8n');
		expect(row).toMatchObject({ name: 'For n8n', role: 'reader' });
		expect(row.note).toContain('only once');
		expect(hints).toEqual([expect.stringContaining('only once')]);
		const credentials = {
			dataGridApi: { ...world.owner, key: textOf(row.key), secret: textOf(row.secret) },
		};
		expect((await run('service', 'getInfo', {}, { credentials })).error).toBeUndefined();
		const listed = JSON.stringify((await keys()).rows);
		expect(listed).toContain('For n8n');
		expect(listed).not.toContain(textOf(row.secret));
	});

	test('whose secret was lost on its way is to be deleted', async () => {
		const proxy = await startFaultProxy(world.service.url);
		proxy.setRules(({ method }) => (method === 'POST' ? { kind: 'resetAfter' } : undefined));
		const { error } = await run(
			'accessKey',
			'create',
			{ name: 'Lost', role: 'reader' },
			{ baseUrl: proxy.url },
		);
		await proxy.stop();
		expect(error?.message).toMatch(/^Outcome "unknown": /);
		expect(error?.description).toContain('has the new key, delete it: nobody knows its secret');
		expect(JSON.stringify((await keys()).rows)).toContain('"Lost"');
	});

	test('is listed by name and role, and deleted', async () => {
		const { row } = await created('To be deleted');
		const context = loadOptionsContext({
			type: 'n8n-nodes-datagrid.space',
			parameters: { resource: 'accessKey', operation: 'delete' },
			credentials: { dataGridApi: world.owner },
		});
		const { results } = await new Space().methods.listSearch.searchAccessKeys.call(context, 'to be del');
		expect(results).toMatchObject([
			{ name: `To be deleted (reader) – ${textOf(row.key)}`, value: expect.any(String) as unknown },
		]);
		const id = String(results[0]?.value);
		const url = `${world.service.url}/api/users/u/accessKeys/${id}`;
		const deleted = await run('accessKey', 'delete', { accessKey: { __rl: true, mode: 'url', value: url } });
		expect(deleted.rows).toEqual([{ deleted: true, id }]);
		expect(JSON.stringify((await keys()).rows)).not.toContain('To be deleted');
	});
});

describe('service', () => {
	test('outputs the user of the credential and the version of the service', async () => {
		const { rows } = await run('service', 'getInfo', {}, asReader());
		expect(rows).toMatchObject([{ user: { id: world.service.userId }, version: '2.4.1348' }]);
		expect(rows[0]?.user).not.toHaveProperty('_links');
		const raw = await run('service', 'getInfo', { include: ['user'], simplify: false });
		expect(raw.rows[0]).toHaveProperty('user._links');
	});

	test.each([
		['fieldTypes', 'date-time'],
		['blockTypes', 'textInput'],
		['nodeTypes', 'sendHttpRequest'],
	])('outputs the %s alone if wanted', async (kind, name) => {
		const { rows } = await run('service', 'getInfo', { include: [kind] });
		expect(Object.keys(rows[0] ?? {})).toEqual([kind]);
		expect(JSON.stringify(rows[0]?.[kind])).toContain(`"${name}"`);
	});

	test('refuses an empty choice, an invalid base URL and wrong credentials', async () => {
		expect((await run('service', 'getInfo', { include: [] })).error?.message).toContain(
			'choose at least one',
		);
		const elsewhere = { dataGridApi: { ...world.owner, baseUrl: 'grids' } };
		const bad = await run('service', 'getInfo', {}, { credentials: elsewhere });
		expect(bad.error?.message).toContain('not a web address');
		const wrong = { dataGridApi: { ...world.owner, secret: 'wrong' } };
		const refused = await run('service', 'getInfo', {}, { credentials: wrong });
		expect(refused.error).toMatchObject({ httpCode: '401' });
	});
});
