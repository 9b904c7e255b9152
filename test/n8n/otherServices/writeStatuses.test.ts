import { caseOf, offered, withTitles } from '../cases';
import type { PassingResponse, Rule } from '../../../testbed/proxy/faultProxy';
import { byId } from '../../../testbed/world/parameters';
import { SampleWorld } from '../../../testbed/world/sampleWorld';
import type * as SkippedWaits from '../../fixtures/skippedWaits';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof SkippedWaits>('../../fixtures/skippedWaits').withoutWaits(),
);

/** A service that responds to writes with other statuses than those of §4. */
let world: SampleWorld;

beforeAll(async () => {
	world = await SampleWorld.start();
});
afterAll(async () => {
	await world.stop();
});

const isWrite = (method: string) => method !== 'GET';

/** Redirects each write with 303 to its own address, which then returns the response. */
class Results {
	private readonly parked: Array<Pick<PassingResponse, 'headers' | 'body'>> = [];

	readonly rule: Rule = ({ method, path }) => {
		const index = /^\/api\/results\/(\d+)/.exec(path)?.[1];
		const found = index === undefined ? undefined : this.parked[Number(index)];
		if (found) {
			const type = String(found.headers['content-type'] ?? 'text/plain');
			return { kind: 'response', status: 200, headers: { 'content-type': type }, body: found.body };
		}
		if (!isWrite(method)) return undefined;
		return {
			kind: 'change',
			response: (response) => {
				const { status, headers } = response;
				if (status >= 300) return {};
				const isNewResource = headers.location !== undefined && !path.includes('/accessKeys');
				const location = isNewResource
					? String(headers.location)
					: `/api/results/${this.parked.push(response) - 1}`;
				return { status: 303, headers: { location }, body: '' };
			},
		};
	};
}

test.each(withTitles(offered))(
	'reads the result of %s from the address in a 303',
	async (_title, operation) => {
		const { parameters, input, output, outputSince2 = output } = caseOf(operation);
		world.listen();
		const given = await parameters(world);
		world.listen(new Results().rule);
		const { rows, error } = await world.run({ ...operation, parameters: given }, { input: input?.(world) });
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject(outputSince2);
	},
);

const create = (order: string) => ({
	node: 'entity' as const,
	resource: 'entity',
	operation: 'create',
	parameters: { ...world.inGrid, ...world.orders.mapped({ Order: order, Quantity: 1 }) },
});
const update = (entity: string) => ({
	node: 'entity' as const,
	resource: 'entity',
	operation: 'update',
	parameters: { ...world.inGrid, entity: byId(entity), ...world.orders.mapped({ Quantity: 7 }) },
});
const remove = (entity: string) => ({
	node: 'entity' as const,
	resource: 'entity',
	operation: 'delete',
	parameters: { ...world.inGrid, entity: byId(entity) },
});

const newRow = async () => (await world.orders.fill([{ Order: world.fresh('S'), Quantity: 1 }]))[0] ?? '';
const UNKNOWN = 'It is unknown whether the service carried out the request';

/** Responds to writes without carrying them out. */
const instead =
	(status: number, headers: Record<string, string> = {}, body = ''): Rule =>
	({ method }) =>
		isWrite(method) ? { kind: 'response', status, headers, body } : undefined;

/** Carries writes out, and responds with another status. */
const changed =
	(response: Partial<Pick<PassingResponse, 'status' | 'body'>>): Rule =>
	({ method }) =>
		isWrite(method)
			? { kind: 'change', response: ({ status }) => (status < 300 ? response : {}) }
			: undefined;

