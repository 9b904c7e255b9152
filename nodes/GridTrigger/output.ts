import { jsonParse, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../client';
import type { Entity } from '../../client/entities';
import { NotFound } from '../../client/errors';
import type { Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import type { Update } from '../../client/updates';
import { namesOf, rowOf } from '../shared/naming';
import type { Settings } from './settings';

export interface Emission {
	update: Update;
	redelivered: boolean;
}

/** What the workflow gets: one item for each change, in the order given. @throws what reading rows and columns throws */
export async function itemsOf(
	client: Client,
	settings: Settings,
	emissions: readonly Emission[],
): Promise<INodeExecutionData[]> {
	// Opened anew: the names of columns may have changed since the last poll.
	const grid = await client.grids.open(settings.grid);
	const fields = await client.fields.of(grid);
	const wanted = settings.view ? await inView(client, grid, settings.view, emissions) : emissions;
	const rows = settings.fullEntity ? await rowsOf(client, grid, wanted) : new Map<string, Entity>();
	return wanted.map((emission) => {
		const row = rows.get(emission.update.entityId);
		return itemOf(emission, fields, settings, row && rowOf(row, fields, settings.columnNaming));
	});
}

function itemOf(
	{ update, redelivered }: Emission,
	fields: readonly Field[],
	{ columnNaming }: Settings,
	row: object | undefined,
): INodeExecutionData {
	const names = namesOf(fields, columnNaming);
	const entity = row ?? (update.entity && renamed(update.entity, names));
	const json = {
		event: update.kind,
		entityId: update.entityId,
		changedAt: update.timestamp ?? null,
		changedBy: update.changedBy ?? null,
		changes: update.changes.map((change) => ({
			field: names.get(change.field) ?? change.field,
			old: change.old ?? null,
			new: change.new ?? null,
		})),
		...(entity === undefined ? {} : { entity }),
		...(redelivered ? { redelivered } : {}),
		raw: update.raw,
	};
	return { json: plain(json) };
}

/** A copy that shares nothing with what was read: what n8n takes for data. */
const plain = (value: object) => jsonParse<IDataObject>(JSON.stringify(value));

function renamed(entity: Record<string, unknown>, names: ReadonlyMap<string, string>): object {
	const values = Object.entries(entity).filter(([id]) => id === '_id' || !id.startsWith('_'));
	return Object.fromEntries(values.map(([id, value]) => [names.get(id) ?? id, value]));
}

/** The rows as they are now; one that is gone meanwhile is left out. */
async function rowsOf(
	client: Client,
	grid: Grid,
	emissions: readonly Emission[],
): Promise<Map<string, Entity>> {
	const ids = new Set(
		emissions.filter(({ update }) => update.kind !== 'deleted').map(({ update }) => update.entityId),
	);
	const found = await Promise.all(
		[...ids].map(
			async (id) =>
				await client.entities
					.get(grid, id)
					.catch((error: unknown) => (error instanceof NotFound ? undefined : Promise.reject(error))),
		),
	);
	return new Map(found.flatMap((entity) => (entity ? [[entity._id, entity]] : [])));
}

/** §4.5: which rows are in a view is told by listing it. Read only as far as needed, and only where something has changed. */
async function inView(
	client: Client,
	grid: Grid,
	viewId: string,
	emissions: readonly Emission[],
): Promise<Emission[]> {
	const asked = new Set(
		emissions.filter(({ update }) => update.kind !== 'deleted').map(({ update }) => update.entityId),
	);
	const listed = new Set<string>();
	for (let pageIndex = 1, pages = 1; pageIndex <= pages && listed.size < asked.size; pageIndex++) {
		const page = await client.entities.page(grid, { viewId, pageIndex, pageSize: 1000 });
		for (const { _id } of page.items) if (asked.has(_id)) listed.add(_id);
		pages = page.items.length === 0 ? 0 : (page.numberOfPages ?? pageIndex);
	}
	return emissions.filter(({ update }) => update.kind === 'deleted' || listed.has(update.entityId));
}
