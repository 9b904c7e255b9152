import { readdirSync, statSync } from 'node:fs';
import * as accounts from '../../../../service/cli/accountCommands';
import { addLink, addUser, makeToken, revokeToken, withStore } from '../../../../service/cli/commands';
import { until } from '../../../../testbed/until';
import { Caller, id, makeGrid, startWithOwner, type Json, byKey, last } from '../http';
import { startWithPeople } from '../people';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';

const DAY_MS = 24 * 3600 * 1000;

const folder = new TemporaryFolder();
let data: string;
beforeEach(() => {
	data = folder.file('data.db');
});

test('--keep-history deletes only older events', async () => {
	let now = Date.parse('2026-01-01T00:00:00Z');
	const first = await startWithOwner({ data, now: () => now });
	const { grid } = await makeGrid(first.owner, { a: { name: 'integer' } });
	const old = await first.owner.create(`${grid}/entities`, { fields: [1] });
	const changed = await first.owner.create(`${grid}/entities`, { fields: [2] });
	now += 20 * DAY_MS;
	await first.owner.put(changed, { a: 3 }, byKey);
	await first.service.stop();
	now += 15 * DAY_MS;
	const { service, owner } = await startWithOwner({ data, now: () => now, keepHistoryDays: 30 });
	const feed = () => owner.items(`${grid}/updates`, { since: '2020-01-01T00:00:00Z' });
	await until('the old events to be deleted', async () => (await feed()).length === 1);
	expect(await feed()).toMatchObject([{ type: 'updated', changes: [{ oldValue: 2, newValue: 3 }] }]);
	const history = await owner.get(`${old}/events`);
	expect([history.status, history.json()['numberOfItems']]).toEqual([200, 0]);
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(2);
	// Event numbers continue, so no event reuses the ID of a deleted one.
	const [kept] = await feed();
	await owner.put(changed, { a: 4 }, byKey);
	expect((await feed()).map((event) => event['id'])).toEqual([kept?.['id'], expect.stringMatching(/-4$/)]);
	await service.stop();
});

test('a deletion is visible in a shared view even without the history of the creation', async () => {
	let now = Date.parse('2026-01-01T00:00:00Z');
	const people = await startWithPeople({ now: () => now, keepHistoryDays: 30 });
	const { grid, ids } = await makeGrid(people.owner, { a: { name: 'integer' } });
	const row = await people.owner.create(`${grid}/entities`, { fields: [1] });
	const filter = { [id(ids, 'a')]: { $eq: 1 } };
	const view = await people.owner.create(`${grid}/virtualgrids`, { fields: [id(ids, 'a')], filter });
	const sview = await people.owner.create(`${view}/sviews`, { type: 'list' });
	now += 40 * DAY_MS;
	await people.owner.create(`${grid}/entities`, { fields: [2] });
	await people.service.stop();
	const { service, owner } = await startWithOwner({ data: people.data, now: () => now, keepHistoryDays: 30 });
	const guest = addUser(people.data, 'guest', undefined);
	const caller = Caller.basic(service.url, guest.userId, guest.key, guest.secret);
	await owner.create(`${sview}/shares`, { email: guest.email, role: 'reader' });
	const whole = () => owner.read(`${grid}/updates`, { since: '2020-01-01T00:00:00Z' });
	await until('the old events to be deleted', async () => (await whole())['numberOfItems'] === 1);
	await owner.delete(row);
	const seen = await caller.items(`${view}/updates`, { since: '2020-01-01T00:00:00Z' });
	expect(seen.map((event) => [event['type'], event['entityId']])).toEqual([['deleted', last(row)]]);
	await service.stop();
});

test('the space of a deleted grid is returned to the file system', async () => {
	const { service, owner } = await startWithOwner({ data, bodyLimit: 64 * 1024 * 1024 });
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Large' });
	const file = `n,text\n${Array.from({ length: 5000 }, (_, n) => `${n},${'x'.repeat(1000)}`).join('\n')}\n`;
	const grid = await owner.create(`${space}/uploadCSV`, { name: 'Large', file });
	await service.stop();
	const full = statSync(data).size;
	const again = await startWithOwner({ data });
	await again.owner.delete(grid);
	const size = () => statSync(data).size;
	await until('a smaller file', () => size() < full / 10);
	await again.service.stop();
	expect(size()).toBeLessThan(full / 10);
});

