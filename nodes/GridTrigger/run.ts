import { randomUUID } from 'crypto';
import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { isTransient } from '../../client/errors/failures';
import { toNodeError } from '../shared/display/nodeError';
import { shownHint, shownLine, shownMessage } from '../shared/display/shownText';
import { Cursor, type CursorStorage } from './polling/cursor';
import { FeedUnusable } from './polling/feed';
import { newestEvent } from './polling/newestEvent';
import { itemsOf } from './output';
import { poll } from './polling/poll';
import { Remainders } from './polling/remainders';
import { matchesSettings, readSettings, type Settings } from './settings';
import { feedOf, forgetSource, openSource, unreadableEvent, type ChangeEvent, type Source } from './source';
import { StateUnusable } from './polling/state';

/**
 * Triggers being polled. n8n may start a poll while the preceding one still runs; such a poll is
 * skipped.
 */
const polling = new Set<string>();
/** Contexts that have been polled; the first poll belongs to the activation. */
const activated = new WeakSet<IPollFunctions>();
/** What the last polls have read but not emitted, by trigger. */
const remainders = new Remainders<ChangeEvent>();
/** Distinguishes this process from earlier ones. */
const PROCESS = randomUUID();

/** Maximum duration of a poll: newer n8n abandons a poll after 45 s. */
const MAX_POLL_MS = 36_000;
/** The budget that n8n 2.38 and newer reports for polls without a time limit. */
const UNLIMITED_BUDGET_MS = 300_000;
/** Maximum duration of reading rows and views after the feed, for polls without a time limit. */
const MAX_OUTPUT_MS = 60_000;
/** Share of the time reserved for what follows the reading of the feed. */
const RESERVED_SHARE = 0.2;
/**
 * Reserves at least the duration of this many responses as slow as the slowest one: an abandoned
 * poll makes no progress, and the next one would be abandoned, too.
 */
const RESERVED_RESPONSES = 2;

const budgetSchema = z.object({
	getPollBudgetMs: z.custom<() => number>((value) => typeof value === 'function'),
});

/** The time budget that n8n gives a poll; undefined before n8n 2.38. */
function budgetOf(node: IPollFunctions): number | undefined {
	const found = budgetSchema.safeParse(node);
	return found.success ? found.data.getPollBudgetMs() : undefined;
}

const isTimeLimited = (offered: number | undefined) => offered !== undefined && offered < UNLIMITED_BUDGET_MS;

/**
 * n8n's durable scheduler limits the time of a poll.
 * @param offered see `budgetOf`
 */
function storageOf(offered: number | undefined): CursorStorage {
	if (offered === undefined) return 'always';
	return isTimeLimited(offered) ? 'withExecution' : 'unlessOvertaken';
}

/** One poll: the events for one execution, or null. @throws NodeApiError or NodeOperationError */
export async function runPoll(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const place = `${node.getWorkflow().id ?? ''}/${node.getNode().id}`;
	if (node.getMode() === 'manual')
		return [await showNewest(node, place).catch((error: unknown) => fail(node, error))];
	if (polling.has(place)) return null;
	polling.add(place);
	const isActivation = !activated.has(node);
	activated.add(node);
	try {
		return await pollOnce(node, place, isActivation);
	} catch (error) {
		forgetSource(place);
		return fail(node, error);
	} finally {
		polling.delete(place);
	}
}

async function pollOnce(
	node: IPollFunctions,
	place: string,
	isActivation: boolean,
): Promise<INodeExecutionData[][] | null> {
	const offered = budgetOf(node);
	const storage = storageOf(offered);
	const data = {
		nodeId: node.getNode().id,
		own: node.getWorkflowStaticData('node'),
		shared: node.getWorkflowStaticData('global'),
	};
	const cursor = new Cursor(data, place, storage);
	if (cursor.isBeingStored()) return null;
	const stored = cursor.read();
	if (stored && stored.mended.length > 0)
		node.logger.warn(
			`Parts of the stored position in the feed could not be read: ${stored.mended.join(', ')}`,
		);
	return await emit({ node, place, offered, cursor }, stored?.state).catch((error: unknown) => {
		// n8n deactivates a workflow whose first poll fails; retrying in the next poll loses nothing.
		if (!isActivation || storage === 'withExecution' || !stored || !isTransient(error))
			return Promise.reject(error);
		forgetSource(place);
		node.logger.warn('The service could not be reached on activation; the next poll catches up');
		return null;
	});
}

