import type { IExecuteFunctions } from 'n8n-workflow';
import {
	type Client,
	concernsAllItems,
	CreatedUnlocated,
	DataGridError,
	InvalidInput,
	isUnreachable,
	mayBeThere,
	NotFound,
	type Outcome,
	OutcomeUnknown,
} from '../../../client';
import { addToHint, toNodeError, withoutItem } from '../display/nodeError';
import type { ItemContext, ItemsContext, Result, Row } from './context';
import { type Problem, Problems, sentenceOf } from '../inputs/problems';
import { FailedRow } from '../rows/output';
import { KeyedQueue } from './keyedQueue';

/** An item that was not tried, because it would have failed for the same reason as another. */
export class NotTried extends DataGridError {
	readonly hint: string;

	constructor(because: string) {
		super(`Not tried, because ${because}`);
		this.hint = "Fix the cause of the other item's failure, then run this item again.";
	}
}

/** How prepared items are carried out. */
interface Performance<Prepared, Done> {
	/**
	 * The result of an item that takes no request, else undefined. Such items precede the others,
	 * without a promise for each of thousands.
	 */
	resultWithoutRequest?(prepared: Prepared): Done | undefined;
	/** Performs one item; items run with adaptive concurrency. */
	perform(prepared: Prepared): Promise<Done>;
	/** Items with the same key run in order; others run concurrently. */
	serialKey?(prepared: Prepared): string | undefined;
	/** Whether each item waits for the preceding one, so that rows keep the order of the items. */
	inOrder?: boolean;
}

export interface BulkWork<Prepared> extends Performance<Prepared, Result> {
	/** Checks an item as far as possible before anything is written; runs for all items first. */
	prepare(context: ItemContext): Promise<Prepared>;
	/** Called once with all prepared items, for reads that serve many of them. */
	begin?: (prepared: readonly Prepared[]) => Promise<void>;
}

/**
 * Runs an operation over all items concurrently; results keep the order of the items. Unless the
 * node continues on fail, one invalid item prevents all writes.
 */
export async function runConcurrently<Prepared>(
	context: ItemsContext,
	work: BulkWork<Prepared>,
): Promise<Array<Result | Error>> {
	const { client, node } = context;
	const prepared = await prepareAll(context, work.prepare);
	if (isStopped(node, prepared)) return resultsOf(node, markNotTried(prepared));
	await work.begin?.(valuesOf(prepared));
	return resultsOf(node, await performAll(client, prepared, work));
}

/** Performs what is prepared; other outcomes stay. */
export async function performAll<Prepared, Done>(
	client: Client,
	prepared: ReadonlyArray<Outcome<Prepared>>,
	{ resultWithoutRequest, perform, serialKey, inOrder = false }: Performance<Prepared, Done>,
): Promise<Array<Outcome<Done>>> {
	const outcomes: Array<Outcome<Done>> = markNotTried(prepared);
	/** Keys of items that may change what later items with the same key find. */
	const pending = new Set<string>();
	const ready: Array<{ index: number; value: Prepared }> = [];
	for (const [index, outcome] of prepared.entries()) {
		if (outcome.state !== 'done') continue;
		const { value } = outcome;
		const key = serialKey?.(value);
		const result = key !== undefined && pending.has(key) ? undefined : resultWithoutRequest?.(value);
		if (result === undefined) ready.push({ index, value });
		else outcomes[index] = { state: 'done', value: result };
		if (result === undefined && key !== undefined) pending.add(key);
	}
	// While a request waits for a retry, the limiter starts another item, so `atMost` alone does not
	// keep the order.
	const queue = new KeyedQueue();
	const performInOrder = ({ value }: { value: Prepared }) => {
		const key = inOrder ? 'all' : serialKey?.(value);
		return key === undefined ? perform(value) : queue.run(key, () => perform(value));
	};
	const run = await client.session.limiter.run(ready, performInOrder, inOrder ? { atMost: 1 } : {});
	for (const [at, { index }] of ready.entries()) outcomes[index] = run.outcomes[at] ?? { state: 'untried' };
	return outcomes;
}

/** Whether an item that cannot be performed stops all others. */
export const isStopped = (node: IExecuteFunctions, outcomes: ReadonlyArray<Outcome<unknown>>): boolean =>
	!node.continueOnFail() && outcomes.some(({ state }) => state !== 'done');

/** The values of those that succeeded. */
export const valuesOf = <Value>(outcomes: ReadonlyArray<Outcome<Value>>): Value[] =>
	outcomes.flatMap((outcome) => (outcome.state === 'done' ? [outcome.value] : []));

/** The same outcomes, with prepared items marked as not tried. */
export function markNotTried(outcomes: ReadonlyArray<Outcome<unknown>>): Array<Outcome<never>> {
	return outcomes.map((outcome) => (outcome.state === 'done' ? { state: 'untried' } : outcome));
}

/**
 * What the runner outputs or throws: results in the order of the items, or, unless the node
 * continues on fail, the one error that ends the workflow.
 * @param unlocated makes the row for an item whose outcome or address is unknown
 */
export function resultsOf(
	node: IExecuteFunctions,
	outcomes: ReadonlyArray<Outcome<Result>>,
	unlocated?: (error: OutcomeUnknown | CreatedUnlocated, itemIndex: number) => Row | undefined,
): Array<Result | Error> {
	const failed = outcomes.some(({ state }) => state !== 'done');
	if (failed && !node.continueOnFail()) return [firstFailure(node, outcomes)];
	const reason = failed ? whyStopped(outcomes) : '';
	return outcomes.map((outcome, itemIndex) => {
		if (outcome.state === 'done') return outcome.value;
		if (outcome.state === 'untried') return new NotTried(reason);
		const row = mayBeThere(outcome.error) ? unlocated?.(outcome.error, itemIndex) : undefined;
		const error = toNodeError(node, outcome.error, itemIndex);
		return row ? new FailedRow(row, error) : error;
	});
}

