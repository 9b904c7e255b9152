import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { runNode, testCredential } from '../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../testbed/testServer';

/** A push provider that sends the response that a test sets. */
let server: TestServer;
let url: string;
let bodies: string[];
let reply: { status: number; body: string };

beforeAll(async () => {
	server = await startTestServer((_request, response, body) => {
		bodies.push(body);
		response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
	});
	url = `${server.url}/api/v1`;
});

beforeEach(() => {
	server.requests.length = 0;
	bodies = [];
	reply = { status: 200, body: '{"id":"n1"}' };
});

afterAll(() => server.stop());

const credential = (overrides: Record<string, string> = {}) => ({
	url,
	appId: 'app-1',
	restApiKey: 'rest-key-1',
	...overrides,
});
const texts = { title: 'New order', text: 'A-1001 is ready' };

const send = async (parameters: INodeParameters, overrides: Record<string, string> = {}, input = [{}]) =>
	await runNode(
		{
			type: 'n8n-nodes-datagrid.pushNotification',
			parameters: { ...texts, ...parameters },
			credentials: { dataGridPushApi: credential(overrides) },
		},
		input,
	);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const sent = (): unknown => JSON.parse(bodies[0] ?? 'null');

test('a notification is sent to users by their hashed IDs, with only the push credential', async () => {
	const { rows, error } = await send({ userIds: 'u1, u2,u1' });
	expect(error).toBeUndefined();
	expect(server.requests).toHaveLength(1);
	expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/api/v1/notifications' });
	expect(server.requests[0]?.headers).toMatchObject({
		authorization: 'Key rest-key-1',
		'content-type': 'application/json',
	});
	expect(sent()).toEqual({
		app_id: 'app-1',
		target_channel: 'push',
		include_aliases: { external_id: [sha256('u1'), sha256('u2')] },
		headings: { en: 'New order' },
		contents: { en: 'A-1001 is ready' },
	});
	expect(rows[0]).toMatchObject({ sent: true, to: { userIds: ['u1', 'u2', 'u1'] }, answer: { id: 'n1' } });
});

test.each(['s1', 'https://grids.example.com/api/users/u1/spaces/s1'])(
	'a notification goes to everyone with the space %s open, with translations and a tap target',
	async (space) => {
		const translation = [
			{ language: 'de', title: 'Neue Bestellung', text: 'A-1001 ist bereit' },
			{ language: 'fr', title: '', text: 'A-1001 est prête' },
		];
		const onTap = { uri: 'https://grids.example.com/api/a/u1/l1', type: 'link', title: 'Pack' };
		const { error } = await send({ sendTo: 'space', space, translations: { translation }, onTap });
		expect(error).toBeUndefined();
		expect(sent()).toEqual({
			app_id: 'app-1',
			target_channel: 'push',
			filters: [{ field: 'tag', key: 'space_s1', relation: 'exists' }],
			headings: { en: 'New order', de: 'Neue Bestellung' },
			contents: { en: 'A-1001 is ready', de: 'A-1001 ist bereit', fr: 'A-1001 est prête' },
			data: { uri: 'https://grids.example.com/api/a/u1/l1', type: 'link', title: 'Pack' },
		});
	},
);

test('a notification that the provider accepts for later (202) is sent', async () => {
	reply = { status: 202, body: '{"id":"n2"}' };
	const { rows, error } = await send({ userIds: 'u1' });
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject({ sent: true, answer: { id: 'n2' } });
});

test('a hint quotes the error message of a provider that accepts a notification', async () => {
	reply = { status: 200, body: '{"id":"","errors":["All included players are not subscribed"]}' };
	const { hints } = await send({ userIds: 'u1' });
	expect(hints).toEqual([expect.stringContaining('All included players are not subscribed')]);
});

test.each([
	[401, 'Check the REST API key'],
	[400, 'Check the app ID'],
	[404, 'Check the URL'],
])('a refusal with status %i says what to check, without the key', async (status, advice) => {
	reply = { status, body: '{"errors":["refused: Key rest-key-1"]}' };
	const { error } = await send({ userIds: 'u1' });
	expect(error).toMatchObject({
		httpCode: String(status),
		description: expect.stringContaining(advice) as unknown,
	});
	expect(error?.message).toContain('The push provider did not accept the notification');
	expect(JSON.stringify(error)).not.toContain('rest-key-1');
	expect(server.requests).toHaveLength(1);
});

test.each<[string, INodeParameters, string]>([
	['no recipient', { userIds: ' , ' }, '"User IDs" cannot be used: it contains no user ID'],
	['no title', { userIds: 'u1', title: '={{ "" }}' }, 'the English text is required'],
	['no text', { userIds: 'u1', text: ' ' }, 'the English text is required'],
	['no space', { sendTo: 'space', space: '={{ "" }}' }, 'a space is required'],
	['a URL without a space', { sendTo: 'space', space: 'https://grids.example.com/' }, 'no ID of a space'],
	[
		'German titles twice',
		{
			userIds: 'u1',
			translations: { translation: ['a', 'b'].map((one) => ({ language: 'de', title: one, text: '' })) },
		},
		'The language "de" occurs twice',
	],
	[
		'English twice',
		{ userIds: 'u1', translations: { translation: [{ language: 'en', title: 'x', text: 'y' }] } },
		'The language "en" occurs twice',
	],
	[
		'no language',
		{ userIds: 'u1', translations: { translation: [{ language: 'German!', title: 'x', text: 'y' }] } },
		'it is not a language code',
	],
])('%s: refused before anything is sent', async (_name, parameters, message) => {
	const { error } = await send(parameters);
	expect(error?.message).toContain(message);
	expect(server.requests).toEqual([]);
});

describe('credential', () => {
	const check = async (overrides: Record<string, string> = {}) =>
		await testCredential('n8n-nodes-datagrid.pushNotification', 'testPush', credential(overrides));

	test('explains that only sending can verify it, and sends nothing', async () => {
		expect(await check()).toMatchObject({
			status: 'OK',
			message: expect.stringContaining('Only sending a notification') as unknown,
		});
		expect(server.requests).toEqual([]);
	});

	test.each<[Record<string, string>, string]>([
		[{ url: 'push' }, 'not a web address'],
		[{ url: 'ftp://push.example.com' }, 'starts with ftp:'],
		[{ url: 'https://me:pw@push.example.com' }, 'contains a user name or password'],
		[{ appId: ' ' }, 'The app ID of the push credential is empty'],
		[{ restApiKey: '' }, 'The REST API key of the push credential is empty'],
		[{ restApiKey: 'Key abc' }, 'without the word Key'],
	])('%j is refused', async (overrides, message) => {
		const result = await check(overrides);
		expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining(message) as unknown });
	});
});
