import { request } from 'node:http';
import { href, makeGrid, object, objects, testService, type Json } from '../http';

const context = testService({ passwordCost: 2, now: () => time });
const { owner } = context;
let space: string;
let time = Date.UTC(2027, 0, 1);
beforeAll(async () => {
	({ space } = await makeGrid(owner, { a: { name: 'string' } }));
});
// Attempts of one test do not count in the next one.
beforeEach(() => {
	time += 3_600_000;
});

interface Sent {
	readonly body?: Json;
	readonly cookie?: string;
	readonly authorization?: string;
	readonly origin?: string;
	readonly 'sec-fetch-site'?: string;
}

interface Answer {
	readonly status: number;
	readonly cookie: string;
	readonly json: () => Json;
}

/** Sends a request as the page does. @returns status, body, and the cookie as set */
function send(method: string, path: string, { body, ...headers }: Sent = {}) {
	const all = { 'content-type': 'application/json', ...headers };
	return new Promise<Answer>((resolve, reject) => {
		const sent = request(context.service.url + path, { method, headers: all }, (response) => {
			const parts: Buffer[] = [];
			response.on('data', (part: Buffer) => parts.push(part));
			response.on('end', () => {
				const text = Buffer.concat(parts).toString();
				const [cookie = ''] = response.headers['set-cookie'] ?? [];
				resolve({ status: response.statusCode ?? 0, cookie, json: () => object(JSON.parse(text)) });
			});
		});
		sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
	});
}
const valueOf = (cookie: string) => cookie.split(';')[0] ?? '';

/** Shares the space, and returns the link to join. */
async function invite(email: string, role = 'writer') {
	const share = await owner.create(`${space}/shares`, { email, role });
	const shown = await owner.read(share);
	return { share, link: String((await owner.post(href(shown, 'joinLink'), {})).json()['href']) };
}

async function join(email: string, name: string, password = 'correct horse') {
	const { share, link } = await invite(email);
	const joined = await send('POST', link, { body: { name, password } });
	expect(joined.status).toBe(200);
	return { share, link, cookie: valueOf(joined.cookie), userId: String(joined.json()['userId']) };
}
const logIn = (email: string, password: string) => send('POST', '/api/login', { body: { email, password } });
const me = async (cookie: string) => (await send('GET', '/api/users/me', { cookie })).status;

