import { createHash } from 'crypto';
import {
	type Client,
	type Entity,
	type Field,
	filterOf,
	type Grid,
	InvalidInput,
	type ListSource,
	NotFound,
	sortingOf,
	streamList,
	readList,
} from '../../client';
import { goneColumns, requireFit } from '../shared/rows/viewFit';
import { pollBudgetExceeded } from './pollFailure';
import type { Members, TriggerState } from '../shared/feed/state';

/** A view (virtual grid, §4.5) of a grid. */
export interface ViewOfGrid {
	client: Client;
	grid: Grid;
	viewId: string;
	/** Of the grid. */
	fields: readonly Field[];
	/** Whether the time or the requests of the poll are used up. */
	isOver: () => boolean;
}

/** A row that came into the view or left it. */
export interface Move {
	kind: 'entered' | 'left';
	id: string;
	/** As the view shows it; undefined if it left. */
	row?: Entity | undefined;
	/** At least once: another process has emitted it and ended before its next poll. */
	redelivered: boolean;
}

/**
 * Finds rows in a view by listing it (§4.5), only as far as needed.
 * @param ids of rows; all rows of the view if omitted
 * @returns those that are in the view
 * @throws InvalidInput if the view is gone or no longer fits its grid, or the budget of the poll is
 * used up, and what `streamList` throws
 */
export async function rowsInView(view: ViewOfGrid, ids?: ReadonlySet<string>): Promise<Set<string>> {
	const address = await openView(view);
	const listed = new Set<string>();
	if (ids?.size === 0) return listed;
	let pages = 0;
	const search = async (list: AsyncIterable<Entity[]>) => {
		for await (const page of list) {
			pages += 1;
			for (const { _id } of page) if (ids?.has(_id) !== false) listed.add(_id);
			if (listed.size === ids?.size) return;
		}
	};
	await streamList(listOf(view), search, { atOnce: 1 });
	const missing = [...(ids ?? [])].filter((id) => !listed.has(id));
	for (const id of (await passedOver(view, address, missing, pages)).keys()) listed.add(id);
	return listed;
}

/**
 * The rows of a view that a list of it lacks. If one row leaves in front and another one enters
 * behind while pages are read, the counts agree, and the list passes over a row between them.
 * @param address the view
 * @param pages number of pages of the list: one page shows a single moment
 */
async function passedOver(
	{ client, isOver }: ViewOfGrid,
	address: Grid,
	missing: readonly string[],
	pages: number,
): Promise<Map<string, Entity>> {
	return await rowsById({ client, grid: address, isOver }, pages > 1 ? missing : []);
}

/** The current rows by id, except those that do not exist. @throws InvalidInput see `rowsInView` */
export async function rowsById(
	{ client, grid, isOver }: Omit<ViewOfGrid, 'viewId' | 'fields'>,
	ids: readonly string[],
): Promise<Map<string, Entity>> {
	const rows = new Map<string, Entity>();
	const read = async (id: string) => {
		if (isOver()) throw pollBudgetExceeded('The changed rows cannot be read', 'Lower "Events per Execution"');
		const row = await client.entities
			.get(grid, id)
			.catch((error: unknown) => (error instanceof NotFound ? undefined : Promise.reject(error)));
		if (row) rows.set(id, row);
	};
	const run = await client.session.limiter.run([...ids], read, { stopOn: () => true });
	if (run.stoppedBy) throw run.stoppedBy.error;
	return rows;
}

/** The result of listing a view. */
export interface Sample {
	moves: Move[];
	members: Members;
	hint?: string | undefined;
}

interface SampleOptions {
	/** Maximum number of moves; the others are found by the next sample. */
	limit: number;
	/** Milliseconds since 1970. */
	now: number;
	/** Which moves the workflow wants; the others are only noted. */
	kinds: ReadonlySet<string>;
}

/**
 * Compares a view with the rows that it had at the last sample. The first sample, and the first one
 * of another view or another definition of the view, only notes its rows.
 * @throws what `rowsInView` throws
 */
export async function sampleView(
	view: ViewOfGrid,
	before: Members | undefined,
	{ limit, now, kinds }: SampleOptions,
): Promise<Sample> {
	const address = await openView(view);
	const definition = definitionOf(view.viewId, address);
	const members = new Set(before?.ids);
	const again = { entered: new Set(before?.again?.entered), left: new Set(before?.again?.left) };
	const isShown = (id: string) => !members.has(id) || again.entered.has(id);
	const first = await listed(view, isShown);
	if (before?.definition !== definition) {
		const ids = first.pages > 1 ? [...first.ids, ...(await listed(view, isShown)).ids] : first.ids;
		return {
			moves: [],
			members: { definition, ids: [...new Set(ids)], at: now, isDue: false },
			hint: before && CHANGED,
		};
	}
	const { rows } = first;
	const missing = [...new Set([...members, ...again.left])].filter((id) => !rows.has(id));
	const asked = missing.slice(0, limit);
	for (const [id, row] of await passedOver(view, address, asked, first.pages)) rows.set(id, row);
	const left = asked.filter((id) => !rows.has(id));
	const entered = [...rows].filter(([id]) => isShown(id));
	const all: Move[] = [
		...left.map((id) => ({ kind: 'left' as const, id, redelivered: !members.has(id) })),
		...entered.map(([id, row]) => ({ kind: 'entered' as const, id, row, redelivered: members.has(id) })),
	];
	const wanted = all.filter(({ kind }) => kinds.has(kind));
	const moves = wanted.slice(0, limit);
	for (const { kind, id } of [...moves, ...all.filter((move) => !kinds.has(move.kind))]) {
		if (kind === 'entered') members.add(id);
		else members.delete(id);
		again.entered.delete(id);
		again.left.delete(id);
	}
	const isDue = first.isUnstable || moves.length < wanted.length || asked.length < missing.length;
	const remaining = again.entered.size + again.left.size;
	return {
		moves,
		members: {
			...{ definition, ids: [...members], at: now, isDue: isDue || remaining > 0 },
			...(remaining > 0 ? { again: { entered: [...again.entered], left: [...again.left] } } : {}),
		},
	};
}

