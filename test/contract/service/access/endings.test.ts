import { readFileSync } from 'node:fs';
import { removeUser } from '../../../../service/cli/accountCommands';
import { withStore } from '../../../../service/cli/commands';
import { LIMITS } from '../../../../service/rules/limits';
import { href, type Json, type Reply } from '../http';
import { testPeople } from '../people';

/** What ends the sessions, keys and links of an account: walks the table of the README. */
const context = testPeople({ passwordCost: 2 });
const { owner } = context;
const PASSWORD = 'correct horse';

const send = (method: string, path: string, body?: Json, headers: Record<string, string> = {}) =>
	context.anonymous.send(method, path, { body, headers });
const cookieOf = (reply: Reply) => ({ cookie: (reply.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' });
const logIn = (email: string) => send('POST', '/api/login', { email, password: PASSWORD });
const linkFor = async (share: string) =>
	String((await owner.post(href(await owner.read(share), 'joinLink'), {})).json()['href']);

let people = 0;

/** An account with a share, two sessions, two keys, and a link that sets a new password. */
async function account() {
	const name = `Person ${(people += 1)}`;
	const email = `person${people}@example.com`;
	const space = await owner.create(`${context.home}/spaces`, { name });
	const share = await owner.create(`${space}/shares`, { email, role: 'writer' });
	const joined = await send('POST', await linkFor(share), { name, password: PASSWORD });
	const sessions = [joined, await logIn(email)].map(cookieOf);
	const home = `/api/users/${String(joined.json()['userId'])}`;
	const keys: Json[] = [];
	for (const key of ['a', 'b'])
		keys.push((await send('POST', `${home}/accessKeys`, { name: key, role: 'admin' }, sessions[0])).json());
	return { name, email, space, share, home, sessions, keys, reset: await linkFor(share) };
}
type Account = Awaited<ReturnType<typeof account>>;

const basic = ({ key, secret }: Json) => ({
	authorization: `Basic ${Buffer.from(`${String(key)}:${String(secret)}`).toString('base64')}`,
});
const change = ({ home, sessions }: Pick<Account, 'home' | 'sessions'>, more: Json) =>
	send('PUT', `${home}/password`, { current: PASSWORD, password: 'battery staple', ...more }, sessions[0]);
const reset = (one: Account, more: Json) => send('POST', one.reset, { password: 'battery staple', ...more });

const events: Readonly<Record<string, (one: Account) => Promise<unknown>>> = {
	'log-out': ({ sessions }) => send('POST', '/api/logout', undefined, sessions[0]),
	'change of the password': (one) => change(one, {}),
	'change with `removeKeys`': (one) => change(one, { removeKeys: true }),
	'new password by a link': (one) => reset(one, {}),
	'link with `removeKeys`': (one) => reset(one, { removeKeys: true }),
	'deletion of a key': ({ home, keys, sessions }) =>
		send('DELETE', `${home}/accessKeys/${String(keys[0]?.['id'])}`, undefined, sessions[0]),
	'deletion of the share': ({ share }) => owner.delete(share),
	'deletion of the space': ({ space }) => owner.delete(space),
	'one session more than allowed': async ({ email }) => {
		for (let n = 2; n <= LIMITS.sessions; n++) await logIn(email);
	},
	'`user remove`': ({ name }) => Promise.resolve(withStore(context.data, (store) => removeUser(store, name))),
};

const inWords = (ended: boolean[]) => (ended.every(Boolean) ? 'all' : ended.some(Boolean) ? 'one' : 'none');
const isRefused = async (headers: Record<string, string>) =>
	(await send('GET', '/api/users/me', undefined, headers)).status === 401;

test('what the README says ends with each event, and nothing else', async () => {
	const [, section = ''] = readFileSync('service/README.md', 'utf8').split('**What ends when.**', 2);
	const rows = [...section.slice(0, section.indexOf('**Pages of other sites**')).matchAll(/^ +\| (?!What|-)(.*?) +\| (\w+) +\| (\w+) +\| (\w+) +\|$/gm)]; // prettier-ignore
	const table = rows.map(([, event, ...ends]) => [event, ...ends]);
	const found: unknown[] = [];
	for (const [name, happen] of Object.entries(events)) {
		const one = await account();
		await happen(one);
		found.push([
			name,
			inWords(await Promise.all(one.sessions.map(isRefused))),
			inWords(await Promise.all(one.keys.map((key) => isRefused(basic(key))))),
			inWords([(await send('GET', one.reset)).status === 404]),
		]);
	}
	expect(found).toEqual(table);
});

test('a revoked invitation stays revoked when another member shares a space with its address', async () => {
	const { sessions, home } = await account();
	const email = 'revoked@example.com';
	const space = await owner.create(`${context.home}/spaces`, { name: 'Invited' });
	const share = await owner.create(`${space}/shares`, { email, role: 'reader' });
	const link = await linkFor(share);
	const mine = await send('POST', `${home}/spaces`, { name: 'Mine' }, sessions[0]);
	await owner.delete(share);
	const again = { email, role: 'reader' };
	expect(
		(await send('POST', `${mine.headers.get('location') ?? ''}/shares`, again, sessions[0])).status,
	).toBe(201);
	expect((await send('GET', link)).status).toBe(404);
});

test('a login that is checked while the password changes begins no session', async () => {
	const { email, home, sessions } = await account();
	// Hashes wait for each other, so the login is checked before the change and answered after it.
	const logins = Array.from({ length: 6 }, () => logIn(email));
	await change({ home, sessions }, {});
	const cookies = (await Promise.all(logins)).filter(({ status }) => status === 200).map(cookieOf);
	for (const cookie of cookies) expect(await isRefused(cookie)).toBe(true);
});

test('a person who was removed cannot return by a link that was not used', async () => {
	const { name, reset: link, share } = await account();
	withStore(context.data, (store) => removeUser(store, name));
	expect((await send('POST', link, { name: 'Returned', password: PASSWORD })).status).toBe(404);
	expect((await send('POST', await linkFor(share), { name, password: PASSWORD })).status).toBe(200);
});

test('a key sets no first password, except that of the owner; a link says how many keys there are', async () => {
	const { caller, email, userId } = context.person('machine');
	const path = `/api/users/${userId}/password`;
	const refused = await caller.put(path, { password: 'stolen key' });
	expect([refused.status, refused.json()['message']]).toEqual([
		403,
		'Your account has no password yet: ask the owner of the service for a link to set it',
	]);
	const space = await owner.create(`${context.home}/spaces`, { name: 'For machines' });
	const link = await linkFor(await owner.create(`${space}/shares`, { email, role: 'reader' }));
	expect((await send('GET', link)).json()).toEqual({ email, name: 'machine', keys: 1 });
	expect((await owner.put(`${context.home}/password`, { password: PASSWORD })).status).toBe(200);
});

test('names that look like that of another person, or hide characters, are refused', async () => {
	const space = await owner.create(`${context.home}/spaces`, { name: 'Names' });
	const join = async (email: string, name: string) => {
		const share = await owner.create(`${space}/shares`, { email, role: 'reader' });
		return (await send('POST', await linkFor(share), { name, password: PASSWORD })).status;
	};
	expect(await join('zoe@example.com', 'Zo\u00eb \u5f20\u4f1f')).toBe(200);
	const refused = [
		'zoe\u0308 \u5f20\u4f1f',
		'ZO\u00cb  \u5f20\u4f1f',
		'Zo\u200be',
		'eoZ\u202e',
		'Zoe\u0007',
		'OWNER',
	];
	const { home, sessions } = await account();
	const rename = async (name: string) => (await send('PATCH', home, { name }, sessions[0])).status;
	for (const [n, name] of refused.entries()) {
		expect([name, await join(`other${n}@example.com`, name)]).toEqual([name, 400]);
		expect([name, await rename(name)]).toEqual([name, 400]);
	}
	expect(await rename('z\u00f4e')).toBe(200);
	expect(await rename('Z\u00d4E')).toBe(200);
	for (const [n, name] of ['\u0417\u043e\u044f', '\u0632\u0648\u0626\u06cc', '\u4f1f'].entries())
		expect([name, await join(`script${n}@example.com`, name)]).toEqual([name, 200]);
});
