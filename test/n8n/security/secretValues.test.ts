import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { encodingsOf } from '../../fixtures/encodings';
import { loadOptionsContext, pollContext, runNode, testCredential } from '../../../testbed/engine/engine';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { startTestServer, type TestServer } from '../../../testbed/testServer';

/**
 * A service that echoes the values of the credential, plain and encoded, in all its texts.
 */
const SECRET = 's3cr3t/of+the"key';
const NAME = 'the-key';
const dataGridApi = () => ({ baseUrl: server.url, authentication: 'apiKey', key: NAME, secret: SECRET });
const push = () => ({ url: server.url, appId: 'app-1', restApiKey: SECRET });
const link = () => ({ link: `${server.url}/api/a/u1/l1`, user: NAME, password: SECRET });

let server: TestServer;
let reply: { status: number; body: string };

beforeAll(async () => {
	server = await startTestServer((_request, response) => {
		response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
	});
});
afterAll(async () => {
	await server.stop();
});

const encodings = encodingsOf(SECRET, NAME);
const PAIR = Buffer.from(`${NAME}:`).toString('base64').slice(0, 8);
const shown = (produced: unknown) =>
	inspect(produced, { depth: Infinity, maxStringLength: Infinity, showHidden: true, breakLength: Infinity });
/** @param before text that proves that `produced` has the response */
function expectHidden(how: string, produced: unknown, before: string) {
	const text = shown(produced);
	expect([how, text.includes(before)]).toEqual([how, true]);
	const found = encodings.filter(
		([, form]) => text.includes(form) || text.includes(inspect(form, { breakLength: Infinity }).slice(1, -1)),
	);
	expect([how, found]).toEqual([how, []]);
}

const space = async (parameters: INodeParameters = {}) =>
	await runNode({
		type: 'n8n-nodes-datagrid.space',
		parameters: { resource: 'space', operation: 'create', name: 'x', ...parameters },
		credentials: { dataGridApi: dataGridApi() },
	});

const errors: Array<[string, (echo: string) => typeof reply]> = [
	['an error message', (echo) => ({ status: 400, body: JSON.stringify({ message: `Bad: ${echo}` }) })],
	['error details', (echo) => ({ status: 403, body: JSON.stringify({ errors: [{ detail: `Bad: ${echo}` }] }) })],
	['a page', (echo) => ({ status: 200, body: `Bad: ${echo}` })],
	['a long page', (echo) => ({ status: 200, body: `Bad: ${echo.repeat(40)}` })],
]; // prettier-ignore

test.each(errors)('%s reveals no secret in a node, a list, a credential test and the trigger', async (_how, of) => {
	for (const [how, echo] of encodings) {
		reply = of(echo);
		expectHidden(how, (await space()).run, 'Bad: ');
		const settings = { type: 'n8n-nodes-datagrid.entity', parameters: {}, credentials: { dataGridApi: dataGridApi() } };
		const { searchGrids } = new Entity().methods.listSearch;
		const listed: unknown = await searchGrids.call(loadOptionsContext(settings)).catch((error: unknown) => error);
		expectHidden(how, listed, 'Bad: ');
		const tested = await testCredential('n8n-nodes-datagrid.entity', 'testConnection', dataGridApi());
		expectHidden(how, tested, 'status');
		const opened = await testCredential('n8n-nodes-datagrid.publicLink', 'testLink', link());
		expectHidden(how, opened, 'status');
		const parameters = { grid: { __rl: true, mode: 'id', value: 's1/g1' } };
		const { context } = pollContext({ ...settings, type: 'n8n-nodes-datagrid.entityTrigger', parameters });
		const polled: unknown = await new EntityTrigger().poll.call(context).catch((error: unknown) => error);
		expectHidden(how, polled, 'Bad: ');
	}
}, 120_000); // prettier-ignore

const notify = async () =>
	await runNode({
		type: 'n8n-nodes-datagrid.pushNotification',
		parameters: { userIds: 'u1', title: 'T', text: 'X' },
		credentials: { dataGridPushApi: push() },
	});

test('a key echoed by the push provider is neither in the output nor in the hint', async () => {
	// The key of a push provider has no name that would be encoded with it.
	for (const [how, echo] of encodings.filter(([, form]) => !form.includes(PAIR))) {
		reply = { status: 200, body: JSON.stringify({ id: `n: ${echo}`, errors: [`Key: ${echo}`], [echo]: 1 }) };
		const { rows, hints, run } = await notify();
		expect(rows[0]).toMatchObject({ sent: true, answer: { id: expect.stringContaining('n: ') as unknown } });
		expectHidden(how, [rows, hints, run], 'Key: ');
	}
});

test('a short key, which is not a secret, stays readable', async () => {
	reply = { status: 400, body: JSON.stringify({ message: `No role for ${NAME}` }) };
	expect((await space()).error?.message).toContain(`No role for ${NAME}`);
});
