import { z } from 'zod/v4';
import { readState, type TriggerState } from './state';

/** What stands in n8n's static data. `serial` counts up, so that the newer of two can be told. */
const storedSchema = z.object({ node: z.string(), serial: z.number().int(), state: z.unknown() });
type Stored = z.infer<typeof storedSchema>;

/** What a poll of this process wrote. */
interface Written {
	stored: Stored;
	hasEmitted: boolean;
	/** Milliseconds of a clock that only goes on. */
	at: number;
}

/** The last value of each trigger of this process. */
const latest = new Map<string, Written>();
const MAX_KEPT = 1000;
/**
 * What n8n has not stored so long after a poll it has
 * thrown away: longer than it lends a poll to a process.
 */
const STORED_BY = 60_000;

/**
 * What n8n does with the place that a poll leaves: older n8n always keeps it; 2.38 and newer drop
 * it with the result of a poll that an edit has overtaken; with durable cursors n8n stores it
 * together with the execution.
 */
export type Keeping = 'always' | 'unlessOvertaken' | 'withExecution';

const KEY = 'cursor';
/** No node has this id. */
const UNREADABLE = '';
const mirrorKey = (nodeId: string) => `dataGridTrigger:${nodeId}`;

/** Where n8n keeps data between two polls. */
interface StaticData {
	nodeId: string;
	/** Kept under the node's name. */
	own: Record<string, unknown>;
	/** Kept for the whole workflow. */
	shared: Record<string, unknown>;
}

/**
 * The place of one trigger in its feed, in n8n's static data. It
 * stands there twice, as n8n loses the node's own when the node is
 * renamed: under the node's name, and under its id in the workflow's.
 */
export class Cursor {
	/** What n8n gave this poll. */
	private readonly found: Stored | undefined;
	/** Of the state that was read or written last. */
	serial = 0;

	/** @param place names workflow and node */
	constructor(
		private readonly data: StaticData,
		private readonly place: string,
		private readonly keeping: Keeping,
	) {
		this.found = this.given();
	}

	/** @throws StateUnusable */
	read(): { state: TriggerState; mended: string[] } | undefined {
		const stored = this.stored();
		if (stored === undefined) return undefined;
		this.serial = stored.serial;
		return readState(stored.state);
	}

	/**
	 * Whether n8n may still be storing the last batch. With durable cursors
	 * it does not wait for that before it polls again, and hands out the
	 * place of before: to go on from there would emit the batch twice.
	 */
	isBeingStored(): boolean {
		const mine = this.newer();
		return (
			this.keeping === 'withExecution' && mine?.hasEmitted === true && performance.now() - mine.at < STORED_BY
		);
	}

	/** Assigned at once, as whole values: n8n does not notice a change further down. */
	write(state: TriggerState, hasEmitted: boolean): void {
		const { nodeId, own, shared } = this.data;
		this.serial += 1;
		const stored = { node: nodeId, serial: this.serial, state };
		own[KEY] = plainCopy(stored);
		shared[mirrorKey(nodeId)] = plainCopy(stored);
		latest.delete(this.place);
		const [oldest] = latest.size >= MAX_KEPT ? latest.keys() : [];
		if (oldest !== undefined) latest.delete(oldest);
		latest.set(this.place, { stored, hasEmitted, at: performance.now() });
	}

	private stored(): Stored | undefined {
		const mine = this.newer();
		if (mine === undefined) return this.found;
		switch (this.keeping) {
			// A slow poll that ended after the workflow was edited: older n8n emits its batch, but the
			// edited workflow has older data.
			case 'always':
				return this.found && mine.stored;
			case 'unlessOvertaken':
				return this.found;
			// The place that the poll of the activation leaves is not stored. Where nothing was emitted,
			// nothing can be lost by going on from it.
			case 'withExecution':
				return mine.hasEmitted ? this.found : mine.stored;
		}
	}

	/** What this process wrote, where that is newer than what n8n gave. */
	private newer(): Written | undefined {
		const mine = latest.get(this.place);
		return mine !== undefined && mine.stored.serial > (this.found?.serial ?? 0) ? mine : undefined;
	}

	private given(): Stored | undefined {
		const { nodeId } = this.data;
		const own = parse(this.data.own[KEY]);
		const mirrored = parse(this.data.shared[mirrorKey(nodeId)]);
		// The node's own comes first: where n8n keeps it together with the execution, the other may be
		// ahead of it. One of another node stands here after that node was renamed; one that cannot be
		// read must not pass for nothing.
		return own?.node === nodeId ? own : (mirrored ?? (own?.node === UNREADABLE ? own : undefined));
	}
}

const plainCopy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * What is there but cannot be read goes on to `readState`,
 * which refuses it: it must not pass for "nothing stored".
 */
function parse(raw: unknown): Stored | undefined {
	if (raw === undefined || raw === null) return undefined;
	// n8n wraps what it keeps, and adds a member of its own.
	const copy = plainCopy(raw);
	const parsed = storedSchema.safeParse(copy);
	return parsed.success ? parsed.data : { node: UNREADABLE, serial: 0, state: copy };
}
