import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';
import type { Client } from '../../client';
import { MAX_RESPONSE_BYTES } from '../../client/http/responseLimit';
import type { Field } from '../../client/resources/fields';
import { requiresSmallerPages } from '../../client/resources/updates/feedPage';
import type { Update } from '../../client/resources/updates/updates';
import { connect } from '../shared/connection/connect';
import { PageTooLarge, type Feed, type FeedEvent } from './polling/feed';
import { olderKeysOf } from './polling/olderKeys';
import { keysOf } from './polling/eventKeys';
import type { Settings } from './settings';
import type { Unreadable } from './polling/unreadableChanges';

/** An entry of the feed with its identity. */
export interface ChangeEvent extends FeedEvent {
	/** `problem`: why the entry could not be read. */
	update: Update & { problem?: string };
}

/** A grid's feed, ready to be read. */
export interface Source {
	client: Client;
	/** Address of the feed. */
	href: string;
	/** Hash that identifies grid and account in the stored state. */
	of: string;
	/** The hash of older versions, of the feed's link, which may change with each response. */
	formerlyOf: string;
	fields: readonly Field[];
}

type Known = Omit<Source, 'client'> & { chosen: string };

/** Open feeds by trigger, so that a poll does not read user and grid each time. */
const known = new Map<string, Known>();
const MAX_KNOWN_SOURCES = 1000;

/**
 * Opens the chosen grid; without a request from the second poll on.
 * @param timeLeft milliseconds that this poll may still take
 * @throws any error of `connect`, `Grids.open` and `Fields.of`
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
	// The service has responded, so its base URL is certain, even if it ends with /api.
	const hash = (address: string) =>
		createHash('sha256').update(client.session.resolve(address).href).digest('base64url').slice(0, 22);
	const [of, formerlyOf] = [hash(client.updates.documentedHref(grid)), hash(href)];
	const opened = { chosen, href, of, formerlyOf, fields: await client.fields.of(grid) };
	if (known.size >= MAX_KNOWN_SOURCES) known.clear();
	known.set(place, opened);
	return opened;
}

/** After an error, the grid is opened again: it may have moved or belong to another account. */
export function forgetSource(place: string): void {
	known.delete(place);
}

/** Maximum number of retries of a request of one poll. */
const RETRIES = 3;
const patience = (timeLeft: () => number) => ({ retries: RETRIES, totalTime: Math.max(0, timeLeft()) });

/** @param timeLeft milliseconds that this poll may still take */
export function feedOf({ client, href }: Source, timeLeft: () => number): Feed<ChangeEvent> {
	return {
		async read(since, pageIndex, pageSize) {
			const page = await client.updates
				.page(href, { since, pageIndex, pageSize }, patience(timeLeft))
				.catch((error: unknown) =>
					Promise.reject(requiresSmallerPages(error, pageSize) ? new PageTooLarge() : error),
				);
			return { ...page, events: eventsOf(page.updates) };
		},
	};
}

/** The changes of one page with their identities. */
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

/** The event emitted for a change that is too large to read. */
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
