import type { INodeParameters } from 'n8n-workflow';
import { Space } from '../../../nodes/Space/Space.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import type { RunOptions } from '../../../testbed/world/call';
import { byId, textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';

let world: World;
let spaceId: string;

beforeAll(async () => {
	world = await World.start();
	spaceId = world.spaceId;
});

afterAll(async () => {
	await world.stop();
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
	['share', 'share the space "Work"', 'list the shares of the space "Work"'],
	['invitation', 'invite people to the space "Work"', 'list the invitations to the space "Work"'],
])('%s', (resource, creating, listing) => {
	const email = `${resource}@example.com`;

	test('is created and then listed', async () => {
		const { rows, error } = await run(resource, 'create', person(email));
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ email, role: 'writer', spaceId });
		const listed = await run(resource, 'getMany', { space: byId(spaceId), returnAll: true });
		expect(JSON.stringify(listed.rows)).toContain(email);
		expect(JSON.stringify(listed.rows)).not.toContain('_links');
	});

	test('is listed by address and role, and deleted once', async () => {
		const address = `gone-${email}`;
		await run(resource, 'create', person(address));
		const context = loadOptionsContext({
			type: 'n8n-nodes-datagrid.space',
			parameters: { resource, operation: 'delete', space: byId(spaceId) },
			credentials: { dataGridApi: world.owner },
		});
		const { searchShares, searchInvitations } = new Space().methods.listSearch;
		const search = resource === 'share' ? searchShares : searchInvitations;
		const { results } = await search.call(context, 'gone-');
		expect(results).toEqual([{ name: `${address} (writer)`, value: expect.any(String) as unknown }]);
		const chosen = { space: byId(spaceId), [resource]: byId(String(results[0]?.value)) };
		const { rows, error } = await run(resource, 'delete', chosen);
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ deleted: true, id: results[0]?.value, email: address, role: 'writer', spaceId }]);
		const listed = await run(resource, 'getMany', { space: byId(spaceId), returnAll: true });
		expect(JSON.stringify(listed.rows)).not.toContain(address);
		const again = await run(resource, 'delete', chosen);
		expect(again.error?.message).toContain('does not exist or was removed');
	});

	test('is deleted by email address, ignoring case', async () => {
		await run(resource, 'create', person(`address-${email}`));
		const value = `ADDRESS-${email}`;
		const chosen = { space: byId(spaceId), [resource]: { __rl: true, mode: 'email', value } };
		const { rows } = await run(resource, 'delete', chosen);
		expect(rows).toMatchObject([{ deleted: true, email: `address-${email}` }]);
	});

	test('respects Limit', async () => {
		await run(resource, 'create', person(`second-${email}`));
		expect((await run(resource, 'getMany', { space: byId(spaceId), limit: 1 })).rows).toHaveLength(1);
	});

	test('refuses a reader key before anything is sent', async () => {
		const created = await run(resource, 'create', person('other@example.com'), asReader());
		expect(created.error?.message).toContain(`No permission to ${creating}`);
		const listed = await run(resource, 'getMany', { space: byId(spaceId) }, asReader());
		expect(listed.error?.message).toContain(`No permission to ${listing}`);
	});

	test('refuses an invalid address, an invalid role and a limit of 0', async () => {
		const address = await run(resource, 'create', person('nobody'));
		expect(address.error?.message).toContain('"Email" cannot be used: it is not an email address');
		const role = await run(resource, 'create', person('x@example.com', '={{ "king" }}'));
		expect(role.error?.message).toContain('"Role" cannot be used');
		const listed = await run(resource, 'getMany', { space: byId(spaceId), limit: 0 });
		expect(listed.error?.message).toContain('"Limit" cannot be used');
	});
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
		expect((await run('service', 'getCurrentUser', {}, { credentials })).error).toBeUndefined();
		const listed = JSON.stringify((await keys()).rows);
		expect(listed).toContain('For n8n');
		expect(listed).not.toContain(textOf(row.secret));
	});

	test('is listed by name and role, and deleted', async () => {
		const { row } = await created('To be deleted');
		const context = loadOptionsContext({
			type: 'n8n-nodes-datagrid.space',
			parameters: { resource: 'accessKey', operation: 'delete' },
			credentials: { dataGridApi: world.owner },
		});
		const { results } = await new Space().methods.listSearch.searchAccessKeys.call(context, 'to be del');
		expect(results).toEqual([
			{ name: `To be deleted (reader) – ${textOf(row.key)}`, value: expect.any(String) as unknown },
		]);
		const id = String(results[0]?.value);
		const url = `${world.service.url}/api/users/u/accessKeys/${id}`;
		const deleted = await run('accessKey', 'delete', { accessKey: { __rl: true, mode: 'url', value: url } });
		expect(deleted.rows).toEqual([{ deleted: true, id }]);
		expect(JSON.stringify((await keys()).rows)).not.toContain('To be deleted');
	});

	test('a reader key cannot manage keys', async () => {
		const ids = (await keys()).rows.map(({ id }) => textOf(id));
		const refused = [
			await keys(asReader()),
			await run('accessKey', 'create', { name: 'Mine' }, asReader()),
			await run('accessKey', 'delete', { accessKey: byId(ids[0] ?? '') }, asReader()),
		];
		for (const { error } of refused) expect(error).toMatchObject({ httpCode: '403' });
		expect((await keys()).rows.map(({ id }) => id)).toEqual(ids);
	});

	test('refuses a key without a name, with an unknown role, or that does not exist', async () => {
		expect((await run('accessKey', 'create', { name: ' ' })).error?.message).toContain('a name is required');
		const role = await run('accessKey', 'create', { name: 'x', role: '={{ "writer" }}' });
		expect(role.error?.message).toContain('"Role" cannot be used');
		expect((await run('accessKey', 'delete', { accessKey: byId('gone') })).error).toMatchObject({
			httpCode: '404',
		});
		expect((await run('accessKey', 'getMany', { limit: '={{ "few" }}' })).error?.message).toContain(
			'"Limit"',
		);
	});
});

