import { request } from 'node:http';
import { basic, makeGrid, testService } from '../http';

/** Requests that pages of other sites make with the credentials that a browser keeps. */
const context = testService({
	origins: ['https://app.example'],
	publicUrl: 'https://grids.example/tables/',
});
let grid: string;
let host: string;
beforeAll(async () => {
	({ grid } = await makeGrid(context.owner, { a: { name: 'string' } }));
	({ host } = new URL(context.service.url));
});

const credentials = () => {
	const { key, secret } = context.service;
	return { authorization: basic(key, secret) };
};

/** Sends a request with arbitrary headers; fetch sets some of them itself. @returns its response */
async function send(method: string, path: string, headers: Record<string, string>, body = '') {
	return await new Promise<{ status: number; challenge: string | undefined }>((resolve, reject) => {
		const sent = request(context.service.url + path, { method, headers }, (response) => {
			response.resume().on('end', () => {
				const challenge = response.headers['www-authenticate'];
				resolve({ status: response.statusCode ?? 0, challenge });
			});
		});
		sent.on('error', reject).end(body);
	});
}

const json = { 'content-type': 'application/json' };
const addRow = async (headers: Record<string, string>) =>
	(await send('POST', `${grid}/entities?layout=key`, { ...json, ...credentials(), ...headers }, '{"a":"x"}'))
		.status;

test.each<[string, Record<string, string>]>([
	['another site', { 'sec-fetch-site': 'cross-site' }],
	['a sibling site', { 'sec-fetch-site': 'same-site' }],
	['another site, in an older browser', { origin: 'https://evil.example' }],
	['another port', { origin: 'http://127.0.0.1:1' }],
	['a frame without an origin', { origin: 'null' }],
	['a site whose name starts the same', { origin: 'https://grids.example.evil.example' }],
	['another site that claims the host', { 'sec-fetch-site': 'cross-site', origin: 'http://HOST' }],
])('a change by a page of %s is refused', async (_what, headers) => {
	const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('HOST', host)]));
	expect(await addRow(named)).toBe(403);
	for (const method of ['PUT', 'PATCH', 'DELETE'])
		expect((await send(method, grid, { ...credentials(), ...named })).status).toBe(403);
	expect((await send('GET', grid, { ...credentials(), ...named })).status).toBe(200);
}); // prettier-ignore

test('an upload by the form of another site is refused', async () => {
	const type = 'multipart/form-data; boundary=x';
	const body = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nStolen\r\n--x--\r\n';
	const headers = { 'content-type': type, 'sec-fetch-site': 'cross-site', ...credentials() };
	const { status } = await send('POST', grid.replace(/\/grids\/.*/, '/uploadCSV'), headers, body);
	expect(status).toBe(403);
});

test.each<[string, Record<string, string>]>([
	['the page of the service', { 'sec-fetch-site': 'same-origin', origin: 'http://HOST' }],
	['the page at the public address', { 'sec-fetch-site': 'same-origin', origin: 'https://grids.example' }],
	['a page that --cors names', { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }],
	['a person, from the address bar', { 'sec-fetch-site': 'none' }],
	['a program', {}],
])('a change by %s is accepted', async (_what, headers) => {
	const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('HOST', host)]));
	expect(await addRow(named)).toBe(201);
}); // prettier-ignore

test('a page of another site may send a token, which no browser keeps', async () => {
	const headers = { ...json, 'sec-fetch-site': 'cross-site', authorization: 'Bearer nonsense' };
	expect((await send('POST', `${grid}/entities`, headers, '{}')).status).toBe(401);
});

test('only scripts of pages get no challenge, so that browsers show them no window', async () => {
	const challenge = async (headers: Record<string, string>) => (await send('GET', grid, headers)).challenge;
	for (const mode of ['cors', 'same-origin', 'no-cors'])
		expect(await challenge({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': mode })).toBeUndefined();
	expect(await challenge({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toMatch(/^Basic /);
	// What curl and fetch of Node.js send.
	expect(await challenge({})).toMatch(/^Basic /);
	expect(await challenge({ 'sec-fetch-mode': 'cors' })).toMatch(/^Basic /);
});
