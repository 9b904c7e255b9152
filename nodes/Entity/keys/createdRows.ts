import type { Client } from '../../../client';
import { NotFound } from '../../../client/errors';
import { addToGroup } from '../../../client/formats/grouping';
import { outcomeOf } from '../../../client/http/limiter';
import type { Entity } from '../../../client/resources/entities';
import type { Grid } from '../../../client/resources/grids';

/** Waits before each reading of a row that is not found, in milliseconds. */
const READ_DELAYS_MS = [0, 500, 2000];

/** Rows that this execution has created, by key: a list may not have them yet. */
export class CreatedRows {
	private readonly ids = new Map<string, string[]>();

	constructor(
		private readonly client: Client,
		private readonly grid: Grid,
	) {}

	add(key: string, id: string): void {
		addToGroup(this.ids, key, id);
	}

	/** The created rows with a key that are not among the listed ones, unless deleted since. */
	async missingFrom(listed: readonly Entity[], key: string): Promise<Entity[]> {
		const found: Entity[] = [];
		for (const id of this.ids.get(key) ?? []) {
			if (listed.some(({ _id }) => _id === id)) continue;
			const entity = await this.read(id);
			if (entity) found.push(entity);
		}
		return found;
	}

	private async read(id: string): Promise<Entity | undefined> {
		for (const wait of READ_DELAYS_MS) {
			if (wait > 0) await this.client.session.limiter.waitWithoutSlot(wait);
			const reading = await outcomeOf(this.client.entities.get(this.grid, id));
			if (reading.state === 'done') return reading.value;
			if (!(reading.error instanceof NotFound)) throw reading.error;
		}
		return undefined;
	}
}