test('an upload needs little more disk space than its cells, names and IDs', async () => {
	const { service, owner } = await startWithOwner({ data, bodyLimit: 64 * 1024 * 1024 });
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Large' });
	const lines = Array.from(
		{ length: 20_000 },
		(_, n) => `Title ${n},${n % 4},${n},${n / 100},Some text ${n}`,
	);
	const file = `title,status,number,amount,note\n${lines.join('\n')}\n`;
	await owner.create(`${space}/uploadCSV`, { name: 'Large', file });
	await service.stop();
	// A copy of each row in its creation event would double this to about 950 bytes a row.
	expect(statSync(data).size / lines.length).toBeLessThan(475);
});

const named = (list: readonly Json[], name: string) => list.find((one) => one['name'] === name);

test('commands list, add and delete users, keys and tokens, effective at once in a running service', async () => {
	const context = await startWithPeople();
	const { caller, userId } = context.person('second');
	const work = <Result>(command: Parameters<typeof withStore<Result>>[1]) => withStore(context.data, command);
	expect(work(accounts.listUsers).map(({ name }) => name)).toEqual(['owner', 'second']);
	expect((await caller.get(`/api/users/${userId}`)).status).toBe(200);

	const added = work((store) => accounts.addKey(store, 'second', 'Reports', 'reader'));
	const reports = Caller.basic(context.service.url, userId, added.key, added.secret);
	expect((await reports.get(`/api/users/${userId}`)).status).toBe(200);
	expect((await reports.post(`/api/users/${userId}/spaces`, {})).status).toBe(403);
	const keys = work((store) => accounts.listKeys(store, 'second'));
	expect(named(keys, 'Reports')).toMatchObject({ user: 'second', role: 'reader', key: added.key });
	expect(JSON.stringify(keys)).not.toContain(added.secret);
	work((store) => accounts.removeKey(store, added.id));
	expect((await reports.get(`/api/users/${userId}`)).status).toBe(401);
	expect(() => work((store) => accounts.removeKey(store, added.id))).toThrow('There is no key');

	await context.bearer('second');
	expect(work(accounts.listTokens)).toMatchObject([{ user: 'second' }]);

	const { grid } = await makeGrid(caller, { a: { name: 'string' } });
	work((store) => accounts.removeUser(store, 'second'));
	expect((await caller.get(grid)).status).toBe(401);
	expect(work(accounts.listUsers).map(({ name }) => name)).toEqual(['owner']);
	expect(work(accounts.listTokens)).toEqual([]);
	expect(() => work((store) => accounts.removeUser(store, 'owner'))).toThrow('cannot be removed');
	expect(() => work((store) => accounts.removeUser(store, 'second'))).toThrow('There is no account');
	await context.end();
});

test('the outbox lists all invitation emails, or those to one recipient', async () => {
	const context = await startWithPeople();
	const { space } = await makeGrid(context.owner, { a: { name: 'string' } });
	for (const email of ['New@people.example', 'other@people.example'])
		expect((await context.owner.post(`${space}/invite`, { email, role: 'reader' })).status).toBe(201);
	const read = (recipient?: string) =>
		withStore(context.data, (store) => accounts.readOutbox(store, recipient));
	expect(read().map(({ recipient }) => recipient)).toEqual(['new@people.example', 'other@people.example']);
	expect(read('new@people.example').map(({ body }) => body !== '')).toEqual([true]);
	await context.end();
});

test('commands on a data file that does not exist are refused and do not create it', async () => {
	const message = `There is no data file ${data}`;
	expect(() => withStore(data, accounts.listUsers)).toThrow(message);
	expect(() => addUser(data, 'first', undefined)).toThrow(message);
	expect(() => revokeToken(data, 'x')).toThrow(message);
	await expect(makeToken(data, undefined, 1)).rejects.toThrow(message);
	await expect(addLink(data, { grid: 'things' })).rejects.toThrow(message);
	expect(readdirSync(folder.path)).toEqual([]);
});