interface Polling {
	node: IPollFunctions;
	place: string;
	/** See `budgetOf`. */
	offered: number | undefined;
	cursor: Cursor;
}

async function emit(
	{ node, place, offered, cursor }: Polling,
	state: Parameters<typeof poll>[0]['state'],
): Promise<INodeExecutionData[][] | null> {
	const budget = Math.min(offered ?? MAX_POLL_MS, MAX_POLL_MS);
	const until = performance.now() + budget;
	const timeLeft = () => until - performance.now();
	const settings = await readSettings(node);
	const source = await openSource(node, place, settings, timeLeft);
	const { read } = feedOf(source, timeLeft);
	let slowest = 0;
	const result = await poll({
		state,
		left: remainders.of(place, cursor.serial),
		of: source.of,
		formerlyOf: source.formerlyOf,
		feed: {
			async read(since, page, size) {
				const response = await read(since, page, size);
				slowest = Math.max(slowest, response.took);
				return response;
			},
		},
		clock: {
			wall: () => Date.now(),
			isOver: () => timeLeft() < Math.max(budget * RESERVED_SHARE, RESERVED_RESPONSES * slowest),
		},
		lookback: Math.round(settings.lookback * 1000),
		limit: settings.eventsPerExecution,
		startFrom: settings.startFrom,
		atLeastOnce: settings.delivery === 'atLeastOnce' ? { process: PROCESS } : undefined,
		accepts: wanted(settings, source),
		unreadable: unreadableEvent,
	});
	for (const note of result.notes) node.logger.warn(shownLine(node, note));
	if (result.interruptedBy !== undefined)
		node.logger.warn('The feed was not read to its end; the next poll continues there');
	const emissions = result.events.map(({ event, redelivered }) => ({ update: event.update, redelivered }));
	const outputUntil = performance.now() + (isTimeLimited(offered) ? Math.max(timeLeft(), 0) : MAX_OUTPUT_MS);
	const isLate = () => performance.now() > outputUntil;
	const items = emissions.length === 0 ? [] : await itemsOf(source.client, settings, emissions, isLate);
	// Comes last, so that an error does not move the cursor.
	cursor.write(result.state, items.length > 0);
	remainders.keep(place, cursor.serial, result.left);
	return items.length === 0 ? null : [items];
}

function wanted(settings: Settings, { fields }: Source): (event: ChangeEvent) => boolean {
	const columns = fields.map(({ id, key, name }) => [id, name, ...(key ? [key] : [])]);
	return ({ update }) => matchesSettings(settings, update, columns);
}

/** "Fetch Test Event": neither reads nor moves the cursor. */
async function showNewest(node: IPollFunctions, place: string): Promise<INodeExecutionData[]> {
	const settings = await readSettings(node);
	forgetSource(place);
	const until = performance.now() + MAX_POLL_MS;
	const timeLeft = () => until - performance.now();
	const source = await openSource(node, place, settings, timeLeft);
	const feed = feedOf(source, timeLeft);
	const newest = await newestEvent(feed, Date.now(), wanted(settings, source));
	if (newest === undefined) {
		// n8n shows an empty output; a polling node cannot show a hint.
		node.logger.info('The grid has no changes of the chosen kinds yet, so there is no event to show');
		return [];
	}
	const emission = { update: newest.update, redelivered: false };
	return await itemsOf(source.client, settings, [emission], () => timeLeft() < 0);
}

function fail(node: IPollFunctions, error: unknown): never {
	const shown =
		error instanceof StateUnusable || error instanceof FeedUnusable
			? new NodeOperationError(node.getNode(), shownMessage(node, error.message), {
					description: shownHint(node, error.hint),
				})
			: toNodeError(node, error);
	// n8n stops retrying at start-up if a message contains this word.
	const without = (text: string) => text.replace(/authorization/gi, 'sign-in');
	shown.message = without(shown.message);
	shown.messages = shown.messages.map(without);
	if (typeof shown.description === 'string') shown.description = without(shown.description);
	throw shown;
}
