import { z } from 'zod/v4';
import { readState, type TriggerState } from './polling/state';

/**
 * The value in n8n's static data. `serial` increases with each write, to find the newer of two
 * values.
 */
const storedSchema = z.object({ node: z.string(), serial: z.number().int(), state: z.unknown() });
type Stored = z.infer<typeof storedSchema>;

/** What a poll of this process wrote. */
interface Written {
	stored: Stored;
	hasEmitted: boolean;
	/** Milliseconds of a monotonic clock. */
	at: number;
}

/** The last value that this process wrote for each trigger. */
const latest = new Map<string, Written>();
const MAX_KEPT = 1000;
/**
 * Milliseconds after which n8n has either stored or dropped the result of a poll: longer than its
 * lease of a poll to a process.
 */
const MAX_STORING_MS = 60_000;

/**
 * How n8n stores the cursor of a poll: older n8n always stores it; 2.38 and newer drop it together
 * with the result of a poll that an edit of the workflow has overtaken; with durable cursors n8n
 * stores it together with the execution.
 */
export type CursorStorage = 'always' | 'unlessOvertaken' | 'withExecution';

const KEY = 'cursor';
/** An id that no node has. */
const UNREADABLE = '';
const mirrorKey = (nodeId: string) => `dataEntityTrigger:${nodeId}`;

/** Where n8n keeps data between two polls. */
interface StaticData {
	nodeId: string;
	/** Kept under the node's name. */
	own: Record<string, unknown>;
	/** Kept for the whole workflow. */
	shared: Record<string, unknown>;
}

/**
 * The position of a trigger in its feed, kept in n8n's static data. It is stored twice, because n8n
 * loses the node's static data when the node is renamed: in the node's data, and under the node's
 * id in the workflow's data.
 */
export class Cursor {
	/** The value that n8n passed to this poll. */
	private readonly found: Stored | undefined;
	/** Serial number of the last state read or written. */
	serial = 0;

	/** @param place identifies workflow and node */
	constructor(
		private readonly data: StaticData,
		private readonly place: string,
		private readonly storage: CursorStorage,
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
	 * Whether n8n may still be storing the last batch. With durable cursors it may poll again before
	 * that with the previous position, from which the batch would be emitted twice.
	 */
	isBeingStored(): boolean {
		const mine = this.newer();
		return (
			this.storage === 'withExecution' &&
			mine?.hasEmitted === true &&
			performance.now() - mine.at < MAX_STORING_MS
		);
	}

	/** Assigns whole values, because n8n does not detect nested changes. */
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
		switch (this.storage) {
			// If the workflow was edited during a slow poll, older n8n emits the batch, but the edited
			// workflow has older data.
			case 'always':
				return this.found && mine.stored;
			case 'unlessOvertaken':
				return this.found;
			// The position after the activation's poll is not stored. If nothing was emitted, continuing
			// from it loses nothing.
			case 'withExecution':
				return mine.hasEmitted ? this.found : mine.stored;
		}
	}

	/** The value written by this process if it is newer than n8n's. */
	private newer(): Written | undefined {
		const mine = latest.get(this.place);
		return mine !== undefined && mine.stored.serial > (this.found?.serial ?? 0) ? mine : undefined;
	}

	private given(): Stored | undefined {
		const { nodeId } = this.data;
		const own = parse(this.data.own[KEY]);
		const mirrored = parse(this.data.shared[mirrorKey(nodeId)]);
		// The node's data takes precedence: if n8n stores it together with the execution, the
		// workflow's data may be ahead. It may contain the value of a renamed node. An unreadable
		// value must not count as missing.
		return own?.node === nodeId ? own : (mirrored ?? (own?.node === UNREADABLE ? own : undefined));
	}
}

const plainCopy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Leaves an unreadable value to `readState`, which refuses it: it must not count as missing. */
function parse(raw: unknown): Stored | undefined {
	if (raw === undefined || raw === null) return undefined;
	// n8n wraps stored values and adds a member of its own.
	const copy = plainCopy(raw);
	const parsed = storedSchema.safeParse(copy);
	return parsed.success ? parsed.data : { node: UNREADABLE, serial: 0, state: copy };
}
