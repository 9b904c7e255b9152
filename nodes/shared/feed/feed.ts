import { type Client, type Field, isWritable, type RetryOptions, type Update } from '../../../client';
import { mergedKind } from './quiet';
import type { Feed, FeedEntry } from './reading';
import { keyOf } from './state';

export interface ChangeEntry extends FeedEntry {
	update: Update;
}

/** Where a feed is, and the columns of its grid. */
interface FeedOfGrid {
	client: Client;
	href: string;
	fields: readonly Field[];
}

/** @param retry limits what a request may take; the client's default if omitted */
export function feedOf({ client, href, fields }: FeedOfGrid, retry?: () => RetryOptions): Feed<ChangeEntry> {
	const computed = new Set(
		fields.filter((field) => !isWritable(field)).flatMap(({ id, key, name }) => [id, key ?? id, name]),
	);
	return {
		async read(since, request, identities) {
			const page = await client.updates.page(href, { since, ...request }, retry?.());
			return { ...page, items: entriesOf(page.items, identities.of(page, request.pageIndex, computed)) };
		},
	};
}

/** The changes of one page with their identities. */
function entriesOf(updates: readonly Update[], identities: readonly string[]): ChangeEntry[] {
	return updates.map((update, index) => ({
		key: keyOf(identities[index] ?? ''),
		isRow: update.isRow === true,
		time: update.time,
		row: update.entityId,
		kind: update.kind,
		update,
	}));
}

/** Changes of one row, oldest first, as one: old values of the first, new ones of the last. */
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
