import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../world/makeGrid';
import { interruption } from '../../scripts/setup/interruption.mjs';
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

	const rows: { row: string; entityId: string }[] = [];

	const created: Change[] = [];
	for (let number = 1; number <= count; number++) {
		const row = `${run}-${String(number)}`;
		const values = { Order: row, Status: 'new' };
		const entityId = newId(await client.entities.create(orders, values, 'property'));
		rows.push({ row, entityId });
		created.push({ event: 'created', row, entityId, doneAt: performance.now() });
	}
	yield created;

	const updated: Change[] = [];
	for (const { row, entityId } of rows) {
		await client.entities.update(orders, entityId, { Status: 'packed' }, 'property');
		updated.push({ event: 'updated', row, entityId, doneAt: performance.now() });
	}
	yield updated;

	const deleted: Change[] = [];
	for (const { row, entityId } of rows) {
		await client.entities.remove(orders, entityId);
		deleted.push({ event: 'deleted', row, entityId, doneAt: performance.now() });
	}
	yield deleted;
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
		for (let pageIndex = 1, pages = 1; pageIndex <= pages; pageIndex++) {
			const page = await this.#client.entities.page(this.#activity, { pageIndex, layout: 'property' });
			pages = page.numberOfPages;
			for (const entity of page.items) {
				if (this.#written.has(entity._id)) continue;
				const [event, details] = ['Event', 'Details'].map((name) => String(entity[name]));
				this.#written.set(entity._id, {
					event: event ?? '',
					details: details ?? '',
					seenAt: performance.now(),
				});
			}
		}
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
		for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
			await this.read();
			if (wave.every((change) => this.writtenFor(change).length > 0)) return true;
			await wait(100, undefined, { signal: interruption });
		}
		return false;
	}
}
