import { z } from 'zod/v4';
import { endpoints } from '../../../../client/endpoints/endpoints';
import { ConnectionFailed, ForeignOrigin, InvalidInput } from '../../../../client/errors';
import { Session, type Call, type SessionOptions } from '../../../../client/session/session';
import type { Transport, TransportRequest, TransportResponse } from '../../../../client/http/transport';
import { VirtualTime } from '../../../simulation/virtualTime';
import { post } from '../../../../testbed/world/makeGrid';

/** A transport with scripted responses, which records the requests. */
class ScriptedTransport implements Transport {
	readonly sent: TransportRequest[] = [];
	private readonly time = new VirtualTime();
	now = this.time.now;
	sleep = this.time.sleep;

	constructor(private readonly responses: Array<Partial<TransportResponse> | Error>) {}

	async send(request: TransportRequest): Promise<TransportResponse> {
		const response = this.responses[this.sent.push(request) - 1] ?? {};
		if (response instanceof Error) throw response;
		return await Promise.resolve({ status: 200, headers: {}, body: '{}', ...response });
	}

	run<Result>(work: Promise<Result>): Promise<Result> {
		return this.time.run(work);
	}
}

function scripted(
	responses: Array<Partial<TransportResponse> | Error> = [],
	baseUrl = 'https://grids.example',
	options?: SessionOptions,
) {
	const transport = new ScriptedTransport(responses);
	return { transport, session: new Session(transport, baseUrl, options) };
}

const get = (href: string, rest: Partial<Call> = {}): Call => ({ method: 'GET', href, ...rest });

describe('the base URL', () => {
	it.each([
		['https://grids.example', '/api/users/me', 'https://grids.example/api/users/me'],
		['https://grids.example/', '/api/users/me', 'https://grids.example/api/users/me'],
		[' https://grids.example/api/ ', '/api/users/me', 'https://grids.example/api/users/me'],
		['https://x.example:8443/grids/', '/api/a', 'https://x.example:8443/grids/api/a'],
		['https://x.example/grids/api', '/grids/api/a', 'https://x.example/grids/api/a'],
		['https://x.example/grids', 'https://x.example/api/a', 'https://x.example/grids/api/a'],
		['https://x.example/grids', 'HTTPS://X.Example:443/grids/api/a#b', 'https://x.example/grids/api/a'],
		['https://x.example/grids', 'api/a', 'https://x.example/grids/api/a'],
		['http://127.0.0.1:80', 'http://127.0.0.1/api/a', 'http://127.0.0.1/api/a'],
		['https://grids.example', 'https://user:word@grids.example/api/a#', 'https://grids.example/api/a'],
		['https://x.example/api/api', '/api/users/me', 'https://x.example/api/api/users/me'],
		['https://x.example/api/api', '/api/api/users/me', 'https://x.example/api/api/users/me'],
	])('%s resolves the href %s to %s', (baseUrl, href, url) => {
		expect(scripted([], baseUrl).session.resolve(href).href).toBe(url);
	});

	it.each(['', 'grids.example', 'ftp://grids.example', 'https://key:secret@grids.example', 'file:///etc'])(
		'cannot be %p',
		(baseUrl) => {
			expect(() => scripted([], baseUrl)).toThrow(InvalidInput);
		},
	);

	it.each([
		'https://grids.example.evil.example/api',
		'http://grids.example/api',
		'https://grids.example:444/api',
		'//evil.example/api',
		'https://grids.example@evil.example/api',
		'\\\\evil.example/api',
	])('does not include %s, so nothing is sent there', async (href) => {
		const { session, transport } = scripted();
		await expect(session.send(get(href))).rejects.toBeInstanceOf(ForeignOrigin);
		expect(transport.sent).toEqual([]);
	});
});

describe('a redirect', () => {
	const redirect = (status: number, location: string) => ({ status, headers: { location }, body: '' });

	it.each([
		[301, 'https://evil.example/api/a'],
		[302, '//evil.example/api/a'],
		[303, 'http://grids.example/api/a'],
		[307, 'https://grids.example@evil.example/api/a'],
		[308, 'https://grids.example:444/api/a'],
	])('with %d to another origin is not followed: %s', async (status, location) => {
		const { session, transport } = scripted([redirect(status, location)]);
		await expect(session.send(get('/api/a'))).rejects.toMatchObject({ name: 'ForeignOrigin' });
		expect(transport.sent).toHaveLength(1);
	});

	it('within the origin is followed, and abandoned if it is a loop', async () => {
		const { session, transport } = scripted([redirect(302, 'https://grids.example/api/b')]);
		await session.send(get('/api/a'));
		expect(transport.sent.map(({ url }) => url)).toEqual(['a', 'b'].map((name) => `https://grids.example/api/${name}`)); // prettier-ignore
		const loop = scripted(Array.from({ length: 20 }, () => redirect(302, '/api/a')));
		await expect(loop.session.send(get('/api/a'))).rejects.toMatchObject({ name: 'TooManyRedirects' });
		expect(loop.transport.sent).toHaveLength(6);
	});
});

