import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';
import type { Client } from '../../client';
import { MAX_RESPONSE_BYTES } from '../../client/http/responseLimit';
import type { Field } from '../../client/resources/fields';
import { asksForSmaller } from '../../client/resources/updates/feedPage';
import type { Update } from '../../client/resources/updates/updates';
import { connect } from '../shared/connection/connect';
import { PageTooLarge, type Feed, type FeedEvent } from './polling/feed';
import { olderKeysOf } from './polling/olderKeys';
import { keysOf } from './polling/eventKeys';
import type { Settings } from './settings';
import type { Unreadable } from './polling/unreadableChanges';

/** An entry of the feed with the identity that it is told apart by. */
export interface ChangeEvent extends FeedEvent {
	/** `problem`: why it could not be read. */
	update: Update & { problem?: string };
}

/** A grid's feed, ready to be read. */
export interface Source {
	client: Client;
	/** Where the feed is. */
	href: string;
	/** Names grid and account in the stored state; no secret, and not to be read back. */
	of: string;
	/** What named them before: the link to the feed, which may be another one at each reading. */
	formerlyOf: string;
	fields: readonly Field[];
}

type Known = Omit<Source, 'client'> & { chosen: string };

/** Where the feeds are: without it, each idle poll would ask for user and grid again. */
const known = new Map<string, Known>();
const MOST_KNOWN = 1000;

/**
 * Opens the grid that the node names; from the second poll on without a request.
 * @param timeLeft milliseconds that this poll may still take
 * @throws what `connect`, `Grids.open` and `Fields.of` throw
 */
export async function openSource(
	node: IPollFunctions,
	place: string,
	settings: Settings,
	timeLeft: () => number,
): Promise<Source> {
	const client = await connect(node, patience(timeLeft));
	const chosen = JSON.stringify([node.getNode().credentials, client.session.baseUrl, settings.grid]);
	const found = known.get(place);
	const { href, of, formerlyOf, fields } =
		found?.chosen === chosen ? found : await remember(client, place, chosen, settings);
	return { client, href, of, formerlyOf, fields };
}

async function remember(
	client: Client,
	place: string,
	chosen: string,
	{ grid: reference }: Settings,
): Promise<Known> {
	const grid = await client.grids.open(reference);
	const href = client.updates.hrefOf(grid);
	// Now that the service has answered it is certain where
	// it is, also if its base URL ends with /api.
	const hash = (address: string) =>
		createHash('sha256').update(client.session.resolve(address).href).digest('base64url').slice(0, 22);
	const [of, formerlyOf] = [hash(client.updates.documentedHref(grid)), hash(href)];
	const opened = { chosen, href, of, formerlyOf, fields: await client.fields.of(grid) };
	if (known.size >= MOST_KNOWN) known.clear();
	known.set(place, opened);
	return opened;
}

/** After an error the grid is looked for anew: it may have moved, or belong to another account. */
export function forgetSource(place: string): void {
	known.delete(place);
}

/** How often a request of one poll is sent again. */
const RETRIES = 3;
const patience = (timeLeft: () => number) => ({ retries: RETRIES, totalTime: Math.max(0, timeLeft()) });

/** @param timeLeft milliseconds that this poll may still take */
export function feedOf({ client, href }: Source, timeLeft: () => number): Feed<ChangeEvent> {
	return {
		async read(since, pageIndex, pageSize) {
			const page = await client.updates
				.page(href, { since, pageIndex, pageSize }, patience(timeLeft))
				.catch((error: unknown) =>
					Promise.reject(asksForSmaller(error, pageSize) ? new PageTooLarge() : error),
				);
			return { ...page, events: eventsOf(page.updates) };
		},
	};
}

/** The changes of one page with what they are told apart by. */
function eventsOf(updates: readonly Update[]): ChangeEvent[] {
	const keys = keysOf(updates);
	return updates.map((update, index) => ({
		key: keys[index] ?? '',
		olderKeys: () => olderKeysOf(update),
		time: update.time,
		row: update.entityId,
		kind: update.kind,
		update,
	}));
}

/** What is emitted for a change whose answer is larger than memory should hold. */
export function unreadableEvent({ key, otherKeys, time }: Unreadable): ChangeEvent {
	const problem = `A change is larger than ${MAX_RESPONSE_BYTES.text / 1024 / 1024} MB and was skipped`;
	const timestamp = time === undefined ? {} : { timestamp: new Date(time).toISOString(), time };
	return {
		key,
		otherKeys,
		time,
		update: { kind: 'unreadable', entityId: '', ...timestamp, changes: [], raw: {}, problem },
	};
}
