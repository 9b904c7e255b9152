import { randomUUID } from 'crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { InvalidInput, isTransient } from '../../client';
import { connect } from '../shared/connection/connect';
import { shownLine } from '../shared/display/shownText';
import { newestEntry } from './newestEntry';
import { EventFilter } from './eventFilter';
import { itemsOf, mayBeShown, viewOf, type Emission, type OpenGrid } from './output';
import { fail, PassingProblem } from './pollFailure';
import { poll, type PollResult } from '../shared/feed/poll';
import type { Members, TriggerState } from '../shared/feed/state';
import { Cursor, TriggerSession, type CursorStorage, type Source } from './session';
import { feedOf, mergedChange, type ChangeEntry } from '../shared/feed/feed';
import { readSettings, type Settings } from './settings';
import {
	isSampleDue,
	membersOf,
	openView,
	rowsInView,
	sampleView,
	withMoves,
	type Move,
} from './viewMembers';

/** Distinguishes this process from earlier ones. */
const PROCESS = randomUUID();

/** Maximum duration and number of requests of a poll; newer n8n abandons a poll after 45 s. */
export const POLL_LIMIT = { ms: 36_000, requests: 1000 };
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

/** Maximum number of retries of a request of one poll. */
const RETRIES = 3;
const patience = (timeLeft: () => number) => ({
	retries: RETRIES,
	totalTime: Math.max(0, timeLeft()),
});

/** The time budget that n8n gives a poll; undefined before n8n 2.38. */
function budgetOf(node: IPollFunctions): number | undefined {
	const budget = budgetSchema.safeParse(node);
	return budget.success ? budget.data.getPollBudgetMs() : undefined;
}

const isTimeLimited = (offered: number | undefined) => offered !== undefined && offered < UNLIMITED_BUDGET_MS;

/** n8n's durable scheduler limits the time of a poll. @param offered see `budgetOf` */
function storageOf(offered: number | undefined): CursorStorage {
	if (offered === undefined) return 'always';
	return isTimeLimited(offered) ? 'withExecution' : 'unlessOvertaken';
}

/** One poll: the events for one execution, or null. @throws NodeApiError or NodeOperationError */
export async function runPoll(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (node.getMode() === 'manual')
		return [await showNewest(node).catch((error: unknown) => fail(node, error))];
	const session = TriggerSession.of(node);
	if (session.isPolling) return null;
	try {
		return await pollOnce(node, session, session.begin(node));
	} catch (error) {
		session.forgetSource();
		return fail(node, error);
	} finally {
		session.isPolling = false;
	}
}

async function pollOnce(
	node: IPollFunctions,
	session: TriggerSession,
	isActivation: boolean,
): Promise<INodeExecutionData[][] | null> {
	const offered = budgetOf(node);
	const storage = storageOf(offered);
	const data = {
		nodeId: node.getNode().id,
		own: node.getWorkflowStaticData('node'),
		shared: node.getWorkflowStaticData('global'),
	};
	const cursor = new Cursor(data, session, storage);
	if (cursor.isBeingStored()) return null;
	const stored = cursor.read();
	if (stored && stored.mended.length > 0)
		node.logger.warn(
			`Parts of the stored position in the feed could not be read: ${stored.mended.join(', ')}`,
		);
	return await emit({ node, session, offered, cursor }, stored?.state).catch((error: unknown) => {
		// n8n deactivates a workflow whose first poll fails; retrying in the next poll loses nothing.
		if (!isActivation || storage === 'withExecution' || !stored || !isTransient(error)) throw error;
		session.forgetSource();
		node.logger.warn('The service could not be reached on activation; the next poll catches up');
		return null;
	});
}

interface Polling {
	node: IPollFunctions;
	session: TriggerSession;
	/** See `budgetOf`. */
	offered: number | undefined;
	cursor: Cursor;
}

