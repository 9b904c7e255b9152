import fc from 'fast-check';
import { inspect } from 'node:util';
import type { INode } from 'n8n-workflow';
import { z } from 'zod/v4';
import { EntityTrigger } from '../../nodes/EntityTrigger/EntityTrigger.node';
import { caseOf, offered, type Offered } from '../n8n/cases';
import { ActiveTrigger } from '../../testbed/engine/activeTrigger';
import type { Fault } from '../../testbed/proxy/faultProxy';
import { startTestServer, type TestServer } from '../../testbed/testServer';
import { judgeValue, note, type FuzzResult, type Verdict } from './client';
import { AUTHORIZATION, BASE, hostileResponses, type HostileResponse } from './hostileResponses';
import { SampleWorld } from '../../testbed/world/sampleWorld';

/** Milliseconds after which a run counts as one that does not end. */
const NO_END = 60_000;
/**
 * Whether a list without end is left is tried without a network, by the client's part: here no run
 * gets more answers than these.
 */
const MOST_ANSWERS = 200;
const TRIGGER = 'trigger';
/** Enough to try each operation once. */
export const RUNS_IN_TESTS = 100;
/** Runs after which the service is set up anew: its grid has become long by then. */
const SET_UP_ANEW = 250;

const attempts = fc.record({
	/** So many requests reach the service, before something else answers. */
	sound: fc.nat(5),
	answers: hostileResponses,
	/** What the connection does instead of a complete response. */
	damage: fc.constantFrom('none', 'none', 'none', 'none', 'cutBody', 'halfBody', 'resetAfter'),
	onError: fc.constantFrom<INode['onError']>(undefined, 'continueErrorOutput', 'continueRegularOutput'),
	/** Whether Get Many reads all rows instead of one batch. */
	isWhole: fc.boolean(),
});
type Attempt = typeof attempts extends fc.Arbitrary<infer Value> ? Value : never;

/** A service with one of everything behind a proxy, and a server elsewhere that nothing may ask. */
interface Target {
	world: SampleWorld;
	elsewhere: TestServer;
}

/** The same answer, with the addresses and the identity that the proxy really has. */
function localized({ world, elsewhere }: Target, text: string): string {
	const { key = '', secret = '' } = world.owner;
	return text
		.replaceAll(new URL(BASE).origin, world.proxy.url)
		.replaceAll('https://evil.example', elsewhere.url)
		.replaceAll('evil.example', new URL(elsewhere.url).host)
		.replaceAll(AUTHORIZATION.slice(6), Buffer.from(`${key}:${secret}`).toString('base64'));
}

function faultOf(target: Target, { sound, answers, damage }: Attempt, number: number): Fault | undefined {
	if (number <= sound) return undefined;
	if (number > MOST_ANSWERS) return { kind: 'response', status: 400, body: '{"message":"Enough of it"}' };
	const answer: HostileResponse | undefined = answers[(number - sound - 1) % answers.length];
	if (!answer || answer.status === 0) return { kind: 'resetBefore' };
	if (damage !== 'none') return { kind: damage };
	const headers = Object.entries(answer.headers).map(([name, value]) => [name, localized(target, value)]);
	return {
		kind: 'response',
		status: answer.status,
		headers: Object.fromEntries(headers) as Record<string, string>,
		body: localized(target, answer.body.replaceAll('#', String(number))),
	};
}

/** As n8n shows it: its engine copies the members of an error into a plain object. */
const errorSchema = z.looseObject({
	name: z.enum(['NodeApiError', 'NodeOperationError']),
	message: z.string().min(5).max(2100),
	description: z.string().min(10),
});

/** What a run came to, as far as it is judged. */
interface Outcome {
	value: unknown;
	error: unknown;
	hints: string[];
}

async function runOperation(
	{ world }: Target,
	operation: Offered,
	{ onError, isWhole }: Attempt,
	listen: () => void,
): Promise<Outcome> {
	const { parameters, input } = caseOf(operation);
	const inBatches = await parameters(world);
	const whole = { returnAll: true, options: {} };
	const isList = operation.resource === 'entity' && operation.operation === 'getMany';
	const given = { ...inBatches, ...(isList && isWhole ? whole : {}) };
	const items = input?.(world);
	listen();
	const { rows, outputs, error, hints } = await world.run(
		{ ...operation, parameters: given },
		{ input: items, onError },
	);
	return { value: [rows, outputs.map((output) => output.map(({ json }) => json))], error, hints };
}

