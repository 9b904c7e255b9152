import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { BoundedMap, type Client, type Field } from '../../client';
import type { ChangeEntry } from '../shared/feed/feed';
import type { Memory } from '../shared/feed/poll';
import { readState, type TriggerState } from '../shared/feed/state';
import { openReference } from '../shared/inputs/pickers/chosenGrid';
import { Resolutions } from '../shared/inputs/pickers/resolvedPickers';
import { OWN_USER } from '../shared/inputs/users';
import type { Settings } from './settings';
import { requireViewOfGrid } from './viewMembers';

/** A grid's feed, ready to be read. */
export interface Source {
	client: Client;
	/** Address of the feed. */
	href: string;
	/** Hash that identifies grid and account in the stored state. */
	of: string;
	fields: readonly Field[];
	/** Of the credential; undefined unless the settings need it. */
	userId: string | undefined;
}

/** What is kept of a source: a client belongs to one poll. */
type OpenSource = Omit<Source, 'client'>;

/** By workflow and node; n8n does not tell polling nodes that they are deactivated. */
const sessions = new BoundedMap<string, TriggerSession>(1000);

/** What this process knows of one trigger. Only the cursor outlives a change of its settings. */
export class TriggerSession {
	/** Whether a poll runs: n8n may start another one meanwhile, which is skipped. */
	isPolling = false;
	/** The last cursor that this process wrote: n8n may not have stored it. */
	written: Written | undefined;
	/** The open feed, so that a poll does not read user and grid each time. */
	source: OpenSource | undefined;
	/** What keys and URLs in the settings stand for. */
	resolutions = new Resolutions();
	/** Whether the user was told that a change does not say who made it. */
	hasToldOfUsers = false;
	/** What the last poll has read but not emitted, with the number of the state stored with it. */
	private kept: { serial: number; memory: Memory<ChangeEntry> } | undefined;
	/** Contexts that have been polled; the first poll belongs to the activation. */
	private readonly contexts = new WeakSet<IPollFunctions>();
	private settings = '';

	/** The name counts, too: two nodes of a workflow that was copied by hand may have one ID. */
	static of(node: IPollFunctions): TriggerSession {
		const { id, name } = node.getNode();
		const place = JSON.stringify([node.getWorkflow().id, id, name]);
		return sessions.set(place, sessions.get(place) ?? new TriggerSession());
	}

	/** Begins a poll. @returns whether it is the one of an activation: columns may be gone since */
	begin(node: IPollFunctions): boolean {
		this.isPolling = true;
		if (this.contexts.has(node)) return false;
		this.contexts.add(node);
		this.forgetSource();
		return true;
	}

	/** After an error, the grid is opened again: it may have moved or belong to another account. */
	forgetSource(): void {
		this.source = undefined;
		this.resolutions = new Resolutions();
	}

	/**
	 * Opens the chosen grid; without a request from the second poll on, unless the settings change.
	 * @throws any error of `Grids.open`, `requireViewOfGrid` and `Fields.of`
	 */
	async open(node: IPollFunctions, client: Client, settings: Settings): Promise<Source> {
		const { credentials } = node.getNode();
		this.use(
			JSON.stringify([credentials, client.session.baseUrl, { ...settings, kinds: [...settings.kinds] }]),
		);
		this.source ??= await opened(client, settings);
		return { ...this.source, client };
	}

	/** The columns of the grid as they are now, also for the next polls. */
	async renewFields(client: Client, { grid }: Settings): Promise<readonly Field[]> {
		const fields = await client.fields.of(await client.grids.open(grid));
		if (this.source) this.source = { ...this.source, fields };
		return fields;
	}

	/** Forgets what was found out with other settings. @param settings all that identifies them */
	use(settings: string): void {
		if (this.settings === settings) return;
		this.settings = settings;
		this.source = undefined;
		this.kept = undefined;
		this.hasToldOfUsers = false;
	}

	/** The memory that belongs to a state; none until `keep`, as an error could leave it ahead. */
	takeMemory(serial: number): Memory<ChangeEntry> | undefined {
		const { kept } = this;
		this.kept = undefined;
		return kept?.serial === serial ? kept.memory : undefined;
	}

	keep(serial: number, memory: Memory<ChangeEntry>): void {
		this.kept = { serial, memory };
	}
}

async function opened(
	client: Client,
	{ grid: reference, gridName, view, ignoredUsers }: Settings,
): Promise<OpenSource> {
	const grid = await openReference(client, reference, gridName);
	const fields = await client.fields.of(grid);
	if (view) await requireViewOfGrid({ client, grid, fields, viewId: view });
	// The documented address: a link may change with each response.
	const address = client.session.resolve(client.updates.documentedHref(grid)).href;
	return {
		href: client.updates.hrefOf(grid),
		of: createHash('sha256').update(address).digest('base64url').slice(0, 22),
		fields,
		userId: ignoredUsers.includes(OWN_USER) ? await client.session.currentUser.id() : undefined,
	};
}

/** In n8n's static data; `serial` increases with each write, to tell the newer value. */
const storedSchema = z.object({ node: z.string(), serial: z.number().int(), state: z.unknown() });
type Stored = z.infer<typeof storedSchema>;

/** What a poll of this process wrote. */
export interface Written {
	stored: Stored;
	hasEmitted: boolean;
	/** Milliseconds of a monotonic clock. */
	at: number;
}

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
	private readonly passed: Stored | undefined;
	/** Serial number of the last state read or written. */
	serial = 0;

	/** @param session.written what a poll of this process wrote last */
	constructor(
		private readonly data: StaticData,
		private readonly session: { written?: Written | undefined },
		private readonly storage: CursorStorage,
	) {
		this.passed = this.given();
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
		this.session.written = { stored, hasEmitted, at: performance.now() };
	}

	private stored(): Stored | undefined {
		const mine = this.newer();
		if (mine === undefined) return this.passed;
		switch (this.storage) {
			// If the workflow was edited during a slow poll, older n8n emits the batch, but the edited
			// workflow has older data.
			case 'always':
				return this.passed && mine.stored;
			case 'unlessOvertaken':
				return this.passed;
			// The position after the activation's poll is not stored. If nothing was emitted, continuing
			// from it loses nothing.
			case 'withExecution':
				return mine.hasEmitted ? this.passed : mine.stored;
		}
	}

	/** The value written by this process if it is newer than n8n's. */
	private newer(): Written | undefined {
		const { written } = this.session;
		return written !== undefined && written.stored.serial > (this.passed?.serial ?? 0) ? written : undefined;
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