async function emit(
	{ node, session, offered, cursor }: Polling,
	state: TriggerState | undefined,
): Promise<INodeExecutionData[][] | null> {
	const budget = Math.min(offered ?? POLL_LIMIT.ms, POLL_LIMIT.ms);
	const until = performance.now() + budget;
	const timeLeft = () => until - performance.now();
	const client = await connect(node, patience(timeLeft));
	const settings = await readSettings(node, client, session.resolutions);
	const source = await session.open(node, client, settings);
	const { read } = feedOf(source, () => patience(timeLeft));
	const filter = new EventFilter(settings, source.fields, source.userId);
	let slowest = 0;
	let requests = 0;
	let isRenewed = false;
	const result = await poll({
		state,
		memory: session.takeMemory(cursor.serial),
		of: source.of,
		feed: {
			async read(since, request, identities) {
				requests += 1;
				const response = await read(since, request, identities);
				slowest = Math.max(slowest, response.took);
				// A column that was added or renamed would be taken for another one.
				if (!isRenewed && response.items.some(({ update }) => filter.isOutdatedFor(update))) {
					requests += 1;
					isRenewed = true;
					filter.use(await session.renewFields(client, settings));
				}
				return response;
			},
		},
		clock: {
			wall: () => Date.now(),
			isOver: () =>
				requests >= POLL_LIMIT.requests ||
				timeLeft() < Math.max(budget * RESERVED_SHARE, RESERVED_RESPONSES * slowest),
		},
		lookback: settings.lookback,
		limit: settings.eventsPerExecution,
		startFrom: settings.startFrom,
		atLeastOnce: settings.delivery === 'atLeastOnce' ? { process: PROCESS } : undefined,
		accepts: ({ update }) => filter.accepts(update),
		quiet: settings.quiet && {
			...settings.quiet,
			holds: ({ update }) => filter.holds(update),
			merge: mergedChange,
		},
	});
	if (result.interruptedBy !== undefined && !result.hasProgress) {
		if (state) session.keep(cursor.serial, result.memory);
		throw result.interruptedBy;
	}
	for (const note of result.notes) node.logger.warn(shownLine(node, note));
	if (result.interruptedBy !== undefined)
		node.logger.warn('The feed was not read to its end; the next poll continues there');
	const outputUntil = performance.now() + (isTimeLimited(offered) ? Math.max(timeLeft(), 0) : MAX_OUTPUT_MS);
	// Its requests are counted apart: a long reading would leave none for its rows at each poll.
	let outputRequests = 0;
	const isLate = () => performance.now() > outputUntil || ++outputRequests > POLL_LIMIT.requests;
	let isStored = false;
	try {
		requireUsers(session, filter);
		const { items, members, moves } = await output({ node, settings, source, state, result, isLate });
		const batch = { ...result.state, ...(members ? { members } : {}) };
		// Comes last, so that an error does not move the cursor.
		cursor.write(
			settings.delivery === 'atLeastOnce' ? withMoves(batch, PROCESS, moves) : batch,
			items.length > 0,
		);
		isStored = true;
		session.keep(cursor.serial, result.memory);
		return items.length === 0 ? null : [items];
	} finally {
		// After an error, the next poll need not read the feed again.
		if (!isStored && state) session.keep(cursor.serial, result.undone());
	}
}

/** @throws InvalidInput at the first change without a user, if users are ignored */
function requireUsers(session: TriggerSession, { lacksUser }: EventFilter): void {
	if (!lacksUser || session.hasToldOfUsers) return;
	session.hasToldOfUsers = true;
	throw new PassingProblem(
		'"Ignore Changes By" has no effect: a change of the grid does not say who made it',
		'From the next poll on, changes without a user start the workflow. If it writes to this grid, filter its own changes in another way. This message appears once.',
	);
}

interface Output {
	node: IPollFunctions;
	settings: Settings;
	source: Source;
	/** As stored. */
	state: TriggerState | undefined;
	result: PollResult<ChangeEntry>;
	isLate: () => boolean;
}

