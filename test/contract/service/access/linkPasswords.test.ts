import type * as Passwords from '../../../../service/rules/passwords';
import { basic, makeGrid } from '../http';
import { testPeople } from '../people';

/** Checks of passwords wait here until a test lets them continue. */
const mockChecks: { started: () => void; gate: Promise<void> } = {
	started: () => undefined,
	gate: Promise.resolve(),
};
jest.mock('../../../../service/rules/passwords', () => {
	const actual = jest.requireActual<typeof Passwords>('../../../../service/rules/passwords');
	return {
		...actual,
		passwordMatches: async (password: string, hash: string) => {
			mockChecks.started();
			if (password !== 'open at once') await mockChecks.gate;
			return await actual.passwordMatches(password, hash);
		},
	};
});

const context = testPeople({ now: () => 0, passwordCost: 16, trustedProxies: ['127.0.0.1'] });
let grid: string;
let open: () => void;
beforeAll(async () => {
	({ grid } = await makeGrid(context.owner, { a: { name: 'string' } }));
});
beforeEach(() => {
	mockChecks.gate = new Promise((opened) => (open = opened));
});

const newLink = async (password: string) =>
	await context.owner.create(`${grid}/links`, { kind: 'form', user: 'guest', password });
const attempt = async (link: string, password: string, address = '203.0.113.1', method = 'GET') => {
	const headers = { authorization: basic('guest', password), 'x-forwarded-for': address };
	return (await context.anonymous.send(method, link, { headers })).status;
};

// Without a body, a request is checked once: neither before its body nor after a write of others.
test.each(['GET', 'POST'])(
	'a link that is deleted while its password is checked does not open: %s',
	async (method) => {
		const link = await newLink('open sesame');
		const started = new Promise<void>((resolve) => (mockChecks.started = resolve));
		const opening = attempt(link, 'open sesame', undefined, method);
		await started;
		const { items } = (await context.owner.read(`${grid}/links`)) as { items: Array<{ id: string }> };
		expect((await context.owner.delete(`${grid}/links/${String(items.at(-1)?.id)}`)).status).toBe(200);
		open();
		expect(await opening).toBe(404);
	},
);

test('nobody waits for the guesses of another address, of which only some wait', async () => {
	const links = await Promise.all(Array.from({ length: 5 }, async () => await newLink('open sesame')));
	const other = await newLink('open at once');
	const guesses = links.flatMap((link) =>
		Array.from({ length: 20 }, async (_, n) => await attempt(link, `wrong ${n}`)),
	);
	let refused = 0;
	for (const guess of guesses) void guess.then((status) => (refused += status === 429 ? 1 : 0));
	expect(await attempt(other, 'open at once', '203.0.113.2')).toBe(200);
	expect((await fetch(context.service.url)).status).toBe(200);
	open();
	await Promise.all(guesses);
	expect(refused).toBeGreaterThan(0);
	expect(refused).toBeLessThan(100);
});
