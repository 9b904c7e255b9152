import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Caller, id, makeGrid, object, overSocket, byKey } from '../http';
import { testPeople } from '../people';
import { Selections } from '../../../../service/store/rows/selections';

/** Unusual requests that HTTP allows grant no more than usual ones. */
const faults: unknown[] = [];
const context = testPeople({ onFault: (fault) => faults.push(fault) });
const { owner } = context;
let reader: Caller;
let grid: string;
let view: string;
let ids: Record<string, string>;
beforeAll(async () => {
	({ grid, ids } = await makeGrid(owner, { shown: { name: 'string' }, hidden: { name: 'string' } }));
	await owner.create(`${grid}/entities`, { fields: ['visible', 'secret'] });
	({ caller: reader } = await owner.newKey('reader'));
	const shown = await owner.create(`${grid}/virtualgrids`, { name: 'V', fields: [ids['shown']], filter: {} });
	view = await owner.create(`${shown}/links`, { kind: 'view' });
}); // prettier-ignore
afterEach(() => {
	expect(faults.splice(0)).toEqual([]);
});

const rows = () => owner.items(`${grid}/entities`, byKey);

test('HEAD and OPTIONS require the same role and return no rows', async () => {
	const person = context.person('Stranger').caller;
	for (const [caller, status] of [[context.anonymous, 401], [person, 403], [reader, 200]] as const)
		expect(await caller.send('HEAD', `${grid}/entities`)).toMatchObject({ status, text: '' });
	expect((await context.anonymous.send('OPTIONS', `${grid}/entities`)).status).toBe(401);
	// Over a socket, because fetch refuses TRACE.
	expect(await overSocket(owner.url, `TRACE ${grid}/entities HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4\d\d/);
}); // prettier-ignore

test('what is no request, and a request that is too long, is refused in the one error form', async () => {
	const long = 'x'.repeat(200_000);
	for (const [text, status] of [
		['nonsense\r\n\r\n', 400],
		['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
		['GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n', 400],
		[`GET /?${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
		[`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\n\r\n`, 431],
	] as const) {
		const [head = '', body = ''] = (await overSocket(owner.url, text)).split('\r\n\r\n');
		expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
		expect(head).toContain('application/json');
		const error = object(JSON.parse(body));
		expect(Object.keys(error)).toEqual(['status', 'error', 'message']);
		expect(error['status']).toBe(status);
	}
	// Also on a connection that has been used.
	expect(await context.anonymous.read(`/api/version?${long}`)).toMatchObject({ status: 431 });
});

test('$in with its 1,000 values fits into an address', async () => {
	const values = Array.from({ length: 1000 }, (_, n) => `value ${n} of a list, "ü"`.padEnd(40, '.'));
	const filter = JSON.stringify({ [id(ids, 'shown')]: { $in: [...values.slice(1), 'visible'] } });
	expect((await reader.read(`${grid}/entities`, { filter }))['numberOfItems']).toBe(1);
});

test.each(['types', 'nodeTypes', 'blocks', 'version', 'health', 'openapi.json'])(
	'HEAD of /api/%s is like GET without its body',
	async (path) => {
		const [read, head] = [await reader.get(`/api/${path}`), await reader.send('HEAD', `/api/${path}`)];
		expect(read.text).not.toBe('');
		expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
			200,
			read.headers.get('content-type'),
			'',
		]);
	},
);

test('HEAD of an export reads no row', async () => {
	const scan = jest.spyOn(Selections.prototype, 'scan');
	const reply = await reader.send('HEAD', `${grid}/csv`);
	expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([200, 'application/octet-stream', '']);
	expect(reply.headers.get('content-length')).toBeNull();
	expect((await reader.send('HEAD', `${grid}/csv?fields=["nope"]`)).status).toBe(400);
	expect(scan).not.toHaveBeenCalled();
	expect((await reader.get(`${grid}/csv`)).text).toContain('visible');
	expect(scan).toHaveBeenCalledTimes(1);
	scan.mockRestore();
}); // prettier-ignore

test.each(['0x10', '1e2', '5.0', ' 5', '+5', '', 'true', '-1', '0', '9'.repeat(30)])(
	'the page size %j is refused',
	async (size) => {
		for (const name of ['pageSize', 'pageIndex'])
			expect((await reader.get(`${grid}/entities`, { [name]: size })).status).toBe(400);
	},
);

test.each([
	'filter={}&filter={}',
	'compose=true&compose=false',
	'viewId=a&viewId=b',
	'layout=field&layout=key',
	'pageSize=1&pageSize=1000',
	'pageSize[]=1',
	'filter[__proto__][x]=1',
	'__proto__=1&constructor=1&toString=1',
	'filter={"__proto__":{"$eq":1}}',
	'filter={"constructor":{"$eq":1}}',
	'filter={"toString":{"hasOwnProperty":1}}',
	'sorting={"__proto__":{"$order":"ascending"}}',
	'%00=1&filter=%ff',
	'filter=%7B%22x',
])('a query %s responds with 200, 400 or 404 and reveals no hidden column', async (query) => {
	for (const path of [`${grid}/entities`, `${grid}/query`, `${grid}/updates`, `${grid}/events`]) {
		const reply = await reader.send('GET', `${path}?${query}`);
		expect([path, [200, 400, 404].includes(reply.status)]).toEqual([path, true]);
	}
	const shared = await context.anonymous.send('GET', `${view}/entities?${query}`);
	expect([200, 400].includes(shared.status)).toBe(true);
	expect(shared.text).not.toContain('secret');
});

test.each(['..', '%2e%2e', '%2e%2e%2f', '..%5c', '%252e%252e', '%00', '%', '%zz', '%F0', '__proto__', 'constructor', '%5B%5D', 'a'.repeat(5000)])(
	'an ID %s responds with 401 without credentials (§5) and with 404 otherwise, as JSON',
	async (odd) => {
		for (const [path, status] of [[`${grid}/entities/${odd}`, 401], [`${grid}/forms/${odd}`, 401], [`${view}/entities/${odd}`, 404]] as const) {
			// http.request, because fetch resolves dot segments.
			const body = await new Promise<string>((resolve, reject) => {
				request(owner.url, { path }, (response) => {
					let text = '';
					response.setEncoding('utf8').on('data', (part: string) => (text += part)).on('end', () => {
						resolve(text);
					});
				}).on('error', reject).end();
			});
			const { status: sent, message } = object(JSON.parse(body));
			expect([path, sent, typeof message]).toEqual([path, status, 'string']);
		}
	},
); // prettier-ignore

test('bodies of other types and encodings write nothing', async () => {
	const text = JSON.stringify({ [id(ids, 'shown')]: 'by the way' });
	const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/json.x', ''];
	for (const type of types) {
		const reply = await owner.send('POST', `${grid}/entities?layout=field`, { raw: { type, content: text } });
		expect([type, reply.status]).toEqual([type, 400]);
	}
	const response = await fetch(`${owner.url}${view}`, { method: 'POST', body: gzipSync(text), headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } });
	expect(response.status).toBeGreaterThanOrEqual(400);
	expect(await rows()).toHaveLength(1);
}); // prettier-ignore