/** Lists a view. @param isShown whether an event may show a row; others are not kept in memory */
async function listed(view: ViewOfGrid, isShown: (id: string) => boolean) {
	const rows = new Map<string, Entity | undefined>();
	/** Of all readings: a disturbed one may have passed over rows. */
	const ids = new Set<string>();
	let pages = 0;
	const collect = async (list: AsyncIterable<Entity[]>) => {
		rows.clear();
		for await (const page of list) {
			pages += 1;
			for (const row of page) {
				rows.set(row._id, isShown(row._id) ? row : undefined);
				ids.add(row._id);
			}
		}
	};
	const { unstable } = await streamList(listOf(view), collect);
	return { rows, ids: [...ids], pages, isUnstable: unstable !== undefined };
}

/**
 * The rows of the view at the last sample, with what another process emitted and may have lost: it
 * is told again, or its opposite.
 */
export function membersOf(state: TriggerState | undefined, process: string): Members | undefined {
	const { members, pending } = state ?? {};
	const { entered = [], left = [] } = pending?.process === process ? {} : (pending ?? {});
	if (!members || entered.length + left.length === 0) return members;
	const again = {
		entered: [...new Set([...(members.again?.entered ?? []), ...entered])],
		left: [...new Set([...(members.again?.left ?? []), ...left])],
	};
	return { ...members, isDue: true, again };
}

/** How much earlier than planned a poll may come; polls are at least a minute apart. */
const EARLY_MS = 30_000;

export function isSampleDue(
	{ kinds, checkViewEvery }: { kinds: ReadonlySet<string>; checkViewEvery: number },
	members: Members | undefined,
	{ hasNews, now }: { hasNews: boolean; now: number },
): boolean {
	if (!kinds.has('entered') && !kinds.has('left')) return false;
	if (hasNews || !members || members.isDue) return true;
	return checkViewEvery > 0 && now - members.at >= checkViewEvery - EARLY_MS;
}

/** At least once: the state with the rows that entered or left, until this process polls again. */
export function withMoves(state: TriggerState, process: string, moves: readonly Move[]): TriggerState {
	if (moves.length === 0) return state;
	const idsOf = (kind: Move['kind']) => moves.filter((move) => move.kind === kind).map(({ id }) => id);
	const pending = state.pending ?? { process, keys: '', low: state.low };
	return { ...state, pending: { ...pending, entered: idsOf('entered'), left: idsOf('left') } };
}

const CHANGED =
	'The view of this trigger was changed. The rows that it has now start no workflow; rows that enter or leave from now on do.';

/** @throws InvalidInput if the view is gone or no longer fits its grid */
export async function openView({ client, grid, fields, viewId }: Omit<ViewOfGrid, 'isOver'>): Promise<Grid> {
	const { spaceId } = grid.address;
	const view = await client.grids.open({ spaceId, gridId: viewId }).catch((error: unknown) => {
		throw error instanceof NotFound ? noSuchView(viewId) : error;
	});
	requireFit(view, { grid, fields });
	const gone = goneColumns(Object.keys(sortingOf(view) ?? {}), fields);
	if (gone.length === 0) return view;
	throw new InvalidInput(
		`The view "${view.name}" is sorted by a column that the grid no longer has: "${gone.join('", "')}"`,
		'Change the sort order of the view, or choose another view. No event is lost meanwhile.',
	);
}

/** @throws InvalidInput if the grid has no such view, and what `openView` throws */
export async function requireViewOfGrid(view: Omit<ViewOfGrid, 'isOver'>): Promise<void> {
	await openView(view);
	const { items } = await readList(view.client.views.list(view.grid));
	if (!items.some(({ id }) => id === view.viewId)) throw noSuchView(view.viewId);
}

const noSuchView = (viewId: string) =>
	new InvalidInput(
		`The grid has no view "${viewId}", which "Only Rows in View" names`,
		'It may have been deleted. Choose another view, or remove the option. No event is lost meanwhile.',
	);

function definitionOf(viewId: string, view: Grid): string {
	const content = JSON.stringify([viewId, filterOf(view), sortingOf(view) === undefined ? null : 0]);
	return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

function listOf({ client, grid, viewId, isOver }: ViewOfGrid): ListSource<Entity> {
	const list = client.entities.list(grid, { viewId });
	return {
		...list,
		async fetchPage(request) {
			if (isOver())
				throw pollBudgetExceeded(
					'The view is too large to be searched',
					'Choose a view with fewer rows, or leave the view empty and filter the items instead',
				);
			return await list.fetchPage(request);
		},
	};
}
