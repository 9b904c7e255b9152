import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';
import type { Client, Field } from '../../client';
import { connect } from '../shared/connection/connect';
import { openReference } from '../shared/inputs/pickers/chosenGrid';
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
export type OpenSource = Omit<Source, 'client'>;

/** Where an open source is kept. */
interface SourceHolder {
	source: OpenSource | undefined;
	/** Forgets what belongs to other settings. */
	use(settings: string): void;
}

/**
 * Opens the chosen grid; without a request from the second poll on.
 * @param timeLeft milliseconds that this poll may still take
 * @throws any error of `connect`, `Grids.open`, `requireViewOfGrid` and `Fields.of`
 */
export async function openSource(
	node: IPollFunctions,
	session: SourceHolder,
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
	session: SourceHolder,
	{ client }: Source,
	{ grid }: Settings,
): Promise<readonly Field[]> {
	const fields = await client.fields.of(await client.grids.open(grid));
	if (session.source) session.source = { ...session.source, fields };
	return fields;
}

/** Maximum number of retries of a request of one poll. */
const RETRIES = 3;
export const patience = (timeLeft: () => number) => ({
	retries: RETRIES,
	totalTime: Math.max(0, timeLeft()),
});
