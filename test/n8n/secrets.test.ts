import { inspect } from 'node:util';
import { GridTrigger } from '../../nodes/GridTrigger/GridTrigger.node';
import { ActiveTrigger } from '../support/activeTrigger';
import { testCredential } from '../support/n8n';
import { Stage } from '../support/stage';
import type { Fault } from '../support/faultProxy';
import { caseOf, offered, type Offered } from './cases';

/**
 * Every operation, failing against a service (or a proxy in front of it) that sends back what it was sent: nothing that comes of such a
 * run may hold a secret, be it output, error, hint, execution data or log.
 */
let stage: Stage;
let written: string[];

beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => {
	await stage.close();
});
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

/** All forms in which a secret of the run may show. */
function secrets(): string[] {
	const { key = '', secret = '' } = stage.account.owner;
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	return [secret, base64(`${key}:${secret}`), 'open sesame', base64('guest:open sesame'), 'rest-key-1'];
}

/** @param produced everything that came of a run */
function expectNoSecret(how: string, ...produced: unknown[]) {
	const text = produced
		.map((one) =>
			inspect(one, {
				depth: Infinity,
				maxStringLength: Infinity,
				maxArrayLength: Infinity,
				getters: true,
				showHidden: true,
			}),
		)
		.join('\n');
	const shown = secrets().filter(
		(secret) => text.includes(secret) || written.some((line) => line.includes(secret)),
	);
	expect([how, shown]).toEqual([how, []]);
}

/** Answers that repeat the headers of the request. */
const echoes: Array<[string, (authorization: string) => Fault]> = [
	['a message', (said) => ({ kind: 'answer', status: 400, body: JSON.stringify({ message: `Bad header Authorization: ${said}` }) })],
	['a list of errors', (said) => ({ kind: 'answer', status: 403, body: JSON.stringify({ errors: [{ detail: { headers: said, authorization: said } }] }) })],
	['a page', (said) => ({ kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: `<pre>Authorization: ${said}</pre>` })],
	['no answer', () => ({ kind: 'answer', status: 404, body: '' })],
]; // prettier-ignore

test.each(offered.map((operation): [string, Offered] => [operation.title, operation]))(
	'%s',
	async (_title, operation) => {
		const { parameters, input } = caseOf(operation);
		for (const [how, echo] of echoes) {
			const given = await parameters(stage);
			for (const onError of [undefined, 'continueErrorOutput', 'continueRegularOutput'] as const) {
				stage.listen(({ headers }) => echo(headers.authorization ?? 'none'));
				const { run, outputs, error, hints } = await stage.run(
					operation,
					given,
					undefined,
					input?.(stage),
					onError,
				);
				expectNoSecret(`${how}, ${onError ?? 'stop'}`, run, outputs, error, hints);
			}
		}
	},
	60_000,
);

test('the trigger and the credential test', async () => {
	const credential = stage.owner['dataGridApi'] ?? {};
	for (const [how, echo] of echoes) {
		stage.listen(({ headers }) => echo(headers.authorization ?? 'none'));
		const type = 'n8n-nodes-datagrid.gridTrigger';
		const settings = { type, parameters: { ...stage.inGrid }, credentials: { dataGridApi: credential } };
		const error = await new ActiveTrigger(new GridTrigger(), settings)
			.activate()
			.catch((thrown: unknown) => thrown);
		const tested = await testCredential('n8n-nodes-datagrid.entity', 'testConnection', credential);
		expectNoSecret(how, error, tested);
	}
}, 60_000);

test('a secret that does show is found', () => {
	const [secret] = secrets();
	expect(() => {
		expectNoSecret('shown', { deep: { within: [`x${secret ?? ''}x`] } });
	}).toThrow('shown');
	written.push(`log ${secret ?? ''}`);
	expect(() => {
		expectNoSecret('logged', {});
	}).toThrow('logged');
});
