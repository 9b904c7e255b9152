import { readFileSync } from 'node:fs';
import { Guesses, networkOf } from '../../../../service/http/guesses';
import { hashPassword, passwordMatches } from '../../../../service/rules/passwords';
import { hashSecret } from '../../../../service/rules/access';
import { basic, type Caller, id, makeGrid, byKey, last } from '../http';
import { startWithPeople, testPeople } from '../people';

// A stopped clock, so that the speed of the machine has no effect.
const context = testPeople({ now: () => Date.UTC(2026, 2, 1) });
const { owner, anonymous } = context;
let reader: Caller;
let space: string;
let grid: string;
let ids: Record<string, string>;
beforeAll(async () => {
	({ space, grid, ids } = await makeGrid(owner, { a: { name: 'string' }, by: { name: 'createdby' } }));
	({ caller: reader } = await owner.newKey('reader'));
});

const withLogin = (user: string, password: string) => ({ authorization: basic(user, password) });

test('a reader cannot list public links: resources of type formlink and share are for admins', async () => {
	const link = await owner.create(`${grid}/links`, { kind: 'form' });
	await owner.create(`${space}/shares`, { email: 'somebody@example.com', role: 'reader' });
	const listed = async (caller: Caller) =>
		(await caller.items(`${space}/resources`, { types: 'formlink,share,grid' })).map((one) => one['type']);
	expect(await listed(owner)).toEqual(['formlink', 'share', 'grid']);
	expect(await listed(reader)).toEqual(['grid']);
	const replies = await Promise.all(
		['/resources?types=formlink,grid,form,space', ''].map(
			async (path) => (await reader.get(space + path)).text,
		),
	);
	expect(replies.join()).not.toContain(last(link));
});

test('history, feed and createdby identify a link by an ID that grants no access', async () => {
	const form = await owner.create(`${grid}/links`, { kind: 'form' });
	expect((await anonymous.post(form, { [id(ids, 'a')]: 'sent' })).status).toBe(201);
	const view = await owner.create(`${grid}/links`, { kind: 'view' });
	const shown = (await anonymous.items(`${view}/entities`, byKey)).find((row) => row['a'] === 'sent');
	const actor = String(shown?.['by']);
	expect(actor).toMatch(/^link:[0-9a-f]{24}$/);
	const feed = (await reader.get(`${grid}/updates`, { since: '2020-01-01T00:00:00Z' })).text;
	expect(feed).toContain(actor);
	expect(feed + JSON.stringify(shown)).not.toContain(last(form));
	expect(feed).not.toContain(last(view));
	const opaque = actor.replace('link:', '');
	for (const path of [`/api/a/${owner.userId}/${opaque}`, `/api/r/${owner.userId}/${opaque}`])
		expect((await anonymous.get(path)).status).toBe(404);
	// An admin can look up the link by this ID.
	expect((await owner.items(`${grid}/links`)).find((one) => one['id'] === opaque)).toMatchObject({
		href: form,
	});
});

test('the address of a public link ends with 128 random bits', async () => {
	const tokens = new Set<string>();
	for (let n = 0; n < 20; n++) tokens.add(last(await owner.create(`${grid}/links`, { kind: 'form' })));
	const bits = Array.from({ length: 128 }, () => new Set<string>());
	for (const token of tokens) {
		expect(token).toMatch(/^[0-9a-f]{32}$/);
		Array.from(BigInt(`0x${token}`).toString(2).padStart(128, '0')).forEach((bit, n) => bits[n]?.add(bit));
	}
	// Each bit takes both values. By chance one does not in 1 of 4,096 runs, so one may fail.
	expect(bits.filter((seen) => seen.size === 1).length).toBeLessThanOrEqual(1);
});

test('after 20 wrong addresses of public links each attempt responds with 429 and Retry-After', async () => {
	const other = await startWithPeople({ now: () => 0 });
	const made = await makeGrid(other.owner, { a: { name: 'string' } });
	const link = await other.owner.create(`${made.grid}/links`, { kind: 'form' });
	const guess = (n: number) => `/api/a/${other.owner.userId}/${n.toString(16).padStart(32, '0')}`;
	// Repeated requests for one address count as one guess.
	for (let n = 0; n < 50; n++) expect((await other.anonymous.get(guess(1))).status).toBe(404);
	for (let n = 1; n <= 20; n++) expect((await other.anonymous.get(guess(n))).status).toBe(404);
	const refused = await other.anonymous.get(guess(21));
	expect([refused.status, Number(refused.headers.get('retry-after')) >= 1]).toEqual([429, true]);
	expect((await other.anonymous.get(link)).status).toBe(429);
	// Accounts and open endpoints remain accessible.
	expect((await other.owner.get(made.grid)).status).toBe(200);
	expect((await other.anonymous.get('/api/version')).status).toBe(200);
	await other.end();
});

test('X-Forwarded-For is ignored unless a trusted reverse proxy sends it', async () => {
	const guessing = async (trustedProxies: string[]) => {
		const other = await startWithPeople({ now: () => 0, trustedProxies });
		const made = await makeGrid(other.owner, { a: { name: 'string' } });
		const link = await other.owner.create(`${made.grid}/links`, { kind: 'form' });
		const from = async (address: string, path: string) =>
			(await other.anonymous.get(path, undefined, { 'x-forwarded-for': address })).status;
		const guess = (n: number) => `/api/a/${other.owner.userId}/${n.toString(16).padStart(32, '0')}`;
		for (let n = 0; n < 20; n++) expect(await from('203.0.113.1', guess(n))).toBe(404);
		const after = [
			await from('203.0.113.1', guess(20)),
			await from('203.0.113.2', guess(21)),
			await from('203.0.113.2', link),
			// The last address counts: the proxy appends it to those that the caller sends.
			await from('203.0.113.9, 203.0.113.1', guess(22)),
		];
		await other.end();
		return after;
	};
	expect(await guessing([])).toEqual([429, 429, 429, 429]);
	expect(await guessing(['127.0.0.1'])).toEqual([429, 404, 200, 429]);
});

