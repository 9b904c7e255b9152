import '../../fixtures/skippedWaits';
import type { INodeParameters } from 'n8n-workflow';
import { endpoints } from '../../../client/endpoints/endpoints';
import { pathOf } from '../../../client/endpoints/paths';
import { PublicLink } from '../../../nodes/PublicLink/PublicLink.node';
import { loadOptionsContext, testCredential } from '../../../testbed/engine/engine';
import type { RunOptions } from '../../../testbed/world/call';
import { World } from '../../../testbed/world/world';
import { post } from '../../../testbed/world/makeGrid';

const world = World.forTests();
let other: World;
/** Addresses of links, by protection. */
const links = { none: '', link: '', internal: '' };
let quantity: string;
let stored: () => Promise<unknown[]>;

const LOGIN = { user: 'guest', password: 'open sesame' };

beforeAll(async () => {
	other = await World.start();
	const client = world.client;
	const { grid, fields } = await world.grid({ Subject: 'string', Quantity: 'integer' }, 'Intake');
	quantity = fields.get('Quantity')?.id ?? '';
	stored = async () => (await client.entities.page(grid, { layout: 'property' })).items;
	for (const protection of ['none', 'link', 'internal'] as const) {
		const body = { kind: 'form', protection, ...(protection === 'link' ? LOGIN : {}) };
		const made = await post(client.session, {
			href: `${pathOf(endpoints.gridGet, grid.address)}/links`,
			body,
		});
		links[protection] = `${world.service.url}${made.href}`;
	}
});

afterAll(async () => {
	await other.stop();
});

type Protection = keyof typeof links;
const linkCredential = (overrides: Record<string, string> = {}) => ({
	dataGridLinkApi: { link: links.link, ...LOGIN, ...overrides },
});
const credentialsFor = (protection: Protection) =>
	({ none: {}, link: linkCredential(), internal: { dataGridApi: world.owner } })[protection];

/** @param as protection that the node expects @param link address of the link */
const run = async (
	operation: string,
	as: Protection,
	link: string = links[as],
	parameters: INodeParameters = {},
	extra: RunOptions = {},
) =>
	await world.run(
		{
			node: 'publicLink',
			resource: 'form',
			operation,
			parameters: { access: as, ...(as === 'link' ? {} : { link }), ...parameters },
		},
		{ credentials: credentialsFor(as), ...extra },
	);
const json = (values: Record<string, unknown>) => ({ valuesAs: 'json', valuesJson: JSON.stringify(values) });

describe.each<Protection>(['none', 'link', 'internal'])('a link with the protection %s', (protection) => {
	test('outputs its fields by label', async () => {
		const { rows, error } = await run('get', protection);
		expect(error).toBeUndefined();
		expect(rows[0]?.fields).toEqual([
			expect.objectContaining({ label: 'Subject', type: 'string', writable: true }),
			expect.objectContaining({ label: 'Quantity', fieldId: quantity, type: 'integer' }),
		]);
	});

	test('accepts values by label', async () => {
		const Subject = `Through ${protection}`;
		const { rows, error } = await run('submit', protection, undefined, json({ Subject, Quantity: 0 }));
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ submitted: true, values: { Subject, Quantity: 0 } });
		expect(await stored()).toContainEqual(expect.objectContaining({ Subject, Quantity: 0 }));
	});
});

describe('each value of Service-Authorization has its own message', () => {
	test.each<[Protection, Protection, string]>([
		['link', 'none', 'protected with its own user name and password'],
		['link', 'internal', 'requires its own user name and password, not an account'],
		['internal', 'none', 'requires an account of the service'],
	])('a link protected by %s, opened as %s', async (link, as, message) => {
		const { error } = await run('get', as, links[link]);
		expect(error).toMatchObject({ httpCode: '401' });
		expect(error?.message).toContain(message);
	});

	test('reports a wrong password, a link for accounts opened with a password, and a wrong account', async () => {
		const wrong = { credentials: linkCredential({ password: 'shut sesame' }) };
		const refused = await run('submit', 'link', undefined, json({}), wrong);
		expect(refused.error?.message).toContain('The link did not accept its user name and password');
		expect(JSON.stringify(refused.error)).not.toContain('shut sesame');
		const misplaced = { credentials: linkCredential({ link: links.internal }) };
		expect((await run('get', 'link', undefined, {}, misplaced)).error?.message).toContain(
			'requires an account of the service, not its own password',
		);
		const wrongAccount = { credentials: { dataGridApi: { ...world.owner, secret: 'wrong' } } };
		expect((await run('get', 'internal', links.internal, {}, wrongAccount)).error?.message).toContain(
			'did not accept the account',
		);
	});
});

