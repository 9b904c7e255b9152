import { newId } from '../world/makeGrid';
import { Fault } from '../../scripts/setup/faults.mjs';
import { until } from '../until';
import type { Client } from '../../client';
import type { Grid } from '../../client/resources/grids';

/** A change of "Orders" */
export interface Change {
	event: 'created' | 'updated' | 'deleted';
	/** Name of the row */
	row: string;
	entityId: string;
	/** Time of the service's response, by `performance.now()` */
	doneAt: number;
}

/** A row of "Activity" */
export type Written = { event: string; details: string; seenAt: number };

/**
 * Creates, updates and deletes rows in waves, so that a reader of the current rows can see each
 * change.
 * @param count rows in a wave
 */
export async function* changeRows(client: Client, orders: Grid, count: number): AsyncGenerator<Change[]> {
	const run = Date.now().toString(36);
	const rows = Array.from({ length: count }, (_, at) => ({ row: `${run}-${String(at + 1)}`, entityId: '' }));
	const wave = async (event: Change['event'], work: (one: (typeof rows)[number]) => Promise<unknown>) => {
		const changes: Change[] = [];
		for (const one of rows) {
			await work(one);
			changes.push({ event, ...one, doneAt: performance.now() });
		}
		return changes;
	};
	const { entities } = client;
	yield await wave('created', async (one) => {
		const values = { Order: one.row, Status: 'new' };
		one.entityId = newId(await entities.create(orders, values, 'property'));
	});
	yield await wave('updated', ({ entityId }) =>
		entities.update(orders, entityId, { Status: 'packed' }, 'property'),
	);
	yield await wave('deleted', ({ entityId }) => entities.remove(orders, entityId));
}

/** Rows that the workflow wrote to "Activity", with the time when each was first seen. */
export class ActivityLog {
	#written: Map<string, Written> = new Map();
	#client;
	#activity;

	constructor(client: Client, activity: Grid) {
		this.#client = client;
		this.#activity = activity;
	}

	/** Reads the rows since the last call. */
	async read() {
		const { items } = await this.#client.entities.many(this.#activity, { layout: 'property' });
		for (const { _id: id, Event, Details } of items)
			if (!this.#written.has(id))
				this.#written.set(id, { event: String(Event), details: String(Details), seenAt: performance.now() });
	}

	/**
	 * @returns the rows for a change, normally one; the workflow writes the row's ID into its
	 *   details
	 */
	writtenFor({ event, entityId }: Change): Written[] {
		return [...this.#written.values()].filter((row) => row.event === event && row.details.includes(entityId));
	}

	/**
	 * Reads until each change of a wave was handled or the time is up.
	 * @returns whether all were handled
	 */
	async untilHandled(wave: readonly Change[], withinMs: number): Promise<boolean> {
		const areHandled = async () => {
			await this.read();
			return wave.every((change) => this.writtenFor(change).length > 0);
		};
		return await until('the changes', areHandled, { withinMs }).catch((error: unknown) => {
			if (error instanceof Fault) return false;
			throw error;
		});
	}
}
