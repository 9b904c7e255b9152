import { jsonParse, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../client';
import type { Entity } from '../../client/resources/entities';
import { NotFound } from '../../client/errors';
import type { Field } from '../../client/resources/fields';
import type { Grid } from '../../client/resources/grids';
import { eventRow } from '../shared/rows/events';
import { namesOf, entityRow } from '../shared/rows/output';
import { rowsInView, pollTimeExceeded, type ViewOfGrid } from './viewMembers';
import type { Settings } from './settings';
import type { ChangeEvent } from './source';

export interface Emission {
	update: ChangeEvent['update'];
	redelivered: boolean;
}

/**
 * The items that the workflow gets: one per event, in the given order.
 * @param isOver whether the time of the poll is used up
 * @throws any error of reading rows and columns
 */
export async function itemsOf(
	client: Client,
	settings: Settings,
	emissions: readonly Emission[],
	isOver: () => boolean,
): Promise<INodeExecutionData[]> {
	// Opened again, because column names may have changed since the last poll.
	const grid = await client.grids.open(settings.grid);
	const fields = await client.fields.of(grid);
	const wanted = settings.view
		? await inView({ client, grid, viewId: settings.view }, emissions, isOver)
		: emissions;
	const rows = settings.fullEntity
		? await rowsOf(client, grid, rowsIn(wanted), isOver)
		: new Map<string, Entity>();
	return wanted.map((emission) => {
		const row = rows.get(emission.update.entityId);
		return itemOf(emission, fields, settings, row && entityRow(row, fields, settings.columnNaming));
	});
}

function itemOf(
	{ update, redelivered }: Emission,
	fields: readonly Field[],
	{ columnNaming, includeRaw, version }: Settings,
	row: object | undefined,
): INodeExecutionData {
	const names = namesOf(fields, columnNaming);
	const entity = row ?? (update.entity && renamed(update.entity, names));
	const json = {
		...(entity !== undefined ? { entity } : version === 1 ? {} : { entity: null }),
		...eventRow(update, names, version),
		...(redelivered ? { redelivered } : {}),
		...(update.problem === undefined ? {} : { error: update.problem }),
		...(includeRaw ? { raw: update.raw } : {}),
	};
	return { json: plain(json) };
}

/** Copies to plain JSON, as n8n expects. */
const plain = (value: object) => jsonParse<IDataObject>(JSON.stringify(value));

function renamed(entity: Record<string, unknown>, names: ReadonlyMap<string, string>): object {
	const values = Object.entries(entity).filter(([id]) => id === '_id' || !id.startsWith('_'));
	return Object.fromEntries(values.map(([id, value]) => [names.get(id) ?? id, value]));
}

/** The current rows by their ids in the feed, except rows deleted in the meantime. */
async function rowsOf(
	client: Client,
	grid: Grid,
	rows: ChangedRows,
	isOver: () => boolean,
): Promise<Map<string, Entity>> {
	const read = async ([id, href]: [string, string | undefined]) => {
		if (isOver()) throw pollTimeExceeded('The changed rows cannot be read', 'Lower "Events per Execution"');
		const row = isAddress(id)
			? client.entities.open(grid, { _id: id, _links: new Map([['self', { href: href ?? id }]]) })
			: client.entities.get(grid, id);
		const value = await row.catch((error: unknown) =>
			error instanceof NotFound ? undefined : Promise.reject(error),
		);
		return { id, value };
	};
	const found = new Map<string, Entity>();
	const run = await client.session.limiter.run([...rows], read, { stopOn: () => true });
	if (run.stoppedBy) throw run.stoppedBy.error;
	for (const outcome of run.outcomes)
		if (outcome.state === 'done' && outcome.value.value) found.set(outcome.value.id, outcome.value.value);
	return found;
}

/** Addresses of rows, if known, by their ids in the feed. */
type ChangedRows = ReadonlyMap<string, string | undefined>;

/** Whether the feed only identifies a row by its address. */
const isAddress = (id: string) => /^(?:\/|https?:)/.test(id);

/** The rows that may still exist. */
function rowsIn(emissions: readonly Emission[]): ChangedRows {
	const present = emissions.filter(({ update: { kind, entityId } }) => kind !== 'deleted' && entityId !== '');
	return new Map(present.map(({ update: { entityId, entityHref } }) => [entityId, entityHref]));
}

/** The emissions for rows in a view. */
async function inView(
	view: ViewOfGrid,
	emissions: readonly Emission[],
	isOver: () => boolean,
): Promise<Emission[]> {
	const rows = rowsIn(emissions);
	const listed = await rowsInView(view, rows, isOver);
	// The list of a view may contain another address of a row than the feed, so ids are compared.
	const linked = [...rows].filter(([id]) => isAddress(id) && !listed.has(id));
	const read = await rowsOf(view.client, view.grid, new Map(linked), isOver);
	const ids = new Map([...read].map(([address, { _id }]) => [_id, address]));
	const listedToo = await rowsInView(view, new Map([...ids.keys()].map((id) => [id, undefined])), isOver);
	const isListed = (id: string) => listed.has(id) || [...listedToo].some((own) => ids.get(own) === id);
	return emissions.filter(({ update }) => !rows.has(update.entityId) || isListed(update.entityId));
}
