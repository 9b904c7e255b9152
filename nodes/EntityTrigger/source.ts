import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';
import { type Client, type Field, identitiesOf, isWritable, type Update } from '../../client';
import { connect } from '../shared/connection/connect';
import { openReference } from '../shared/inputs/pickers/chosenGrid';
import { OWN_USER } from './eventFilter';
import type { Feed, FeedEntry } from './polling/reading';
import { mergedKind } from './polling/quiet';
import { keyOf } from './polling/seen';
import type { TriggerSession } from './session';
import type { Settings } from './settings';
import { requireViewOfGrid } from './viewMembers';

/** An entry of the feed with its identity. */
export interface ChangeEntry extends FeedEntry {
	update: Update;
}

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
export type OpenSource = Omit<Source, 'client'>;

/**
 * Opens the chosen grid; without a request from the second poll on.
 * @param timeLeft milliseconds that this poll may still take
 * @throws any error of `connect`, `Grids.open`, `requireViewOfGrid` and `Fields.of`
 */
export async function openSource(
	node: IPollFunctions,
	session: TriggerSession,
	settings: Settings,
	timeLeft: () => number,
): Promise<Source> {
	const client = await connect(node, patience(timeLeft));
	const { credentials } = node.getNode();
	session.use(
		JSON.stringify([credentials, client.session.baseUrl, { ...settings, kinds: [...settings.kinds] }]),
	);
	session.source ??= await open(client, settings);
	return { ...session.source, client };
}

async function open(
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

/** The columns of the grid as they are now, also for the next polls. */
export async function renewFields(
	session: TriggerSession,
	{ client }: Source,
	{ grid }: Settings,
): Promise<readonly Field[]> {
	const fields = await client.fields.of(await client.grids.open(grid));
	if (session.source) session.source = { ...session.source, fields };
	return fields;
}

/** Maximum number of retries of a request of one poll. */
const RETRIES = 3;
const patience = (timeLeft: () => number) => ({ retries: RETRIES, totalTime: Math.max(0, timeLeft()) });

/** @param timeLeft milliseconds that this poll may still take */
export function feedOf({ client, href, fields }: Source, timeLeft: () => number): Feed<ChangeEntry> {
	const computed = new Set(
		fields.filter((field) => !isWritable(field)).flatMap(({ id, key, name }) => [id, key ?? id, name]),
	);
	return {
		async read(since, request) {
			const page = await client.updates.page(href, { since, ...request }, patience(timeLeft));
			return { ...page, items: entriesOf(page.items, computed) };
		},
	};
}

/** The changes of one page with their identities. */
function entriesOf(updates: readonly Update[], computed: ReadonlySet<string>): ChangeEntry[] {
	const identities = identitiesOf(updates, computed);
	return updates.map((update, index) => ({
		key: keyOf(identities[index] ?? ''),
		isRow: update.isRow === true,
		time: update.time,
		row: update.entityId,
		kind: update.kind,
		update,
	}));
}

/** Changes of one row, oldest first, as one: old values of the first change, new ones of the last. */
export function mergedChange(entries: readonly ChangeEntry[]): ChangeEntry | undefined {
	const [last] = entries.slice(-1);
	const kind = mergedKind(entries.map((entry) => entry.kind));
	if (!last || kind === undefined) return undefined;
	if (entries.length === 1 || kind === 'deleted') return last;
	const changes = new Map<string, Update['changes'][number]>();
	for (const change of entries.flatMap(({ update }) => update.changes)) {
		const { old } = changes.get(change.field) ?? change;
		changes.set(change.field, { ...change, old });
	}
	return { ...last, kind, update: { ...last.update, kind, changes: [...changes.values()] } };
}