/** Two polls of the trigger, with a change between them. */
async function runTrigger({ world }: Target, listen: () => void): Promise<Outcome> {
	const type = 'n8n-nodes-datagrid.entityTrigger';
	const settings = { type, parameters: world.inGrid, credentials: world.credentials() };
	const trigger = new ActiveTrigger(new EntityTrigger(), settings);
	listen();
	const polled = async () => {
		await trigger.activate();
		await world.newRow();
		return await trigger.poll();
	};
	return await polled().then(
		(value) => ({ value, error: undefined, hints: [] }),
		(error: unknown) => ({ value: undefined, error, hints: [] }),
	);
}

/** @param secrets what neither an error nor a hint may show */
function judge({ value, error, hints }: Outcome, secrets: readonly string[]): Verdict {
	const shown = inspect([error, hints], { depth: 8, maxStringLength: Infinity });
	if (secrets.some((secret) => shown.includes(secret))) return { crash: 'A secret is shown' };
	if (error === undefined) return judgeValue(value);
	const parsed = errorSchema.safeParse(error);
	// Whatever the package does not throw on purpose comes without advice.
	return parsed.success
		? { fine: 'message' }
		: { crash: `Not as a node tells it: ${inspect(error).slice(0, 1000)}` };
}

/** The operation of a run, in turn; the last turn is the trigger's. */
const operationAt = (index: number): Offered | undefined => offered[index % (offered.length + 1)];

/** @returns what so many runs try: titles of operations, and the trigger */
export const tried = (runs: number): string[] =>
	Array.from({ length: runs }, (_, index) => operationAt(index)?.title ?? TRIGGER);

async function attemptOne(
	target: Target,
	index: number,
	attempt: Attempt,
	secrets: readonly string[],
): Promise<{ verdict: Verdict; name: string }> {
	const { world, elsewhere } = target;
	const listen = () => {
		world.listen((_request, number) => faultOf(target, attempt, number));
	};
	const operation = operationAt(index);
	const name = operation?.title ?? TRIGGER;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(resolve, NO_END, undefined);
	});
	const run = operation ? runOperation(target, operation, attempt, listen) : runTrigger(target, listen);
	const outcome = await Promise.race([run, late]);
	clearTimeout(timer);
	if (!outcome) return { verdict: { hang: `No end after ${NO_END / 1000} s` }, name };
	if (elsewhere.requests.splice(0).length > 0)
		return { verdict: { crash: 'A request went elsewhere' }, name };
	return { verdict: judge(outcome, secrets), name };
}

async function setUp(): Promise<Target> {
	const elsewhere = await startTestServer((_request, response) => {
		response.end('{}');
	});
	return { world: await SampleWorld.start(), elsewhere };
}

/**
 * Seeded: every operation of every node and the trigger in n8n's own engine, over real sockets. The
 * service is there, and from one of the first requests on something else answers in its place.
 * @param more what is to be taken for a secret besides the real ones
 */
export async function fuzzNodes(
	seed: number,
	runs: number,
	progress: (result: FuzzResult) => void = () => undefined,
	more: readonly string[] = [],
): Promise<FuzzResult> {
	const result: FuzzResult = { runs: 0, inputs: 0, results: 0, messages: 0, crashes: 0, hangs: 0 };
	let target = await setUp();
	const end = async () => {
		await target.world.stop();
		await target.elsewhere.stop();
	};
	for (const [index, attempt] of fc.sample(attempts, { numRuns: runs, seed }).entries()) {
		if (index > 0 && index % SET_UP_ANEW === 0) {
			await end();
			target = await setUp();
		}
		const { key = '', secret = '' } = target.world.owner;
		const base64 = Buffer.from(`${key}:${secret}`).toString('base64');
		const { verdict, name } = await attemptOne(target, index, attempt, [secret, base64, ...more]);
		result.runs++;
		result.inputs += target.world.sent.length;
		if ('fine' in verdict) result[verdict.fine === 'result' ? 'results' : 'messages']++;
		else {
			result['crash' in verdict ? 'crashes' : 'hangs']++;
			result.counterexample ??= JSON.stringify({ name, verdict, attempt }).slice(0, 4000);
			note(result, `${name}: ${Object.values(verdict).join()}`);
		}
		progress(result);
	}
	await end();
	return result;
}