test('wrong passwords of a link are throttled per link and address; after too many attempts the right password is also refused, even if its check is cached', async () => {
	const login = { kind: 'form', user: 'guest', password: 'open sesame' };
	const link = await owner.create(`${grid}/links`, login);
	const second = await owner.create(`${grid}/links`, login);
	const attempt = async (path: string, password: string) =>
		(await anonymous.get(path, undefined, withLogin('guest', password))).status;
	// The service caches the check of the right password.
	expect([await attempt(link, 'open sesame'), await attempt(second, 'open sesame')]).toEqual([200, 200]);
	// Concurrent attempts are counted before their passwords are checked.
	const replies = await Promise.all(Array.from({ length: 25 }, (_, n) => attempt(link, `wrong ${n}`)));
	expect([401, 429].map((wanted) => replies.filter((status) => status === wanted).length)).toEqual([20, 5]);
	expect(await attempt(link, 'open sesame')).toBe(429);
	expect(await attempt(second, 'open sesame')).toBe(200);
	expect(await attempt(link, 'wrong 1')).toBe(401);
}, 30_000);

test('throttling ends after a while and applies to one address', () => {
	let now = 0;
	const guesses = new Guesses(() => now);
	for (let n = 0; n < 20; n++) guesses.count('a', String(n));
	expect(() => {
		guesses.count('a', 'next');
	}).toThrow('Too many wrong attempts');
	guesses.count('b', 'next');
	guesses.count('a', '3');
	guesses.remove('a', '3');
	guesses.count('a', 'next');
	now = 3000;
	guesses.count('a', 'one more');
	expect(() => {
		guesses.count('a', 'too soon');
	}).toThrow('Too many wrong attempts');
	now = 60_000;
	for (let n = 20; n < 38; n++) guesses.count('a', String(n));
});

test('an IPv6 network counts as one address', () => {
	expect(networkOf('203.0.113.7')).toBe('203.0.113.7');
	expect(networkOf('::ffff:203.0.113.7')).toBe('::ffff:203.0.113.7');
	expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
	expect(networkOf('2001:0db8:1:2::6')).toBe('2001:db8:1:2');
	expect([networkOf('2001:db8::1'), networkOf('::1')]).toEqual(['2001:db8:0:0', '0:0:0:0']);
});

test('a user name and password always protect a link; one of them alone, or another protection, is refused', async () => {
	const login = { user: 'guest', password: 'open sesame' };
	const link = await owner.create(`${grid}/links`, { kind: 'form', ...login });
	expect((await anonymous.get(link)).headers.get('service-authorization')).toBe('link');
	expect((await anonymous.get(link, undefined, withLogin('guest', 'open sesame'))).status).toBe(200);
	for (const body of [
		{ ...login, protection: 'none' },
		{ ...login, protection: 'internal' },
		{ user: 'guest' },
		{ password: 'open sesame' },
		{ user: 'guest', protection: 'none' },
		{ password: 'open sesame', protection: 'internal' },
		{ user: 'guest', protection: 'link' },
	]) {
		expect([body, (await owner.post(`${grid}/links`, { kind: 'form', ...body })).status]).toEqual([
			body,
			400,
		]);
	}
});

test('passwords of links are stored as salted scrypt hashes', async () => {
	const password = 'correct horse battery staple';
	const [one, two] = [await hashPassword(password), await hashPassword(password)];
	expect(one).not.toBe(two);
	expect(one).toMatch(/^scrypt:[\w-]{22}:[\w-]{43}$/);
	expect([await passwordMatches(password, one), await passwordMatches('wrong', one)]).toEqual([true, false]);
	const cheap = await hashPassword(password, 16);
	expect(cheap).toMatch(/^scrypt:[\w-]{22}:[\w-]{43}:16$/);
	expect([await passwordMatches(password, cheap), await passwordMatches('wrong', cheap)]).toEqual([
		true,
		false,
	]);
	await owner.create(`${grid}/links`, { kind: 'form', user: 'guest', password });
	const kept = Buffer.concat(['', '-wal'].map((end) => readFileSync(context.data + end))).toString('latin1');
	for (const text of [
		password,
		Buffer.from(password).toString('base64'),
		Buffer.from(password).toString('hex'),
		hashSecret(password),
	])
		expect(kept.includes(text)).toBe(false);
}, 30_000);

test('the data file contains no secret of a key in any encoding', async () => {
	const { secret } = (await owner.post(`${context.home}/accessKeys`, { name: 'S', role: 'reader' })).json();
	const bytes = Buffer.from(String(secret));
	const kept = Buffer.concat(['', '-wal'].map((end) => readFileSync(context.data + end))).toString('latin1');
	for (const text of [
		bytes.toString(),
		bytes.toString('base64'),
		bytes.toString('base64url'),
		bytes.toString('hex'),
		bytes.reverse().toString(),
	])
		expect(kept.includes(text)).toBe(false);
});