describe('a 303 without a result', () => {
	it.each<[string, (page: string) => Rule]>([
		['a login page', () => instead(303, { location: '/login' })],
		['another server', () => instead(303, { location: 'https://login.example/start' })],
		['a list', (list) => instead(303, { location: list })],
	])('leaves the outcome of a creation unknown: %s', async (_what, ruleFor) => {
		const { userId, spaceId, gridId } = world.orders.grid.address;
		const rule = ruleFor(`/api/users/${userId}/spaces/${spaceId}/grids/${gridId}/entities`);
		const page: Rule = ({ path }) =>
			path === '/login'
				? { kind: 'response', status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Log in</h1>' }
				: undefined;
		world.listen((request, number) => page(request, number) ?? rule(request, number));
		const { error } = await world.run(create('Nowhere'));
		expect(error?.message).toContain(UNKNOWN);
		expect(world.writes).toHaveLength(1);
	});

	const creations = offered.filter(
		({ resource, operation }) => operation === 'create' && ['grid', 'view'].includes(resource),
	);
	it.each(creations.map((operation) => [operation.title, operation] as const))(
		'is not taken for the new resource if it leads back to another one: %s',
		async (_title, operation) => {
			const { userId, spaceId } = world.orders.grid.address;
			const parameters = await caseOf(operation).parameters(world);
			world.listen(instead(303, { location: `/api/users/${userId}/spaces/${spaceId}` }));
			const { rows, error } = await world.run({ ...operation, parameters });
			expect(rows).toEqual([]);
			expect(error?.message).toContain(UNKNOWN);
		},
	);
});

describe('a 303 to a column creation', () => {
	const inGrid = () => {
		const { userId, spaceId, gridId } = world.orders.grid.address;
		const space = `/api/users/${userId}/spaces/${spaceId}`;
		return { space, grid: `${space}/grids/${gridId}` };
	};
	const add = async (name: string) =>
		await world.run({
			node: 'grid',
			resource: 'field',
			operation: 'create',
			parameters: { ...world.inGrid, name, type: 'string' },
		});
	const task: Rule = ({ path }) =>
		path === '/api/tasks/1' ? { kind: 'response', status: 200, body: '{"id":"1"}' } : undefined;

	it.each([
		['the space', () => inGrid().space],
		['the grid without the column', () => inGrid().grid],
		['a task', () => '/api/tasks/1'],
	])('leaves the outcome unknown if it leads to %s', async (_what, location) => {
		const rule = instead(303, { location: location() });
		world.listen((request, number) => task(request, number) ?? rule(request, number));
		const { rows, error } = await add(world.fresh('Column'));
		expect(rows).toEqual([]);
		expect(error?.message).toContain(UNKNOWN);
	});

	it('succeeds if the grid has the new column', async () => {
		world.listen(({ method }) =>
			isWrite(method)
				? {
						kind: 'change',
						response: () => ({ status: 303, headers: { location: inGrid().grid }, body: '' }),
					}
				: undefined,
		);
		const name = world.fresh('Column');
		const { rows, error } = await add(name);
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ name, id: expect.stringMatching(/./) as unknown });
	});
});

