import { href, makeGrid, object, objects, rels, testService, type Json, type Reply } from '../http';

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

/** Sends a request as a page does. @param headers its cookie, and what browsers add */
const send = (method: string, path: string, body?: Json, headers: Record<string, string> = {}) =>
	context.anonymous.send(method, path, { body, headers });
/** The cookie that a response sets, with its attributes. */
const setBy = (reply: Reply) => reply.headers.getSetCookie()[0] ?? '';
const valueOf = (reply: Reply) => setBy(reply).split(';')[0] ?? '';

/** Shares the space, and returns the link to join. */
async function invite(email: string, role = 'writer') {
	const share = await owner.create(`${space}/shares`, { email, role });
	const shown = await owner.read(share);
	return { share, link: String((await owner.post(href(shown, 'joinLink'))).json()['href']) };
}

async function join(email: string, name: string, password = 'correct horse') {
	const { share, link } = await invite(email);
	const joined = await send('POST', link, { name, password });
	expect(joined.status).toBe(200);
	return { share, link, cookie: valueOf(joined), userId: String(joined.json()['userId']) };
}
const logIn = (email: string, password: string) => send('POST', '/api/login', { email, password });
const me = async (cookie: string) => (await send('GET', '/api/users/me', undefined, { cookie })).status;

test('an invitation makes an account with the role of its share, once', async () => {
	const { share, link } = await invite('ann@example.com');
	expect((await send('GET', link)).json()).toEqual({ email: 'ann@example.com', name: null, keys: 0 });
	expect((await send('POST', link, { name: 'Ann', password: 'short' })).status).toBe(400);
	expect((await send('POST', link, { password: 'correct horse' })).status).toBe(400);
	const joined = await send('POST', link, { name: 'Ann', password: 'correct horse' });
	expect(setBy(joined)).toMatch(
		/^datagrid_session=[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
	);
	const cookie = valueOf(joined);
	const spaces = await send('GET', `/api/users/${String(joined.json()['userId'])}/spaces`, undefined, {
		cookie,
	});
	expect(objects(spaces.json()['items'])).toMatchObject([{ name: 'Space of Things' }]);
	expect((await send('POST', `${space}/grids`, { name: 'x' }, { cookie })).status).toBe(403);
	expect((await send('GET', link)).status).toBe(404);
	expect((await send('POST', link, { name: 'Eve', password: 'correct horse' })).status).toBe(404);
	expect((await owner.read(share))['users']).toEqual([joined.json()['userId']]);
});

test('an invitation ends with the share of its address', async () => {
	const { share, link } = await invite('ivy@example.com');
	await owner.delete(share);
	expect((await send('GET', link)).status).toBe(404);
	expect((await send('POST', link, { name: 'Ivy', password: 'correct horse' })).status).toBe(404);
});

test('a session begins with address and password, and ends with the log-out', async () => {
	await join('bob@example.com', 'Bob');
	expect((await logIn('bob@example.com', 'wrong horse')).status).toBe(401);
	expect((await logIn('nobody@example.com', 'correct horse')).status).toBe(401);
	const begun = await logIn('BOB@example.com', 'correct horse');
	const cookie = valueOf(begun);
	expect([begun.status, await me(cookie)]).toEqual([200, 302]);
	const ended = await send('POST', '/api/logout', undefined, { cookie });
	expect(setBy(ended)).toContain('datagrid_session=; Path=/; Max-Age=0');
	expect(await me(cookie)).toBe(401);
});

test('§5 without a cookie nothing changes, and a header takes precedence over a cookie', async () => {
	const { cookie } = await join('carl@example.com', 'Carl');
	expect(await me('')).toBe(401);
	expect(
		(await send('GET', '/api/users/me', undefined, { cookie, authorization: 'Basic eDp5' })).status,
	).toBe(401);
	expect(await me(`${cookie}x`)).toBe(401);
});

test('a page of another site cannot use the cookie to change anything', async () => {
	const { cookie, userId } = await join('dora@example.com', 'Dora');
	const change = (headers: Record<string, string>) =>
		send('POST', `/api/users/${userId}/spaces`, { name: 'Stolen' }, { cookie, ...headers });
	expect((await change({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
	expect((await change({ origin: 'https://evil.example' })).status).toBe(403);
	expect((await change({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
});

test('a changed password needs the current one, and ends the other sessions', async () => {
	const { cookie, userId } = await join('ed@example.com', 'Ed');
	const other = valueOf(await logIn('ed@example.com', 'correct horse'));
	const change = (current: string) =>
		send('PUT', `/api/users/${userId}/password`, { current, password: 'battery staple' }, { cookie });
	expect((await change('wrong')).status).toBe(403);
	const changed = await change('correct horse');
	expect(changed.status).toBe(200);
	expect([await me(other), await me(cookie), await me(valueOf(changed))]).toEqual([401, 401, 302]);
	expect((await logIn('ed@example.com', 'correct horse')).status).toBe(401);
	expect((await logIn('ed@example.com', 'battery staple')).status).toBe(200);
});

test('only the owner of the service lets a person set a new password', async () => {
	const { share, cookie, userId } = await join('flo@example.com', 'Flo');
	const spaces = `/api/users/${userId}/spaces`;
	const mine = (await send('POST', spaces, { name: 'Mine' }, { cookie })).headers.get('location') ?? '';
	const ann = { email: 'ann@example.com', role: 'reader' };
	const shared = (await send('POST', `${mine}/shares`, ann, { cookie })).headers.get('location') ?? '';
	expect(rels((await send('GET', shared, undefined, { cookie })).json())).not.toContain('joinLink');
	const forced = await send('POST', `${shared}/joinLink`, {}, { cookie });
	expect(forced.status).toBe(403);
	const invited = { email: 'new@example.com', role: 'reader' };
	await send('POST', `${mine}/invite`, invited, { cookie });
	const embedded = object((await send('GET', mine, undefined, { cookie })).json()['_embedded']);
	expect(objects(embedded['invitations']).map(rels)).toEqual([['remove', 'self']]);
	const reset = String((await owner.post(`${share}/joinLink`, {})).json()['href']);
	expect((await send('GET', reset)).json()).toEqual({ email: 'flo@example.com', name: 'Flo', keys: 0 });
	const set = await send('POST', reset, { password: 'a new password' });
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

test('the people of a space are listed by name, with addresses for those who may share it', async () => {
	const { cookie, userId } = await join('pat@example.com', 'Pat');
	await owner.create(`${space}/shares`, { email: 'later@example.com', role: 'reader' });
	const listed = async (headers: Record<string, string>) => {
		const reply = await send('GET', `${space}/people`, undefined, headers);
		return objects(reply.json()['items']).map((one) => [one['name'], one['email'], one['role'], rels(one)]);
	};
	const own = await owner.read(context.home);
	const all = await listed({ authorization: owner.authorization ?? '' });
	expect(all[0]).toEqual([own['name'], own['email'], 'owner', []]);
	expect(all).toContainEqual(['Pat', 'pat@example.com', 'writer', ['joinLink', 'remove', 'self']]);
	expect(all).toContainEqual([null, 'later@example.com', 'reader', ['joinLink', 'remove', 'self']]);
	const asWriter = await listed({ cookie });
	expect(asWriter).toContainEqual(['Pat', null, 'writer', []]);
	expect(asWriter.filter(([name]) => name === null)).toEqual([]);
	const rename = (name: string) => send('PATCH', `/api/users/${userId}`, { name }, { cookie });
	expect((await rename('Patricia')).json()).toMatchObject({ name: 'Patricia', displayValue: 'Patricia' });
	expect((await rename('Patricia')).status).toBe(200);
	expect((await rename(String(own['name']))).status).toBe(400);
	expect((await rename(' ')).status).toBe(400);
	expect((await listed({ cookie })).map(([name]) => name)).toContain('Patricia');
});