test('an invitation makes an account with the role of its share, once', async () => {
	const { share, link } = await invite('ann@example.com');
	expect((await send('GET', link)).json()).toEqual({ email: 'ann@example.com', name: null });
	expect((await send('POST', link, { body: { name: 'Ann', password: 'short' } })).status).toBe(400);
	expect((await send('POST', link, { body: { password: 'correct horse' } })).status).toBe(400);
	const joined = await send('POST', link, { body: { name: 'Ann', password: 'correct horse' } });
	expect(joined.cookie).toMatch(
		/^datagrid_session=[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
	);
	const cookie = valueOf(joined.cookie);
	const spaces = await send('GET', `/api/users/${String(joined.json()['userId'])}/spaces`, { cookie });
	expect(objects(spaces.json()['items'])).toMatchObject([{ name: 'Space of Things' }]);
	expect((await send('POST', `${space}/grids`, { cookie, body: { name: 'x' } })).status).toBe(403);
	expect((await send('GET', link)).status).toBe(404);
	expect((await send('POST', link, { body: { name: 'Eve', password: 'correct horse' } })).status).toBe(404);
	expect((await owner.read(share))['users']).toEqual([joined.json()['userId']]);
});

test('a session begins with address and password, and ends with the log-out', async () => {
	await join('bob@example.com', 'Bob');
	expect((await logIn('bob@example.com', 'wrong horse')).status).toBe(401);
	expect((await logIn('nobody@example.com', 'correct horse')).status).toBe(401);
	const { cookie, status } = await logIn('BOB@example.com', 'correct horse');
	expect([status, await me(valueOf(cookie))]).toEqual([200, 302]);
	const ended = await send('POST', '/api/logout', { cookie: valueOf(cookie) });
	expect(ended.cookie).toContain('datagrid_session=; Path=/; Max-Age=0');
	expect(await me(valueOf(cookie))).toBe(401);
});

test('§5 without a cookie nothing changes, and a header takes precedence over a cookie', async () => {
	const { cookie } = await join('carl@example.com', 'Carl');
	expect(await me('')).toBe(401);
	expect((await send('GET', '/api/users/me', { cookie, authorization: 'Basic eDp5' })).status).toBe(401);
	expect(await me(`${cookie}x`)).toBe(401);
});

test('a page of another site cannot use the cookie to change anything', async () => {
	const { cookie, userId } = await join('dora@example.com', 'Dora');
	const change = (headers: Sent) =>
		send('POST', `/api/users/${userId}/spaces`, { cookie, body: { name: 'Stolen' }, ...headers });
	expect((await change({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
	expect((await change({ origin: 'https://evil.example' })).status).toBe(403);
	expect((await change({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
});

test('a changed password needs the current one, and ends the other sessions', async () => {
	const { cookie, userId } = await join('ed@example.com', 'Ed');
	const other = valueOf((await logIn('ed@example.com', 'correct horse')).cookie);
	const change = (current: string) =>
		send('PUT', `/api/users/${userId}/password`, { cookie, body: { current, password: 'battery staple' } });
	expect((await change('wrong')).status).toBe(403);
	const changed = await change('correct horse');
	expect(changed.status).toBe(200);
	expect([await me(other), await me(cookie), await me(valueOf(changed.cookie))]).toEqual([401, 401, 302]);
	expect((await logIn('ed@example.com', 'correct horse')).status).toBe(401);
	expect((await logIn('ed@example.com', 'battery staple')).status).toBe(200);
});

test('only the owner of the service lets a person set a new password', async () => {
	const { share, cookie, userId } = await join('flo@example.com', 'Flo');
	const own = await send('POST', `/api/users/${userId}/spaces`, { cookie, body: { name: 'Mine' } });
	expect(own.status).toBe(201);
	const mine = String(objects((await send('GET', `/api/users/${userId}/spaces`, { cookie })).json()['items']).find(({ name }) => name === 'Mine')?.['id']); // prettier-ignore
	const shares = `/api/users/${userId}/spaces/${mine}/shares`;
	await send('POST', shares, { cookie, body: { email: 'ann@example.com', role: 'reader' } });
	const [ofAnn = {}] = objects((await send('GET', shares, { cookie })).json()['items']);
	expect(ofAnn['_links']).not.toHaveProperty('joinLink');
	const forced = await send('POST', `${shares}/${String(ofAnn['id'])}/joinLink`, { cookie, body: {} });
	expect(forced.status).toBe(403);
	const reset = String((await owner.post(`${share}/joinLink`, {})).json()['href']);
	expect((await send('GET', reset)).json()).toEqual({ email: 'flo@example.com', name: 'Flo' });
	const set = await send('POST', reset, { body: { password: 'a new password' } });
	expect([set.status, set.json()['userId'], await me(cookie)]).toEqual([200, userId, 401]);
	expect((await logIn('flo@example.com', 'a new password')).status).toBe(200);
});

test('guessing passwords and invitations is throttled by address', async () => {
	await join('gus@example.com', 'Gus');
	for (let n = 0; n < 20; n++) expect((await logIn('gus@example.com', `guess ${n}`)).status).toBe(401);
	expect((await logIn('gus@example.com', 'correct horse')).status).toBe(429);
	time += 3_600_000;
	expect((await logIn('gus@example.com', 'correct horse')).status).toBe(200);
	for (let n = 0; n < 20; n++) expect((await send('GET', `/api/join/guess${n}`)).status).toBe(404);
	expect((await send('GET', '/api/join/another')).status).toBe(429);
});
