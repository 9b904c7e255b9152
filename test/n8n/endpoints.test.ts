import type { INodeParameters } from 'n8n-workflow';
import { endpoints, type Endpoint } from '../../client/endpoints/endpoints';
import { SampleWorld } from '../../testbed/world/sampleWorld';
import { caseOf, offered } from './cases';

/** Settings besides those of the cases that lead to further endpoints. */
const FURTHER: Record<string, Array<(world: SampleWorld) => Promise<INodeParameters>>> = {
	'entity → entity.export': [async (world) => Promise.resolve({ ...world.inGrid, fileMadeBy: 'service' })],
	'entity → entity.getMany': [async (world) => Promise.resolve({ ...world.inGrid, searchText: 'A' })],
	'grid → field.update': [
		async (world) => ({ ...(await world.newColumn()), newName: 'Heading' }),
		async (world) => ({ ...(await world.newColumn()), newKey: 'heading' }),
		async (world) => ({ ...(await world.newColumn()), type: 'richText' }),
	],
	'grid → view.update': [
		async (world) => ({ ...world.inGrid, ...(await world.newView()), options: { removeFilter: true } }),
	],
	'space → share.create': [
		async (world) =>
			Promise.resolve({ ...world.inSpace, email: 'eve@example.com', role: 'reader', sendEmail: true }),
	],
};

/** Endpoints that no node calls, with the reason. */
const NOT_CALLED: Record<string, string> = {
	entityUpdateByPost: 'PUT writes the same values; POST …/update ignores the layout',
};

let world: SampleWorld;
/** Requests by the resource of the operation that sent them, without the query. */
const sent = new Map<string, Set<string>>();

beforeAll(async () => {
	world = await SampleWorld.start();
	for (const operation of offered) {
		const { parameters, input } = caseOf(operation);
		for (const make of [parameters, ...(FURTHER[operation.title] ?? [])]) {
			const given = { ...operation, parameters: await make(world) };
			world.listen();
			const { error } = await world.run(given, { input: input?.(world) });
			if (error) throw new Error(`${operation.title}: ${error.message}`);
			const requests = sent.get(operation.resource) ?? new Set();
			for (const request of world.sent) requests.add(request.replace(/\?.*/, ''));
			sent.set(operation.resource, requests);
		}
	}
}, 300_000);
afterAll(() => world.stop());

const rows = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({ name, ...endpoint }));
const isTwin = ({ method, path }: Endpoint) =>
	rows.filter((row) => row.method === method && row.path === path).length > 1;

/** Whether a node has called an endpoint. A view has a grid's address (§2.8). */
function isCalled(endpoint: Endpoint): boolean {
	const expression = new RegExp(`^${endpoint.method} ${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`);
	return [...sent].some(
		([resource, requests]) =>
			(!isTwin(endpoint) || resource === endpoint.on) &&
			[...requests].some((request) => expression.test(request)),
	);
}

test.each(rows)('$name: a node calls $method $path, or the list says why not', (endpoint) => {
	expect(isCalled(endpoint)).toBe(!Object.hasOwn(NOT_CALLED, endpoint.name));
});

test('the list names only endpoints', () => {
	expect(Object.keys(NOT_CALLED).filter((name) => !Object.hasOwn(endpoints, name))).toEqual([]);
});
