import { GridTrigger } from '../../nodes/GridTrigger/GridTrigger.node';
import { ActiveTrigger } from '../../testbed/engine/activeTrigger';
import { runNode } from '../../testbed/engine/engine';
import { nodeTypeNamed } from '../../testbed/engine/nodeTypes';
import { Account } from './account';
import { parametersOf, usedIn } from './coverage';
import { comparable, record, recorded, saved, stepsOf, type Step } from './workflow';

/**
 * Workflows saved with version 1 of the nodes must produce their recorded output. To add one, save
 * it in n8n's editor, replace IDs by placeholders, and run `RECORD=1 npm run jest -- test/saved`.
 */
const TRIGGER = 'n8n-nodes-datagrid.gridTrigger';
const types = ['entity', 'form', 'grid', 'gridTrigger', 'space'].map((name) => `n8n-nodes-datagrid.${name}`);

async function run(account: Account, { credentials = {}, input, typeVersion, ...step }: Step) {
	const all = account.credentials();
	const given = Object.fromEntries(Object.keys(credentials).map((one) => [one, all[one] ?? {}]));
	const settings = { ...step, version: typeVersion, credentials: given };
	if (step.type !== TRIGGER) {
		const { error, outputs } = await runNode(settings, input);
		expect(error).toBeUndefined();
		return outputs;
	}
	const active = new ActiveTrigger(new GridTrigger(), settings);
	const found = [await active.activate()];
	for (const change of account.changes()) {
		await change();
		found.push(await active.poll());
	}
	found.push(await active.poll());
	return found.map((rows) => rows.map((json) => ({ json })));
}

/** Workflows that change nothing share an account. */
const isReading = (name: string) => /\.(?:get\w*|count|search|lookUp|export\w*)$/.test(name);
let shared: Promise<Account> | undefined;

afterAll(async () => {
	await (await shared)?.stop();
});

describe.each(saved)('%s', (name) => {
	let account: Account;
	const outputs: Record<string, unknown> = {};

	beforeAll(async () => {
		account = await (isReading(name) ? (shared ??= Account.start()) : Account.start());
	});
	afterAll(async () => {
		if (!isReading(name)) await account.stop();
		if (process.env.RECORD === '1') record(name, outputs);
	});

	it.each(stepsOf(name).map(({ name: step }) => step))('%s produces its recorded output', async (title) => {
		const step = stepsOf(name, account.names).find((one) => one.name === title);
		if (!step) throw new Error(`No node ${title}`);
		outputs[title] = comparable(await run(account, step), account.names);
		expect(outputs[title]).toEqual(recorded(name)[title]);
	});
});

describe.each(types)('%s', (type) => {
	const { description } = nodeTypeNamed(type);
	const steps = saved.flatMap((name) => stepsOf(name).filter((step) => step.type === type));

	it('is saved in version 1 with each input that version 1 has', () => {
		const used = new Set(steps.flatMap((step) => usedIn(step, description)));
		expect(parametersOf(description).filter((path) => !used.has(path))).toEqual([]);
		expect(steps.filter(({ typeVersion }) => typeVersion !== 1)).toEqual([]);
	});
});