describe('an address from data or from a person', () => {
	const below = (href: string, baseUrl = 'https://x.example/a/') => scripted([], baseUrl).session.below(href);

	it.each([
		['/api/users/u1', 'https://x.example/a/api/users/u1'],
		['/a/api/users/u1', 'https://x.example/a/api/users/u1'],
		['api/users/u1', 'https://x.example/a/api/users/u1'],
		['https://x.example/api/users/u1?b=/../c', 'https://x.example/a/api/users/u1?b=/../c'],
		['https://x.example/a/api/users/u%201', 'https://x.example/a/api/users/u%201'],
		['/a/b/../api/users/u1', 'https://x.example/a/api/users/u1'],
		['/api/users/..u1/e.1', 'https://x.example/a/api/users/..u1/e.1'],
	])('is accepted below the base URL: %s', (href, url) => {
		expect(below(href)?.href).toBe(url);
		expect(below(href, 'https://x.example/a/api')?.href).toBe(url);
	});

	it.each([
		'/b/api/users/u1',
		'/apiary/users/u1',
		'/a',
		'/a/../b/api/users/u1',
		'/api/../../b/api/users/u1',
		'../b/api/users/u1',
		'/a/.%2E/b/api/users/u1',
		'/a/.\t./b/api/users/u1',
		'/a\\..\\b\\api\\users\\u1',
		'https://x.example/a/%2e%2e/b/api/users/u1',
		'/a/..%2fb/api/users/u1',
		'/a/..%5Cb/api/users/u1',
		'/a/api/users%2Fu1',
		'/a/..%252fb/api/users/u1',
		'/a/%252e%252E/b/api/users/u1',
		'/a/..;/b/api/users/u1',
		'/a/..;c=1/b/api/users/u1',
		'/a/api/..%3b/users/u1',
		'/A/api/users/u1',
		'https://y.example/a/api/users/u1',
		'//y.example/a/api/users/u1',
		'https://',
	])('is refused elsewhere, or if its encoding hides where it leads: %s', (href) => {
		expect(below(href)).toBeUndefined();
	});
});

describe('a request', () => {
	it('accepts version 2 of the representation (§9), and text', async () => {
		const { session, transport } = scripted();
		await session.send(get('/api/a', { query: { pageIndex: 2 } }));
		expect(transport.sent).toEqual([
			{
				method: 'GET',
				url: 'https://grids.example/api/a?pageIndex=2',
				headers: { accept: 'application/vnd.service.hal;version=2' },
				expect: 'text',
			},
		]);
	});

	it('sends an empty object as JSON', async () => {
		const { session, transport } = scripted([{ status: 201, headers: { location: '/api/a/1' } }]);
		await post(session, { href: '/api/a', body: {} });
		expect(transport.sent[0]).toMatchObject({ body: '{}', headers: { 'content-type': 'application/json' } });
	});

	it('sends content unchanged, with its own type', async () => {
		const { session, transport } = scripted();
		const data = new Uint8Array([1, 2]);
		await session.send({ method: 'POST', href: '/api/a', content: { type: 'text/csv', data } });
		expect(transport.sent[0]).toMatchObject({ body: data, headers: { 'content-type': 'text/csv' } });
	});

	it('uses the method of the link, or the default if it is none of HTTP', () => {
		expect(Session.callOf({ href: '/a', method: 'put' }).method).toBe('PUT');
		expect(Session.callOf({ href: '/a', method: 'brew' }, {}, 'DELETE').method).toBe('DELETE');
		expect(Session.callOf({ href: '/a', method: 'brew' }).method).toBe('GET');
	});
});

describe("a link's method (§2.1)", () => {
	const target = (rel: string, method: string) => ({
		_links: new Map([[rel, { href: '/go/7f', method }]]),
		_representation: 'full',
	});

	it.each(['delete', 'put', 'post', 'patch'])('%s does not turn a read into a write', async (method) => {
		const { session, transport } = scripted();
		await session.follow(endpoints.entityList, target('entities', method));
		expect(transport.sent.map((request) => request.method)).toEqual(['GET']);
	});

	it('delete does not turn an update or a creation into a deletion', async () => {
		const { session, transport } = scripted();
		await session.follow(endpoints.entityUpdate, target('update', 'delete'), { body: {} });
		await session.follow(endpoints.entityCreate, target('addEntity', 'DELETE'), { body: {} });
		expect(transport.sent.map((request) => request.method)).toEqual(['PUT', 'POST']);
	});

	it('is used otherwise', async () => {
		const { session, transport } = scripted();
		await session.follow(endpoints.entityUpdate, target('update', 'patch'), { body: {} });
		await session.follow(endpoints.entityDelete, target('remove', 'post'));
		await session.follow(endpoints.entityDelete, target('remove', 'delete'));
		expect(transport.sent.map((request) => request.method)).toEqual(['PATCH', 'POST', 'DELETE']);
	});
});

