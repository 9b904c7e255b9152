import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { testCredential } from '../../../testbed/engine/engine';
import { startFaultProxy, type FaultProxy, type Rule } from '../../../testbed/proxy/faultProxy';
import { linksTo, redirectsTo } from '../../../testbed/proxy/foreignOrigin';
import { startTestServer, type TestServer } from '../../../testbed/testServer';
import { caseOf, offered, withTitles } from '../cases';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/**
 * Links, redirects and `Location` that lead to another port, host or scheme. Whatever the result
 * of a run, the other origin must receive no request, and so no `Authorization`.
 */
let world: SampleWorld;
let otherServer: TestServer;
let proxy: FaultProxy;
let foreign: Array<[string, Rule]>;
let refusals = 0;

beforeAll(async () => {
	world = await SampleWorld.start();
	otherServer = await startTestServer((_request, response) => {
		response.end('{}');
	});
	proxy = await startFaultProxy(world.service.url);
	const { port } = proxy;
	foreign = [
		['links to another port', linksTo(otherServer.url)],
		['links to another host', linksTo(`http://localhost:${port}`)],
		['links to another scheme', linksTo(`https://127.0.0.1:${port}`)],
		['a redirect to another port', redirectsTo(otherServer.url, 307)],
		['a redirect to another host', redirectsTo(`http://localhost:${port}`, 302)],
		['a redirect to another scheme', redirectsTo(`https://127.0.0.1:${port}`, 308)],
	];
});
afterAll(async () => {
	await proxy.stop();
	await otherServer.stop();
	await world.stop();
});

const credential = () => ({ ...world.owner, baseUrl: proxy.url });

/** All credentials, with the proxy as their origin. */
const credentials = () => ({
	dataGridApi: credential(),
	dataGridPushApi: { url: proxy.url, appId: 'app-1', restApiKey: 'rest-key-1' },
	dataGridLinkApi: { link: elsewhere(world.links.link), user: 'guest', password: 'open sesame' },
});
const elsewhere = (link: string) => link.replace(world.proxy.url, proxy.url);

/**
 * Expects no request to another origin. `Host` shows requests to the proxy under another name.
 */
function expectNoForeignRequest(how: string) {
	expect([how, otherServer.requests]).toEqual([how, []]);
	const hosts = new Set(proxy.requests.map(({ headers }) => headers.host));
	expect([how, [...hosts].filter((host) => host !== new URL(proxy.url).host)]).toEqual([how, []]);
}

test.each(withTitles(offered))(
	'%s sends no request to another origin',
	async (_title, operation) => {
		const { parameters, input } = caseOf(operation);
		for (const [how, rule] of foreign) {
			const given = await parameters(world);
			const link = typeof given['link'] === 'string' ? { link: elsewhere(given['link']) } : {};
			proxy.setRules(rule);
			const { error } = await world.run(
				{ ...operation, parameters: { ...given, ...link } },
				{ credentials: credentials(), input: input?.(world) },
			);
			expectNoForeignRequest(how);
			if (how.startsWith('a redirect'))
				expect([how, error]).toEqual([
					how,
					expect.objectContaining({ message: expect.any(String) as unknown }),
				]);
			if (error?.message.includes('nothing was sent there')) refusals++;
		}
	},
	60_000,
);

test('most operations received a foreign link and reported it', () => {
	expect(refusals).toBeGreaterThan(2 * offered.length);
});

test('the trigger sends no request to another origin', async () => {
	for (const [how, rule] of foreign) {
		proxy.setRules(rule);
		const type = 'n8n-nodes-datagrid.entityTrigger';
		const settings = { type, parameters: { ...world.inGrid }, credentials: { dataGridApi: credential() } };
		await new ActiveTrigger(new EntityTrigger(), settings).activate().catch(() => []);
		expect(proxy.requests.length).toBeGreaterThan(0);
		expectNoForeignRequest(how);
	}
}, 60_000);

test('the credential test sends no request to another origin', async () => {
	for (const [how, rule] of foreign) {
		proxy.setRules(rule);
		const { status, message } = await testCredential(
			'n8n-nodes-datagrid.entity',
			'testConnection',
			credential(),
		);
		expectNoForeignRequest(how);
		expect([how, status, message]).toEqual([how, 'Error', expect.stringContaining('nothing was sent there')]);
	}
});
