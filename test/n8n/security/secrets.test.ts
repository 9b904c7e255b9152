import { inspect } from 'node:util';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { encodingsOf } from '../../fixtures/encodings';
import { testCredential } from '../../../testbed/engine/engine';
import type { Fault } from '../../../testbed/proxy/faultProxy';
import { caseOf, offered, withTitles } from '../cases';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/**
 * Each operation fails against a service (or a proxy) that echoes the request headers. Output,
 * errors, hints, execution data and logs must contain no secret.
 */
const world = SampleWorld.forTests();
let written: string[];

beforeEach(() => {
	written = [];
	const note = (part: unknown) => {
		written.push(String(part));
		return true;
	};
	jest.spyOn(process.stdout, 'write').mockImplementation(note);
	jest.spyOn(process.stderr, 'write').mockImplementation(note);
	for (const name of ['log', 'error', 'warn', 'info', 'debug'] as const)
		jest.spyOn(console, name).mockImplementation((...parts: unknown[]) => void note(inspect(parts)));
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** The secrets of the run, with the names that belong to them. */
function secrets(): Array<[secret: string, name: string]> {
	const { key = '', secret = '' } = world.owner;
	return [
		[secret, key],
		['open sesame', 'guest'],
		['rest-key-1', ''],
	];
}

/**
 * Returns all encodings of the secrets, plain and as `inspect` prints them.
 */
function forms(): string[] {
	const written = secrets().flatMap(([secret, name]) => encodingsOf(secret, name).map(([, text]) => text));
	return [
		...new Set(written.flatMap((text) => [text, inspect(text, { breakLength: Infinity }).slice(1, -1)])),
	];
}

let turns = 0;
/** Returns the header, and its secret in three encodings that change with each request. */
function echoed(authorization: string | undefined): string {
	if (authorization === undefined) return 'none';
	const plain = Buffer.from(authorization.replace(/^\S+ /, ''), 'base64').toString();
	const [secret, name] = secrets().find(([one]) => plain.includes(one) || authorization.includes(one)) ?? [
		'',
		'',
	];
	const encodings = encodingsOf(secret, name);
	const some = [0, 1, 2].map(() => encodings[turns++ % encodings.length]?.[1] ?? '');
	return [authorization, ...some].join(' | ');
}

/** @param produced all results of a run */
function expectNoSecret(how: string, ...produced: unknown[]) {
	const text = produced
		.map((one) =>
			inspect(one, {
				depth: Infinity,
				maxStringLength: Infinity,
				maxArrayLength: Infinity,
				getters: true,
				breakLength: Infinity,
				showHidden: true,
			}),
		)
		.join('\n');
	const shown = forms().filter((form) => text.includes(form) || written.some((line) => line.includes(form)));
	expect([how, shown]).toEqual([how, []]);
}

/** Responses that repeat the headers of the request. */
const echoes: Array<[string, (authorization: string) => Fault]> = [
	['a message', (header) => ({ kind: 'response', status: 400, body: JSON.stringify({ message: `Bad header Authorization: ${header}` }) })],
	['a list of errors', (header) => ({ kind: 'response', status: 403, body: JSON.stringify({ errors: [{ detail: { headers: header, authorization: header } }] }) })],
	['a page', (header) => ({ kind: 'response', status: 200, headers: { 'content-type': 'text/html' }, body: `<pre>Authorization: ${header}</pre>` })],
	['an empty body', () => ({ kind: 'response', status: 404, body: '' })],
]; // prettier-ignore

test.each(withTitles(offered))(
	'%s reveals no secret',
	async (_title, operation) => {
		const { parameters, input } = caseOf(operation);
		for (const [how, echo] of echoes) {
			const given = await parameters(world);
			for (const onError of [undefined, 'continueErrorOutput', 'continueRegularOutput'] as const) {
				world.listen(({ headers }) => echo(echoed(headers.authorization)));
				const { run, outputs, error, hints } = await world.run(
					{ ...operation, parameters: given },
					{ input: input?.(world), onError },
				);
				expectNoSecret(`${how}, ${onError ?? 'stop'}`, run, outputs, error, hints);
			}
		}
	},
	60_000,
);

test('the trigger and the credential test reveal no secret', async () => {
	const credential = { ...world.owner, baseUrl: world.proxy.url };
	for (const [how, echo] of echoes) {
		world.listen(({ headers }) => echo(echoed(headers.authorization)));
		const type = 'n8n-nodes-datagrid.entityTrigger';
		const settings = { type, parameters: { ...world.inGrid }, credentials: { dataGridApi: credential } };
		const error = await new ActiveTrigger(new EntityTrigger(), settings)
			.activate()
			.catch((thrown: unknown) => thrown);
		const tested = await testCredential('n8n-nodes-datagrid.entity', 'testConnection', credential);
		expectNoSecret(how, error, tested);
	}
}, 60_000);

test('finds a visible secret in any encoding', () => {
	for (const [how, form] of secrets().flatMap(([secret, name]) => encodingsOf(secret, name))) {
		written = [];
		expect(() => {
			expectNoSecret(how, { deep: { within: [`x${form}x`] } });
		}).toThrow(how);
		written.push(`log ${form}`);
		expect(() => {
			expectNoSecret('logged', {});
		}).toThrow('logged');
	}
	expect(turns).toBeGreaterThan(100 * encodingsOf('', '').length);
});
