import { startFaultProxy, type FaultProxy, type Rule } from '../../../testbed/proxy/faultProxy';
import { startTestServer, type TestServer } from '../../../testbed/testServer';

let service: TestServer;
let proxy: FaultProxy;

beforeAll(async () => {
	service = await startTestServer((request, response, body) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ path: request.url, body }));
	});
	proxy = await startFaultProxy(service.url);
});
beforeEach(() => {
	service.requests.length = 0;
});
afterAll(async () => {
	await proxy.stop();
	await service.stop();
});

const ask = async (...rules: Rule[]) => {
	proxy.setRules(...rules);
	const response = await fetch(`${proxy.url}/a`, { method: 'POST', body: 'äb' });
	return { status: response.status, headers: response.headers, text: await response.text() };
};
const whole = '{"path":"/a","body":"äb"}';

test('without rules requests and responses pass unchanged', async () => {
	expect(await ask()).toMatchObject({ status: 200, text: whole });
	expect(proxy.requests).toMatchObject([{ method: 'POST', path: '/a' }]);
});

test('a response keeps the request from the service', async () => {
	const response = await ask(() => ({ kind: 'response', status: 503, headers: { 'retry-after': '1' } }));
	expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
	expect(service.requests).toEqual([]);
});

test.each([
	['resetBefore', 0],
	['resetAfter', 1],
	['cutBody', 1],
] as const)('%s: the client gets no response, the service %d requests', async (kind, requests) => {
	await expect(ask(() => ({ kind }))).rejects.toThrow();
	expect(service.requests).toHaveLength(requests);
});

test('a truncated body arrives as if it were complete', async () => {
	const { status, text } = await ask(() => ({ kind: 'halfBody' }));
	expect([status, whole.startsWith(text), text.length < whole.length]).toEqual([200, true, true]);
});

test('the Date header is wrong or missing', async () => {
	const day = 86_400_000;
	const off = await ask(() => ({ kind: 'date', skew: day }));
	expect(Date.parse(off.headers.get('date') ?? '')).toBeGreaterThan(Date.now() + day / 2);
	expect((await ask(() => ({ kind: 'date', skew: undefined }))).headers.has('date')).toBe(false);
});

test('changes of several rules add up, and a rule knows the number of its request', async () => {
	const numbers: number[] = [];
	const { text } = await ask(
		(_request, number) => {
			numbers.push(number);
			return { kind: 'change', request: { path: '/b', body: 'longer than before' } };
		},
		() => ({ kind: 'change', response: ({ body }) => ({ body: body.replace('path', 'changed') }) }),
	);
	expect(text).toBe('{"changed":"/b","body":"longer than before"}');
	expect(numbers).toEqual([1]);
});

test('requested() and responded() resolve with the request and its response', async () => {
	const requested = proxy.requested((path) => path === '/a');
	const responded = proxy.responded();
	await ask();
	await expect(Promise.all([requested, responded])).resolves.toEqual([undefined, undefined]);
});