describe('destinations of credentials', () => {
	test('sends the credential of an account only to its own service', async () => {
		const { error } = await run(
			'get',
			'internal',
			links.internal,
			{},
			{ credentials: { dataGridApi: other.owner } },
		);
		expect(error?.message).toContain('nothing was sent');
		expect(error?.message).toContain(world.service.url);
	});

	test('accepts the path of a link within the service of the credential', async () => {
		const { error } = await run('get', 'internal', new URL(links.internal).pathname);
		expect(error).toBeUndefined();
	});
});

describe('a link as a person may paste it', () => {
	const page = (query: string) => `${world.service.url}/?link=${query}`;

	test.each<[string, (link: string) => string]>([
		['in the page of the service', (link) => page(encodeURIComponent(new URL(link).pathname))],
		['in the page, not encoded', (link) => page(new URL(link).pathname)],
		['in the page, with its origin', (link) => page(encodeURIComponent(link))],
		['with a fragment and a line break', (link) => `${link}#top\n`],
		['in angle brackets of a mail', (link) => `<${link}>`],
		['in quotation marks', (link) => `"${link}"`],
	])('opens the form, without and with a credential: %s', async (_form, pasted) => {
		expect(await run('get', 'none', pasted(links.none))).toMatchObject({ rows: [{ fields: [{}, {}] }] });
		const credentials = linkCredential({ link: pasted(links.link) });
		expect(await run('get', 'link', '', {}, { credentials })).toMatchObject({ rows: [{ fields: [{}, {}] }] });
	});

	test('is sent with the account, also as the page shows it', async () => {
		const link = `${world.service.url}/?link=${encodeURIComponent(new URL(links.internal).pathname)}`;
		expect((await run('get', 'internal', link)).error).toBeUndefined();
	});

	test('is no page that leads to another server', async () => {
		const link = `https://grids.example.com/?link=${encodeURIComponent(links.none)}`;
		expect((await run('get', 'none', link)).error?.message).toContain('its path has no /api/a/ or /api/r/');
	});
});

test.each([
	['/api/a/u1/l1', 'not a web address'],
	['https://grids.example.com/spaces/s1', 'its path has no /api/a/ or /api/r/'],
	['ftp://grids.example.com/api/a/u1/l1', 'starts with ftp:'],
	['https://me:pw@grids.example.com/api/a/u1/l1', 'contains a user name or password'],
])('%s is no public link', async (link, message) => {
	expect((await run('get', 'none', link)).error?.message).toContain(message);
	expect((await run('submit', 'none', link, json({}))).error?.message).toContain(message);
});

test('advises to check the link if no server listens at its address', async () => {
	const { error } = await run('submit', 'none', 'http://127.0.0.1:9/api/a/u1/l1', json({ Quantity: 1 }));
	expect(error?.message).toBe('No Data-Grid Service answers at http://127.0.0.1:9 (connection refused)');
	expect(error?.description).toContain('(or the link)');
});

test('reports a deleted link as missing', async () => {
	const { error } = await run('get', 'none', `${links.none}0`);
	expect(error).toMatchObject({
		httpCode: '404',
		message: expect.stringMatching(/^There is no such link/) as unknown,
	});
	expect(error?.description).toContain('whoever shared it');
});

test('the editor lists the fields of a public form by label', async () => {
	const context = loadOptionsContext({
		type: 'n8n-nodes-datagrid.publicLink',
		parameters: { resource: 'form', operation: 'submit', access: 'none', link: links.none },
		credentials: {},
	});
	const { fields } = await new PublicLink().methods.resourceMapping.getPublicFormFields.call(context);
	expect(fields.map(({ displayName, type }) => [displayName, type])).toEqual([
		['Subject', 'string'],
		['Quantity', 'number'],
	]);
});

describe('credential of a link', () => {
	const check = async (overrides: Record<string, string> = {}) =>
		await testCredential(
			'n8n-nodes-datagrid.publicLink',
			'testLink',
			linkCredential(overrides).dataGridLinkApi,
		);

	test('is tested by opening the link', async () => {
		expect(await check()).toEqual({ status: 'OK', message: 'The link can be opened' });
	});

	test.each([
		[{ password: 'shut sesame' }, 'did not accept its user name and password'],
		[{ link: 'grids' }, 'not a web address'],
	])('%j is refused, without the password in the message', async (overrides, message) => {
		const result = await check(overrides);
		expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining(message) as unknown });
		expect(result.message).not.toContain('sesame');
	});
});
