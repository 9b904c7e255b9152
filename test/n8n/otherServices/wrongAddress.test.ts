import '../../fixtures/skippedWaits';
import { startFaultProxy, type FaultProxy, type Fault } from '../../../testbed/proxy/faultProxy';
import type { INodeParameters } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { loadOptionsContext, testCredential } from '../../../testbed/engine/engine';
import { byId, textOf } from '../../../testbed/world/parameters';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/** Base URLs at which another server, or no server, responds. */
const world = SampleWorld.forTests();
let elsewhere: FaultProxy;
let stopped: FaultProxy;

beforeAll(async () => {
	elsewhere = await startFaultProxy(world.service.url);
	stopped = await startFaultProxy(world.service.url);
	await stopped.stop();
});
afterAll(async () => {
	await elsewhere.stop();
});

const getMany = { node: 'entity', resource: 'entity', operation: 'getMany' } as const;
const html = { 'content-type': 'text/html' };
const servers: Array<[string, Fault]> = [
	['a web page', { kind: 'response', status: 200, headers: html, body: '<html>Welcome</html>' }],
	[
		'a web page that says "not found"',
		{ kind: 'response', status: 404, headers: html, body: '<html>No</html>' },
	],
	['another API', { kind: 'response', status: 200, body: '{"ok":true}' }],
	[
		'another API that does not have the path',
		{ kind: 'response', status: 404, body: '{"message":"no route"}' },
	],
	['an empty body', { kind: 'response', status: 200, body: '' }],
];

test.each(servers)(
	'the credential test and a run name the address if it responds with %s',
	async (_name, response) => {
		elsewhere.setRules(() => response);
		const address = `No Data-Grid Service answers at ${elsewhere.url}`;
		const credential = { ...world.owner, baseUrl: elsewhere.url };
		const { status, message } = await testCredential(
			'n8n-nodes-datagrid.entity',
			'testConnection',
			credential,
		);
		expect([status, message]).toEqual(['Error', expect.stringContaining(address)]);
		expect(message).toContain('Check the base URL of the credential');
		const { error } = await world.run(
			{ ...getMany, parameters: { ...world.inGrid, returnAll: true } },
			{ baseUrl: elsewhere.url, input: [{}, {}, {}] },
		);
		expect(error?.message).toContain(address);
	},
);

test('the message contains the address if no server listens there', async () => {
	const { url } = stopped;
	const { error } = await world.run(
		{ ...getMany, parameters: { ...world.inGrid, returnAll: true } },
		{ baseUrl: url },
	);
	expect(error?.message).toBe(`No Data-Grid Service answers at ${url} (connection refused)`);
});

describe('if no server listens at the address, only the first item waits for it', () => {
	const input = [{ Name: 'a' }, { Name: 'b' }, { Name: 'c' }];

	test.each(['create', 'update', 'upsert'])('%s', async (operation) => {
		const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Name'], schema: [] };
		const parameters = { ...world.inGrid, columns, entity: byId('1') };
		const { error } = await world.run({ ...getMany, operation, parameters }, { baseUrl: stopped.url, input });
		expect(error?.description).toContain('1 failed (0), 2 not tried (1 to 2)');
	});

	test.each(['entity', 'grid'] as const)('%s > get, and the others are not tried', async (node) => {
		const { rows } = await world.run(
			{ node, resource: node, operation: 'get', parameters: { ...world.inGrid, entity: byId('1') } },
			{ baseUrl: stopped.url, input, onError: 'continueRegularOutput' },
		);
		const none = `No Data-Grid Service answers at ${stopped.url}`;
		const notTried = `Not tried, because item 0 ended with: ${none}`;
		expect(rows.map(({ error }) => textOf(error).split(' (')[0])).toEqual([none, notTried, notTried]);
	});
});

describe('the column mapper, if nothing listens at the address', () => {
	const getColumns = async (columns: INodeParameters) =>
		await new Entity().methods.resourceMapping.getColumns.call(
			loadOptionsContext({
				type: 'n8n-nodes-datagrid.entity',
				parameters: { ...world.inGrid, columns },
				credentials: world.credentials('owner', stopped.url),
			}),
		);

	test('shows the reason in place of the columns', async () => {
		const { fields, emptyFieldsNotice } = await getColumns({});
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toContain(`No Data-Grid Service answers at ${stopped.url}`);
		expect(emptyFieldsNotice).toContain('Check the base URL');
	});

	test('keeps stored columns, which an empty list would remove', async () => {
		const schema = [{ id: 'order', displayName: 'Order' }];
		await expect(getColumns({ schema })).rejects.toThrow('No Data-Grid Service answers');
	});
});