describe('the response to a creating POST (§4)', () => {
	it.each([
		[{ headers: { location: '/api/users/u/spaces/s%201' }, body: 'Created …' }, 's 1'],
		[{ headers: { location: 'https://grids.example/api/users/u/spaces/s?x=1' } }, 's'],
		[{ headers: { location: 's' } }, 's'],
		[{ headers: { location: '/api/users/u/spaces/s/' }, body: '{"id":"another"}' }, 's'],
	])('identifies the resource: %j', async (response, id) => {
		const { session, transport } = scripted([{ status: 201, ...response }]);
		const creating = post(session, { href: '/api/users/u/spaces/' }, 'space');
		expect((await creating).id).toBe(id);
		expect(transport.sent).toHaveLength(1);
	});

	it('with an opaque address causes a request for the ID of the resource', async () => {
		const opaque = { status: 201, headers: { location: '/go/7f' } };
		const { session, transport } = scripted([opaque, { body: '{"id":"a column","_id":"e1"}' }]);
		const creating = post(session, { href: '/api/e' }, 'entity');
		expect(await creating).toEqual({ href: '/go/7f', id: 'e1' });
		expect(transport.sent[1]).toMatchObject({ method: 'GET', url: 'https://grids.example/go/7f' });
	});

	it('with an opaque address that may not be read has no ID, and the address is only requested once', async () => {
		const opaque = { status: 201, headers: { location: '/go/7f' } };
		const { session, transport } = scripted([opaque, { status: 403 }, opaque]);
		const create = async () => await post(session, { href: '/api/e' }, 'entity');
		expect([await create(), await create()]).toEqual([
			{ href: '/go/7f', id: null },
			{ href: '/go/7f', id: null },
		]);
		expect(transport.sent.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
	});

	it.each([
		[{ body: 'Created /api/e/7' }, 'there is no Location header, and the body is Created /api/e/7'],
		[{ body: '' }, 'and the body is empty'],
		[{ headers: { location: 'https://elsewhere.example/api/e/7' } }, 'pointed to https://elsewhere.example'],
		[{ headers: { location: 'https://[' } }, 'is not an address'],
	])('%j still means that the resource was created', async (response, why) => {
		const { session } = scripted([{ status: 201, body: '', ...response }]);
		const creating = post(session, { href: '/api/e' });
		await expect(creating).rejects.toMatchObject({ name: 'CreatedUnlocated', outcome: 'created' });
		await expect(creating).rejects.toThrow('The service created it, but did not return its address');
		await expect(creating).rejects.toThrow(why);
	});
});

describe('the status of the response to a write', () => {
	const create = async (status: number, headers = {}) => {
		const { session, transport } = scripted([{ status, headers, body: '' }]);
		const creating = post(session, { href: '/api/e' }, 'entity');
		return { error: await creating.catch((error: unknown) => error), sent: transport.sent };
	};

	it.each([200, 202, 203, 204, 206, 300, 302, 303, 307])('%d does not show a creation', async (status) => {
		const { error, sent } = await create(status, { location: '/api/users/u/spaces/s/grids/g/entities/e' });
		expect(error).toMatchObject({
			name: 'OutcomeUnknown',
			facts: { method: 'POST', path: '/api/e', status },
		});
		expect(String(error)).toMatch(new RegExp(`the response has status ${status}, not 20.* \\(§4\\)`));
		expect(sent).toHaveLength(1);
	});

	it.each(['PUT', 'PATCH', 'DELETE', 'POST'] as const)(
		'202 and 303 to %s are not followed up',
		async (method) => {
			for (const status of [202, 303]) {
				const { session, transport } = scripted([{ status, headers: { location: '/api/a/1' } }]);
				const writing = session.send({ method, href: '/api/a', repeatable: true });
				await expect(writing).rejects.toMatchObject({ name: 'OutcomeUnknown', facts: { status } });
				expect(transport.sent).toHaveLength(1);
			}
		},
	);

	it.each([200, 201, 204])('%d shows that it was carried out, whatever the body', async (status) => {
		const { session } = scripted([{ status, body: 'OK' }]);
		expect(await session.send({ method: 'PATCH', href: '/api/a' })).toMatchObject({ status });
	});
});

describe('an unreadable response', () => {
	const schema = z.object({ id: z.string() });
	it.each([
		['{"id": "a"', /not JSON/],
		['<html></html>', /an HTML page/],
		['', /not JSON/],
		['{"id": 7}', /specified shape \(id: /],
		['null', /specified shape/],
	])('is reported for the body %p', async (body, message) => {
		const { session } = scripted([{ body }]);
		const reading = session.read(schema, get('/api/a'));
		await expect(reading).rejects.toMatchObject({ name: 'UnreadableResponse', facts: { status: 200 } });
		await expect(reading).rejects.toThrow(message);
	});

	it('is shown without secrets, and only in part', async () => {
		const { session } = scripted([{ body: `Authorization: Basic dGhlLXNlY3JldA== ${'x'.repeat(1000)}` }]);
		const error: unknown = await session.read(schema, get('/api/a')).catch((caught: unknown) => caught);
		expect(String(error)).not.toContain('dGhlLXNlY3JldA');
		expect(String(error).length).toBeLessThan(300);
	});

	it('is shown without secrets if one is the name of a member', async () => {
		const { session } = scripted([{ body: '{"properties":{"Basic dGhlLXNlY3JldA==":0}}' }]);
		const named = z.object({ properties: z.record(z.string(), z.string()) });
		await expect(session.read(named, get('/api/a'))).rejects.toThrow(/properties\.Basic \*\*\*:/);
	});
});

describe('a refusal by the service', () => {
	it('contains method, path, message and details, and no secret', async () => {
		const body = JSON.stringify({ message: 'no; got Bearer abcdefghijkl', details: { field: 'f1' } });
		const { session } = scripted([{ status: 400, body }]);
		await expect(session.send(get('/api/a?b=1'))).rejects.toMatchObject({
			name: 'BadRequest',
			facts: {
				method: 'GET',
				path: '/api/a?b=1',
				status: 400,
				serviceMessage: 'no; got Bearer ***',
				details: { field: 'f1' },
			},
		});
	});

	it.each([
		['no such row', 'no such row'],
		['<!doctype html><h1>Oops</h1>', 'The service responded with status 400'],
		['', 'The service responded with status 400'],
	])('has the words of the body %j, unless it is a page', async (body, words) => {
		const { session } = scripted([{ status: 400, body }]);
		await expect(session.send(get('/api/a'))).rejects.toThrow(new RegExp(`^${words}$`));
	});

	it('does not contain irrelevant details of a body', async () => {
		const body = JSON.stringify({ message: 'no', details: 'x'.repeat(70_000) });
		const { session } = scripted([{ status: 400, body }]);
		const error: unknown = await session.send(get('/api/a')).catch((failure: unknown) => failure);
		expect(error).toMatchObject({ facts: { serviceMessage: 'no' } });
		expect(error).not.toHaveProperty('facts.details');
	});
});

describe('repeating a request', () => {
	it('depends on the method, unless the call specifies it', async () => {
		const calls: Array<[Call, number]> = [
			[{ method: 'GET', href: '/a' }, 2],
			[{ method: 'PUT', href: '/a' }, 2],
			[{ method: 'DELETE', href: '/a' }, 2],
			[{ method: 'POST', href: '/a' }, 1],
			[{ method: 'PATCH', href: '/a' }, 1],
			[{ method: 'POST', href: '/a', repeatable: true }, 2],
			[{ method: 'GET', href: '/a', retry: false }, 1],
		];
		for (const [call, times] of calls) {
			const { session, transport } = scripted([new ConnectionFailed('ECONNRESET', true)]);
			await transport.run(session.send(call).catch(() => undefined));
			expect([call, transport.sent.length]).toEqual([call, times]);
		}
	});

	it('follows the policy of the call, else that of the session', async () => {
		const failures = Array.from({ length: 20 }, () => ({ status: 500 }));
		const session = scripted(failures, undefined, { retry: { retries: 3 } });
		await session.transport.run(session.session.send(get('/a')).catch(() => undefined));
		expect(session.transport.sent).toHaveLength(4);
		const call = scripted(failures, undefined, { retry: { retries: 3 } });
		await call.transport.run(call.session.send(get('/a', { retry: { retries: 1 } })).catch(() => undefined));
		expect(call.transport.sent).toHaveLength(2);
	});

	it('names the request in the final error', async () => {
		const { session } = scripted([new ConnectionFailed('ENOTFOUND', false)]);
		await expect(session.send(get('/api/a'))).rejects.toMatchObject({
			code: 'ENOTFOUND',
			reached: false,
			facts: { method: 'GET', path: '/api/a' },
		});
	});

	it('completes a DELETE whose response was lost like the service would (§4.5)', async () => {
		const { session, transport } = scripted([new ConnectionFailed('ECONNRESET', true), { status: 404 }]);
		const response = await transport.run(session.send({ method: 'DELETE', href: '/api/a' }));
		expect(response).toMatchObject({
			status: 200,
			body: '"deleted"',
			facts: { method: 'DELETE', path: '/api/a' },
		});
	});
});