describe('service', () => {
	test('outputs the user of the credential', async () => {
		const { rows } = await run('service', 'getCurrentUser', {}, asReader());
		expect(rows[0]).toMatchObject({ id: world.service.userId });
		expect(rows[0]).not.toHaveProperty('_links');
	});

	test('outputs the version of the service', async () => {
		expect((await run('service', 'getVersion')).rows).toEqual([{ version: '2.4.1348' }]);
	});

	test.each([
		['getFieldTypes', 'date-time'],
		['getBlockTypes', 'textInput'],
		['getFlowNodeTypes', 'sendHttpRequest'],
	])('%s lists types by name, up to the limit', async (operation, name) => {
		const all = await run('service', operation, { returnAll: true });
		expect(all.rows.map((row) => row.name)).toContain(name);
		expect((await run('service', operation, { limit: 2 })).rows).toEqual(all.rows.slice(0, 2));
		expect((await run('service', operation, { limit: -1 })).error?.message).toContain(
			'"Limit" cannot be used',
		);
	});

	test.each(['getCurrentUser', 'getVersion', 'getFieldTypes', 'getBlockTypes', 'getFlowNodeTypes'])(
		'%s reports an invalid base URL',
		async (operation) => {
			const credentials = { dataGridApi: { ...world.owner, baseUrl: 'grids' } };
			const { error } = await run('service', operation, {}, { credentials });
			expect(error?.message).toContain('not a web address');
		},
	);

	test('refuses wrong credentials', async () => {
		const credentials = { dataGridApi: { ...world.owner, secret: 'wrong' } };
		expect((await run('service', 'getCurrentUser', {}, { credentials })).error).toMatchObject({
			httpCode: '401',
		});
	});
});