/** The items for the workflow, with the rows of the view after them. */
async function output({ node, settings, source, state, result, isLate }: Output) {
	const { client } = source;
	const needsGrid = settings.watched.length > 0 || settings.becomes !== undefined || settings.view !== '';
	const before = membersOf(state, PROCESS);
	const isSampled = isSampleDue(settings, before, { hasNews: result.hasNews, now: Date.now() });
	const nothing: { items: INodeExecutionData[]; members?: Members; moves: Move[] } = { items: [], moves: [] };
	if (result.events.length === 0 && !isSampled && !(result.hasNews && needsGrid)) return nothing;
	const grid = await client.grids.open(settings.grid);
	const open: OpenGrid = { client, grid, fields: await client.fields.of(grid), isOver: isLate };
	// A column or view that was deleted meanwhile would make the trigger silent.
	new EventFilter(settings, open.fields, source.userId);
	if (settings.view) await openView(viewOf(open, settings));
	const limit = settings.eventsPerExecution - result.events.length;
	const { kinds } = settings;
	const sample = isSampled
		? await sampleView(viewOf(open, settings), before, { limit, now: Date.now(), kinds })
		: undefined;
	if (sample?.hint !== undefined) node.logger.warn(shownLine(node, sample.hint));
	const moves = sample?.moves ?? [];
	const emissions: Emission[] = [
		...result.events.map(({ entry: { update }, redelivered }) => ({ update, redelivered })),
		...moves.map((move) => ({ move, redelivered: move.redelivered })),
	];
	return { items: await itemsOf(open, settings, emissions), members: sample?.members ?? before, moves };
}

/** "Fetch Test Event": neither reads nor moves the cursor. */
async function showNewest(node: IPollFunctions): Promise<INodeExecutionData[]> {
	const session = new TriggerSession();
	const until = performance.now() + POLL_LIMIT.ms;
	const timeLeft = () => until - performance.now();
	const client = await connect(node, patience(timeLeft));
	const settings = await readSettings(node, client, session.resolutions);
	const source = await session.open(node, client, settings);
	const filter = new EventFilter(settings, source.fields, source.userId);
	const grid = await client.grids.open(settings.grid);
	const open: OpenGrid = { client, grid, fields: source.fields, isOver: () => timeLeft() < 0 };
	/** Of the rows of the view, which is listed at most once. */
	let ids: Promise<ReadonlySet<string>> | undefined;
	let last: ChangeEntry | undefined;
	const accepted = async (entries: ChangeEntry[]) => {
		for (const entry of entries) if ((entry.time ?? 0) >= (last?.time ?? 0)) last = entry;
		const wanted = entries.filter(({ update }) => filter.accepts(update));
		if (!settings.view || wanted.length === 0) return wanted;
		const inside = await (ids ??= rowsInView(viewOf(open, settings)));
		return wanted.filter(({ update }) => mayBeShown(update, settings, inside));
	};
	const feed = feedOf(source, () => patience(timeLeft));
	const newest = await newestEntry(feed, { now: Date.now(), isOver: open.isOver, accepted });
	const emission = newest ? { update: newest.update, redelivered: false } : await someMove(open, settings);
	const items = emission ? await itemsOf(open, settings, [emission]) : [];
	if (items.length > 0) return items;
	throw new InvalidInput(
		`There is no event to show: ${last ? whyNot(last, filter) : 'the grid has no changes'}`,
		'Change a row in the way that the trigger waits for, and fetch the test event again. Or publish the workflow: it does not need a test event.',
	);
}

function whyNot({ update }: ChangeEntry, filter: EventFilter): string {
	const { kind, entityId, timestamp } = update;
	const input = filter.rejecting(update) ?? 'Only Rows in View';
	const what = `${kind}${entityId ? `, row ${entityId}` : ''}${timestamp === undefined ? '' : `, ${timestamp}`}`;
	return `"${input}" leaves out the newest change (${what}), and no earlier one matches either`;
}

/** A row of the view, as if it had just entered or left. */
async function someMove(open: OpenGrid, settings: Settings): Promise<Emission | undefined> {
	const kind = (['entered', 'left'] as const).find((one) => settings.kinds.has(one));
	if (!kind) return undefined;
	const { items } = await open.client.entities.many(open.grid, { viewId: settings.view }, 1);
	const [row] = items;
	return row && { move: { kind, id: row._id, row, redelivered: false }, redelivered: false };
}