describe('a write that is only accepted (202)', () => {
	it('succeeds if the new row can be read', async () => {
		world.listen(changed({ status: 202, body: '' }));
		const { rows, error } = await world.run(create(world.fresh('Accepted')));
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ Quantity: 1, _id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown });
	});

	it.each([
		['without an address', {}],
		['with the address of a task', { location: '/api/tasks/1' }],
		['with the address of a row that does not exist yet', { location: 'entities/000000000000000000000000' }],
	])('leaves the outcome of a creation unknown: %s', async (_what, headers) => {
		const task: Rule = ({ path }) =>
			path === '/api/tasks/1'
				? { kind: 'response', status: 200, body: '{"id":"1","state":"queued"}' }
				: undefined;
		const rule = instead(202, headers);
		world.listen((request, number) => task(request, number) ?? rule(request, number));
		const { error } = await world.run(create('Queued'));
		expect(error?.message).toContain(UNKNOWN);
		expect(error?.message).not.toContain('created it');
		expect(world.writes).toHaveLength(1);
	});

	it.each([
		['Create or Update', 'entity', 'upsert', {}],
		['Create with Avoid Duplicates By', 'entity', 'create', { avoidDuplicatesBy: ['Order'] }],
		['Sync', 'bulk', 'sync', {}],
	])('is not repeated if %s does not find the row', async (_what, resource, operation, options) => {
		world.listen(instead(202));
		const { inGrid, orders } = world;
		const values = { Order: world.fresh('Later'), Quantity: 1 };
		const columns = orders.mapped(values, operation === 'create' ? [] : ['Order']);
		const parameters = { ...inGrid, ...columns, options };
		const { error } = await world.run({ node: 'entity', resource, operation, parameters });
		expect(error?.message).toContain(UNKNOWN);
		expect(world.writes).toHaveLength(1);
	});

	it('is not sent again for a further item with the same key', async () => {
		world.listen(instead(202));
		const { inGrid, orders } = world;
		const call = { node: 'entity', resource: 'entity', operation: 'upsert' } as const;
		const row = { Order: world.fresh('Twice'), Quantity: 1 };
		const { rows } = await world.run(
			{ ...call, parameters: { ...inGrid, ...orders.auto(['Order']) } },
			{ input: [row, { ...row, Quantity: 2 }], onError: 'continueRegularOutput' },
		);
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['unknown', 'unknown']);
		expect(world.writes).toHaveLength(1);
	});

	it('succeeds if the row has the new values, or does not exist after its deletion', async () => {
		const id = await newRow();
		world.listen(changed({ status: 202, body: '' }));
		expect((await world.run(update(id))).rows[0]).toMatchObject({ _id: id, Quantity: 7 });
		expect((await world.run(remove(id))).rows[0]).toMatchObject({ _id: id, deleted: true });
	});

	it('succeeds if the row has the new values in another spelling', async () => {
		const id = await newRow();
		const asTexts: Rule = ({ method, path }) => ({
			kind: 'change',
			response: ({ body }) => {
				if (isWrite(method)) return { status: 202, body: '' };
				return path.includes(id) ? { body: body.replace(/:7(?=[,}])/g, ':"7.00"') } : {};
			},
		});
		world.listen(asTexts);
		const { rows, error } = await world.run(update(id));
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ _id: id });
	});

	it.each([
		['seconds', 1000],
		['milliseconds', 1],
	])('succeeds if the new date-time is shown as a number of %s', async (_unit, unitMs) => {
		const events = await world.grid({ At: 'date-time' });
		const [id = ''] = await events.fill([{ At: '2026-01-01T00:00:00Z' }]);
		const numbersIn = (body: string) =>
			body.replace(/"2026-[^"]*T[^"]*"/g, (text) => String(Date.parse(text.slice(1, -1)) / unitMs));
		world.listen(({ method }) => ({
			kind: 'change',
			response: ({ body }) => (isWrite(method) ? { status: 202, body: '' } : { body: numbersIn(body) }),
		}));
		const values = events.mapped({ At: '2026-05-06T07:08:09+02:00' });
		const { rows, error } = await events.run('update', { entity: byId(id), ...values });
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ _id: id });
	});

	it('leaves the outcome unknown if the row is unchanged', async () => {
		const id = await newRow();
		world.listen(instead(202));
		expect((await world.run(update(id))).error?.message).toContain(UNKNOWN);
		world.listen(instead(202, {}, '"deleted"'));
		expect((await world.run(remove(id))).error?.message).toContain(UNKNOWN);
	});

	it('shows a hint if §4 does not specify a response', async () => {
		world.listen(changed({ status: 202, body: '' }));
		const column = await world.newColumn();
		const { rows, error, hints } = await world.run({
			node: 'grid',
			resource: 'field',
			operation: 'rename',
			parameters: { ...column, newName: 'Heading' },
		});
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ name: 'Heading' });
		expect(hints.join()).toContain('accepted a change (status 202), but did not say whether it has made it');
	});
});

it.each([409, 412, 423, 428])(
	'reports a write that was refused with %d, and sends it once',
	async (status) => {
		const id = await newRow();
		for (const call of [create('Refused'), update(id), remove(id)]) {
			world.listen(instead(status));
			const { error } = await world.run(call);
			expect(error?.message).toBe('The service refused the request, and nothing was changed');
			expect(world.writes).toHaveLength(1);
		}
	},
);
