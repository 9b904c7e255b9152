import { setTimeout as wait } from 'node:timers/promises';
import { interruption } from '../setup/interruption.mjs';
import { newId } from './dataGrid.mjs';

/** @typedef {import('./dataGrid.mjs').Client} Client */
/** @typedef {import('./dataGrid.mjs').Grid} Grid */

/**
 * @typedef {object} Change one that was made to "Orders"
 * @property {'created' | 'updated' | 'deleted'} event
 * @property {string} row what the row is called
 * @property {string} entityId
 * @property {number} doneAt when the service had confirmed it, on the clock of `performance.now()`
 */

/** @typedef {{ event: string, details: string, text: string, seenAt: number }} Written a row of "Activity" */

/**
 * Creates rows, updates each, deletes each; a wave at a time, so that each change is one of its own to whoever looks at
 * the current rows only.
 * @param {Client} client
 * @param {Grid} orders
 * @param {number} count rows in a wave
 * @returns {AsyncGenerator<Change[]>}
 */
export async function* changeRows(client, orders, count) {
	const run = Date.now().toString(36);
	/** @type {{ row: string, entityId: string }[]} */
	const rows = [];
	/** @type {Change[]} */
	const created = [];
	for (let number = 1; number <= count; number++) {
		const row = `${run}-${String(number)}`;
		const values = { Order: row, Status: 'new' };
		const entityId = newId(await client.entities.create(orders, values, 'property'));
		rows.push({ row, entityId });
		created.push({ event: 'created', row, entityId, doneAt: performance.now() });
	}
	yield created;
	/** @type {Change[]} */
	const updated = [];
	for (const { row, entityId } of rows) {
		await client.entities.update(orders, entityId, { Status: 'packed' }, 'property');
		updated.push({ event: 'updated', row, entityId, doneAt: performance.now() });
	}
	yield updated;
	/** @type {Change[]} */
	const deleted = [];
	for (const { row, entityId } of rows) {
		await client.entities.remove(orders, entityId);
		deleted.push({ event: 'deleted', row, entityId, doneAt: performance.now() });
	}
	yield deleted;
}

/** What the workflow wrote to "Activity", and when it was first seen there. */
export class ActivityLog {
	/** @type {Map<string, Written>} */
	#written = new Map();
	#client;
	#activity;

	/**
	 * @param {Client} client
	 * @param {Grid} activity
	 */
	constructor(client, activity) {
		this.#client = client;
		this.#activity = activity;
	}

	/** Reads all rows that are new since the last reading. */
	async read() {
		for (let pageIndex = 1, pages = 1; pageIndex <= pages; pageIndex++) {
			const page = await this.#client.entities.page(this.#activity, { pageIndex, layout: 'property' });
			pages = page.numberOfPages ?? 1;
			for (const entity of page.items) {
				if (this.#written.has(entity._id)) continue;
				const [event, order, details] = ['Event', 'Order', 'Details'].map((name) => String(entity[name]));
				this.#written.set(entity._id, {
					event: event ?? '',
					details: details ?? '',
					text: `${event ?? ''} ${order ?? ''}: ${details ?? ''}`,
					seenAt: performance.now(),
				});
			}
		}
	}

	/**
	 * @param {Change} change
	 * @returns {Written[]} one where all is well; the workflow puts the row's id into its details
	 */
	writtenFor({ event, entityId }) {
		return [...this.#written.values()].filter((row) => row.event === event && row.details.includes(entityId));
	}

	/**
	 * Reads until each change of a wave was handled, or the time is over.
	 * @param {readonly Change[]} wave
	 * @param {number} withinMs
	 * @returns {Promise<boolean>} whether each was
	 */
	async untilHandled(wave, withinMs) {
		for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
			await this.read();
			if (wave.every((change) => this.writtenFor(change).length > 0)) return true;
			await wait(100, undefined, { signal: interruption });
		}
		return false;
	}
}
