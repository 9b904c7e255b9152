import { z } from 'zod/v4';
import type { ClientCall } from './clientCalls';
import { clientCalls } from './clientCalls';
import { readList } from '../../client';
import { fuzzClient, judgeCall } from './client';
import { plan, report } from './plan';

const { runs, seed } = plan({ inTests: 5 * Object.keys(clientCalls).length });

it(
	'every call of the client, against hostile answers, ends in a result or in a clear message',
	async () => {
		const progress = report('client', runs);
		const result = await fuzzClient(seed, runs, progress.show);
		progress.end(result);
		expect(result.counterexample).toBeUndefined();
		expect(result).toMatchObject({ runs, crashes: 0, hangs: 0 });
		expect(Math.min(result.results, result.messages)).toBeGreaterThan(runs / 20);
	},
	plan.timeout,
);

test.each(Object.entries(clientCalls))('%s fails if the service refuses its requests', async (_, call) => {
	const { verdict } = await judgeCall(call, [{ status: 400, headers: {}, body: '' }]);
	expect(verdict).toEqual({ fine: 'message' });
});

describe('the fuzz test detects a faulty client', () => {
	const found = async (call: ClientCall) => {
		const { crashes } = await fuzzClient(1, 60, undefined, { broken: call });
		return { crashes };
	};
	const text = (body: string | Uint8Array) =>
		typeof body === 'string' ? body : Buffer.from(body).toString();

	it('that trusts the shape of a response', async () => {
		const { crashes } = await found(async ({ session }) => {
			const { body } = await session.send({ method: 'GET', href: '/api' });
			return z.object({ items: z.array(z.unknown()) }).parse(JSON.parse(text(body)));
		});
		expect(crashes).toBeGreaterThan(0);
	});

	it('that follows pages without a limit', async () => {
		const page = z.object({ items: z.array(z.unknown()).min(1) });
		const answers = [{ status: 200, headers: {}, body: '{"items":[{"_id":"e#"}],"numberOfPages":#1}' }];
		const { verdict } = await judgeCall(
			async ({ session }) => {
				for (let pageIndex = 1; ; pageIndex++)
					await session.read(page, { method: 'GET', href: '/api', query: { pageIndex } });
			},
			answers,
			500,
		);
		expect(verdict).toEqual({ hang: 'Requests without end' });
		const { verdict: ours } = await judgeCall(({ spaces }) => readList(spaces.list()), answers, 500);
		expect(ours).toEqual({ fine: 'message' });
	});

	it('that copies members into its own objects', async () => {
		const { crashes } = await found(async ({ session }) => {
			const parsed: unknown = JSON.parse(
				text((await session.send({ method: 'GET', href: '/api' })).body) || '0',
			);
			return Object.assign({}, parsed);
		});
		expect(crashes).toBeGreaterThan(0);
	});

	it('that sends requests to any server in a link', async () => {
		const answers = [{ status: 302, headers: { location: 'https://evil.example/api' }, body: '' }];
		const { verdict } = await judgeCall(async ({ session }, transport) => {
			const headers = {};
			const { headers: said } = await transport.send({
				method: 'GET',
				url: session.resolve('/').href,
				headers,
				expect: 'text',
			});
			return await transport.send({ method: 'GET', url: said['location'] ?? '', headers, expect: 'text' });
		}, answers);
		expect(verdict).toEqual({ crash: 'A request went to https://evil.example' });
	});
});

describe('defects that it found do not return', () => {
	it.each([['fields.of', '{"properties":{"":{}}}']])('%s with the response %s', async (name, body) => {
		const { verdict } = await judgeCall(
			async (client, transport) => await clientCalls[name]?.(client, transport),
			[{ status: 200, headers: {}, body }],
		);
		expect(verdict).toEqual({ fine: 'message' });
	});
});
