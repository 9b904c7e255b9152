import fc from 'fast-check';
import { DataGridError, StatusError } from '../../client/errors';
import { linksSchema } from '../../client/hal/links';
import { clientCalls, clientOver, type ClientCall } from './clientCalls';
import { AUTHORIZATION, BASE, hostileResponses, type HostileResponse } from './hostileResponses';
import { HostileTransport, NeverEnds } from './hostileTransport';

/** What many calls came to. */
export interface FuzzResult {
	runs: number;
	/** Requests that were answered. */
	inputs: number;
	/** Ended in a result, and ended in a clear message. */
	results: number;
	messages: number;
	/** Ended in anything else, and would not have ended. */
	crashes: number;
	hangs: number;
	/** The first that went wrong, to be run again. */
	counterexample?: string;
	/** What went wrong where, once each: the first may hide others. */
	findings?: string[];
}

/** Whether one call ended as it may: in a result or in a clear message, and otherwise why not. */
export type Verdict = { fine: 'result' | 'message' } | { crash: string } | { hang: string };

/**
 * Makes one call against answers that mean ill, and judges how it ends.
 * @param most requests, past which it would not end
 */
export async function judgeCall(
	call: ClientCall,
	answers: readonly HostileResponse[],
	most?: number,
): Promise<{ verdict: Verdict; sent: number }> {
	const transport = new HostileTransport(answers, most);
	const ended = await call(clientOver(transport), transport).then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
	const elsewhere = [...transport.origins].filter((origin) => origin !== new URL(BASE).origin);
	const verdict =
		elsewhere.length > 0
			? { crash: `A request went to ${elsewhere.join(', ')}` }
			: 'value' in ended
				? judgeValue(ended.value)
				: judgeError(ended.error);
	return { verdict, sent: transport.sent };
}

function judgeError(error: unknown): Verdict {
	if (error instanceof NeverEnds) return { hang: error.message };
	if (!(error instanceof DataGridError)) return { crash: `Not an error of the client: ${String(error)}` };
	const { hint, facts } = error;
	// As a node shows it.
	const message = error instanceof StatusError ? `${error.title}: ${error.message}` : error.message;
	if (message.length < 5 || message.length > 2100) return { crash: `A message of ${message.length} signs` };
	if (hint.length < 10) return { crash: `No hint: ${message}` };
	const told = JSON.stringify({ message, hint, path: facts.path, words: facts.serviceMessage });
	if (told.includes(AUTHORIZATION.slice(6))) return { crash: `The identity is shown: ${message}` };
	return polluted() ?? { fine: 'message' };
}

/**
 * Judges what a call has answered: no object in it may have a prototype that an answer has lent.
 */
export function judgeValue(value: unknown): Verdict {
	const strange = strangePrototype(value);
	return strange === undefined
		? (polluted() ?? { fine: 'result' })
		: { crash: `${strange} has a prototype of its own` };
}

/**
 * Members that every object would have now. They are taken
 * away, so that the next run is judged by itself.
 */
function polluted(): Verdict | undefined {
	const inherited = Object.keys(Object.prototype);
	for (const name of inherited) Reflect.deleteProperty(Object.prototype, name);
	return inherited.length === 0 ? undefined : { crash: `All objects have ${inherited.join(', ')}` };
}

const usual = new Set<unknown>([
	Object.prototype,
	Array.prototype,
	Map.prototype,
	Buffer.prototype,
	Uint8Array.prototype,
	// The client's own reader of links.
	Object.getPrototypeOf(linksSchema.parse({})),
]);

/** Where in a value an object stands that an answer has lent a prototype to. */
function strangePrototype(value: unknown, path = 'The value', depth = 0): string | undefined {
	if (depth > 1000) return 'Something without bottom';
	if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined;
	if (!usual.has(Object.getPrototypeOf(value))) return path;
	for (const [name, member] of Object.entries(value)) {
		const found = strangePrototype(member, `${path}.${name.slice(0, 20)}`, depth + 1);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Keeps a finding that is not known yet, cut where answers begin to differ. */
export function note(result: FuzzResult, finding: string): void {
	result.findings = [...new Set([...(result.findings ?? []), finding.slice(0, 120)])].slice(0, 20);
}

/** Seeded: the same seed makes the same calls and answers everywhere. */
export async function fuzzClient(
	seed: number,
	runs: number,
	progress: (result: FuzzResult) => void = () => undefined,
	calls: Readonly<Record<string, ClientCall>> = clientCalls,
): Promise<FuzzResult> {
	const result: FuzzResult = { runs: 0, inputs: 0, results: 0, messages: 0, crashes: 0, hangs: 0 };
	const names = Object.keys(calls);
	const all = { numRuns: runs, seed };
	for (const [index, answers] of fc.sample(hostileResponses, all).entries()) {
		const name = names[index % names.length] ?? '';
		const call = calls[name];
		if (!call) continue;
		const { verdict, sent } = await judgeCall(call, answers);
		result.runs++;
		result.inputs += sent;
		if ('fine' in verdict) result[verdict.fine === 'result' ? 'results' : 'messages']++;
		else {
			result['crash' in verdict ? 'crashes' : 'hangs']++;
			result.counterexample ??= JSON.stringify({ name, verdict, answers }).slice(0, 4000);
			note(result, `${name}: ${Object.values(verdict).join()}`);
		}
		progress(result);
	}
	return result;
}
