import { createHash } from 'crypto';
import {
	type Client,
	type Entity,
	filterOf,
	type Grid,
	InvalidInput,
	type ListSource,
	NotFound,
	sortingOf,
	streamList,
} from '../../client';
import { withoutRepair } from './pollFailure';
import type { Members } from './polling/state';

/** A view (virtual grid, §4.5) of a grid. */
export interface ViewOfGrid {
	client: Client;
	grid: Grid;
	viewId: string;
	/** Whether the time or the requests of the poll are used up. */
	isOver: () => boolean;
}

/** A row that came into the view or left it. */
export interface Move {
	kind: 'entered' | 'left';
	id: string;
	/** As the view shows it; undefined if it left. */
	row?: Entity | undefined;
}

/** The error for work that exceeds the budget of a poll. */
export function pollBudgetExceeded(what: string, fix: string): InvalidInput {
	return withoutRepair(
		new InvalidInput(
			`${what} within the time and the requests that a poll may take`,
			`${fix}. No event is lost.`,
		),
	);
}

/**
 * Finds rows in a view by listing it (§4.5), only as far as needed.
 * @param ids of rows
 * @returns those that are listed
 * @throws InvalidInput if the view is gone, a row may have been passed over because the view kept
 * changing, or the budget of the poll is used up, and what `streamList` throws
 */
export async function rowsInView(view: ViewOfGrid, ids: ReadonlySet<string>): Promise<Set<string>> {
	const listed = new Set<string>();
	await openView(view);
	if (ids.size === 0) return listed;
	const search = async (pages: AsyncIterable<Entity[]>) => {
		for await (const page of pages) {
			for (const { _id } of page) if (ids.has(_id)) listed.add(_id);
			if (listed.size === ids.size) return;
		}
	};
	const { unstable } = await streamList(listOf(view), search, { atOnce: 1 });
	if (!unstable || listed.size === ids.size) return listed;
	throw withoutRepair(
		new InvalidInput(
			`The view kept changing while it was read ${unstable.readings} times: changed rows may have been passed over`,
			'The next poll reads it again; if this happens at each poll, choose a view with fewer rows. No event is lost.',
		),
	);
}

/** The result of listing a view. */
export interface Sample {
	moves: Move[];
	members: Members;
	hint?: string | undefined;
}

/**
 * Compares a view with the rows that it had at the last sample. The first sample, and the first one
 * of another view or another definition of the view, only notes its rows.
 * @param limit maximum number of moves; the others are found by the next sample
 * @param now milliseconds since 1970
 * @throws what `rowsInView` throws
 */
export async function sampleView(
	view: ViewOfGrid,
	before: Members | undefined,
	{ limit, now }: { limit: number; now: number },
): Promise<Sample> {
	const definition = definitionOf(view.viewId, await openView(view));
	const known = new Set(before?.ids);
	const rows = new Map<string, Entity | undefined>();
	/** Of all readings: a disturbed one may have passed over rows. */
	const listedIds = new Set<string>();
	const collect = async (pages: AsyncIterable<Entity[]>) => {
		rows.clear();
		// Rows that were there before are not held.
		for await (const page of pages)
			for (const row of page) {
				rows.set(row._id, known.has(row._id) ? undefined : row);
				listedIds.add(row._id);
			}
	};
	const { unstable } = await streamList(listOf(view), collect);
	if (before?.definition !== definition) {
		const ids = [...(unstable ? listedIds : rows.keys())];
		const members = { definition, ids, at: now, isDue: false };
		return { moves: [], members, hint: before && CHANGED };
	}
	// A reading that was disturbed may have passed over rows: they have not left.
	const left = unstable ? [] : before.ids.filter((id) => !rows.has(id));
	const entered = [...rows].flatMap(([id, row]) => (row ? [{ kind: 'entered' as const, id, row }] : []));
	const all: Move[] = [...left.map((id) => ({ kind: 'left' as const, id })), ...entered];
	const moves = all.slice(0, limit);
	for (const { kind, id } of moves) {
		if (kind === 'entered') known.add(id);
		else known.delete(id);
	}
	const isDue = unstable !== undefined || moves.length < all.length;
	return { moves, members: { definition, ids: [...known], at: now, isDue } };
}

const CHANGED =
	'The view of this trigger was changed. The rows that it has now start no workflow; rows that enter or leave from now on do.';

/** @throws InvalidInput if the view is gone */
export async function openView({ client, grid, viewId }: Omit<ViewOfGrid, 'isOver'>): Promise<Grid> {
	const { spaceId } = grid.address;
	return await client.grids.open({ spaceId, gridId: viewId }).catch((error: unknown) => {
		if (!(error instanceof NotFound)) throw error;
		throw new InvalidInput(
			`The grid has no view "${viewId}", which "Only Rows in View" names`,
			'It may have been deleted. Choose another view, or remove the option. No event is lost meanwhile.',
		);
	});
}

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