/** Prepares all items one after another; stops at an error that affects all items. */
export async function prepareAll<Prepared>(
	{ items, at }: Pick<ItemsContext, 'items' | 'at'>,
	prepare: BulkWork<Prepared>['prepare'],
): Promise<Array<Outcome<Prepared>>> {
	const outcomes: Array<Outcome<Prepared>> = [];
	for (const itemIndex of items.keys()) {
		try {
			outcomes.push({ state: 'done', value: await prepare(at(itemIndex)) });
		} catch (error) {
			outcomes.push({ state: 'failed', error });
			if (concernsAllItems(error) || isUnreachable(error)) break;
		}
	}
	while (outcomes.length < items.length) outcomes.push({ state: 'untried' });
	return outcomes;
}

/** The first error and a summary of the others, because the workflow ends without output. */
function firstFailure(node: IExecuteFunctions, outcomes: ReadonlyArray<Outcome<unknown>>): Error {
	const itemIndex = outcomes.findIndex(({ state }) => state === 'failed');
	const outcome = outcomes[itemIndex];
	const error = outcome?.state === 'failed' ? outcome.error : undefined;
	const failure = toNodeError(node, error, itemIndex);
	if (outcomes.length === 1) return failure;
	const problems = problemsOf(node, outcomes);
	// What is wrong with each item in the same way is a setting of the node.
	const [first] = problems;
	const isOfInput = error instanceof InvalidInput || error instanceof NotFound;
	if (isOfInput && first?.count === outcomes.length && first.isSame) return withoutItem(failure);
	addToHint(node, failure, summaryOf(outcomes));
	// The title is the only problem, and the summary names its items.
	if (problems.length === 1 && first?.isSame) return failure;
	const others = problems
		.filter(({ count }, at) => at > 0 || count > 1)
		.map((problem) => sentenceOf(problem, 'item'));
	const more = others.length > MAX_PROBLEMS ? ` And ${others.length - MAX_PROBLEMS} more.` : '';
	if (others.length > 0) addToHint(node, failure, `${others.slice(0, MAX_PROBLEMS).join(' ')}${more}`);
	return failure;
}

/** Maximum number of problems that an error lists. */
const MAX_PROBLEMS = 10;

/** Maximum number of ranges of items in a summary. */
const MAX_RANGES = 5;

/** The failed items by reason; that of the first item is first. */
function problemsOf(node: IExecuteFunctions, outcomes: ReadonlyArray<Outcome<unknown>>): Problem[] {
	const problems = new Problems();
	for (const [itemIndex, outcome] of outcomes.entries())
		if (outcome.state === 'failed')
			problems.add(itemIndex, toNodeError(node, outcome.error, itemIndex).message);
	return problems.all;
}

function summaryOf(outcomes: ReadonlyArray<Outcome<unknown>>): string {
	const indices = (wanted: (outcome: Outcome<unknown>) => boolean) =>
		outcomes.flatMap((outcome, index) => (wanted(outcome) ? [index] : []));
	const isUnknown = (outcome: Outcome<unknown>) =>
		outcome.state === 'failed' && outcome.error instanceof OutcomeUnknown;
	const isUnlocated = (outcome: Outcome<unknown>) =>
		outcome.state === 'failed' && outcome.error instanceof CreatedUnlocated;
	const groups = [
		{ of: indices(({ state }) => state === 'done'), what: 'carried out' },
		{ of: indices(isUnlocated), what: 'created at an unknown address' },
		{
			of: indices((one) => one.state === 'failed' && !isUnknown(one) && !isUnlocated(one)),
			what: 'failed',
		},
		{ of: indices(isUnknown), what: 'of unknown outcome' },
		{ of: indices(({ state }) => state === 'untried'), what: 'not tried' },
	];
	const parts = groups
		.filter(({ of }) => of.length > 0)
		.map(({ of, what }) => `${of.length} ${what} (${rangesOf(of)})`);
	return `Of ${outcomes.length} items, counted from 0: ${parts.join(', ')}.`;
}

/** Indices as ranges: `0 to 4, 7, 9 to 12`. */
function rangesOf(indices: readonly number[]): string {
	const ranges: Array<{ from: number; to: number }> = [];
	for (const index of indices) {
		const last = ranges.at(-1);
		if (last?.to === index - 1) last.to = index;
		else ranges.push({ from: index, to: index });
	}
	const texts = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
	return texts.length > MAX_RANGES ? `${texts.slice(0, MAX_RANGES).join(', ')} …` : texts.join(', ');
}

function whyStopped(outcomes: ReadonlyArray<Outcome<unknown>>): string {
	const itemIndex = outcomes.findIndex((one) => one.state === 'failed' && concernsAllItems(one.error));
	const at = itemIndex < 0 ? outcomes.findIndex(({ state }) => state === 'failed') : itemIndex;
	const outcome = outcomes[at];
	const error = outcome?.state === 'failed' ? outcome.error : undefined;
	return endedWith(at, error);
}

/** Why items after a failed one were not tried. */
export function endedWith(itemIndex: number, error: unknown): string {
	return `item ${itemIndex} ended with: ${error instanceof Error ? error.message : String(error)}`;
}
