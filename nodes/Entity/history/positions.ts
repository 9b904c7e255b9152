import { z } from 'zod/v4';
import { type Client, type Field, type Grid, InvalidInput, toTimestamp } from '../../../client';
import { ColumnNames } from '../../shared/rows/columnNames';
import { feedOf, type ChangeEntry } from '../../shared/feed/feed';
import { poll } from '../../shared/feed/poll';
import { gridByKey } from '../writing/gridByKey';

/** How late a change may become visible after its time. */
const LOOKBACK_MS = 120_000;
/** Readings of a feed that keeps changing. */
const MAX_READINGS = 3;
const COLUMNS = [
	{ name: 'Name', key: 'name', type: { name: 'string' } },
	{ name: 'Position', key: 'position', type: { name: 'date-time' } },
];

/** What each item carries, so that Confirm Changes can store the position. */
const positionSchema = z.object({
	name: z.string(),
	spaceId: z.string(),
	gridId: z.string(),
	rowId: z.string(),
	from: z.string(),
	until: z.string(),
});
export type ReadPosition = z.infer<typeof positionSchema>;

/** The position that an item carries. */
export const positionIn = (json: unknown): ReadPosition | undefined =>
	z.looseObject({ _position: positionSchema }).safeParse(json).data?._position;

/** A grid whose rows are positions: all changes up to a moment are confirmed. */
export class Positions {
	private readonly nameId: string;
	private readonly momentId: string;

	/** @throws InvalidInput if a column is missing */
	constructor(
		private readonly client: Client,
		private readonly grid: Grid,
		fields: readonly Field[],
	) {
		const columns = ColumnNames.of(fields);
		const [name = '', moment = ''] = COLUMNS.map(({ key }) => columns.get(key, 'Positions In').id);
		this.nameId = name;
		this.momentId = moment;
	}

	/** Opens the grid with a key in a space; makes it if it is missing. @throws LinkMissing */
	static async open(client: Client, spaceId: string, key: string): Promise<Positions> {
		const space = await client.spaces.get(spaceId);
		const input = 'Positions In';
		const made = await gridByKey(client, space, { key, columns: COLUMNS, input });
		return new Positions(client, made.grid, made.fields);
	}

	/** The earlier moment counts of two rows with one name. @throws InvalidInput if it is none */
	async find(name: string): Promise<{ rowId: string; time: number } | undefined> {
		const { items } = await this.client.entities.many(this.grid);
		const rows = items.filter((row) => row[this.nameId] === name);
		const moments = rows.map((row) => ({ rowId: row._id, time: this.timeOf(row[this.momentId], name) }));
		return moments.sort((a, b) => a.time - b.time)[0];
	}

	/** The confirmed moment of a row. @throws NotFound */
	async timeAt({ rowId, name }: ReadPosition): Promise<number> {
		const row = await this.client.entities.get(this.grid, rowId);
		return this.timeOf(row[this.momentId], name);
	}

	async add(name: string, time: number): Promise<void> {
		await this.client.entities.create(this.grid, { [this.nameId]: name, [this.momentId]: isoOf(time) });
	}

	async move(rowId: string, moment: string): Promise<void> {
		await this.client.entities.update(this.grid, rowId, { [this.momentId]: moment });
	}

	/** What the items of a reading carry. */
	carried(name: string, { rowId, time }: { rowId: string; time: number }, until: number): ReadPosition {
		const { spaceId, gridId } = this.grid.address;
		return { name, spaceId, gridId, rowId, from: isoOf(time), until: isoOf(until) };
	}

	private timeOf(value: unknown, name: string): number {
		const time = toTimestamp(value, 'UTC');
		if (time !== undefined) return time;
		throw new InvalidInput(
			`The position "${name}" in the grid "${this.grid.name}" is not a date and time`,
			'Enter the moment from which the changes are to be read again, such as 2026-03-01T09:30:00Z.',
		);
	}
}

const isoOf = (time: number) => new Date(time).toISOString();

/** The changes of a period, at whose end nothing becomes visible late any more. */
interface Period {
	changes: ChangeEntry[];
	/** Milliseconds since 1970, of a whole second: a service may cut the position to it. */
	until: number;
}

/**
 * Reads the changes after a moment, with the reading of the trigger.
 * @param from milliseconds since 1970; undefined for none but the end of the period
 * @throws InvalidInput if the feed was not read whole or a change has no time
 */
export async function changesAfter(
	client: Client,
	grid: Grid,
	fields: readonly Field[],
	from: number | undefined,
): Promise<Period> {
	const feed = feedOf({ client, href: client.updates.hrefOf(grid), fields });
	for (let readings = 0; readings < MAX_READINGS; readings++) {
		const startFrom = from === undefined ? Date.now() - LOOKBACK_MS : from + 1;
		const { events, state, isWhole, interruptedBy } = await poll({
			...{ state: undefined, of: '', feed, lookback: LOOKBACK_MS, limit: Infinity, startFrom },
			clock: { wall: () => Date.now(), isOver: () => false },
			maxima: { keys: Infinity, queue: Infinity },
			accepts: () => true,
		});
		if (interruptedBy !== undefined) throw interruptedBy;
		if (!isWhole) continue;
		const changes = events.map(({ entry }) => entry);
		if (changes.some(({ time }) => time === undefined))
			throw new InvalidInput(
				'The updates feed has a change without a time, so what follows a moment is unknown',
				'Use the DataGrid Trigger, or choose Moment in "Since".',
			);
		const until = Math.floor(state.low / 1000) * 1000;
		return { changes: changes.filter(({ time = 0 }) => time <= until), until };
	}
	throw new InvalidInput(
		'The feed kept changing while it was read, so changes may be missing; the position was not moved',
		'Run the node again.',
	);
}
