import { jsonParse, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { type Client, type Entity, type Field, type Grid, type Update } from '../../client';
import { eventRow, namesInFeed } from '../shared/rows/events';
import { entityRow, namesOf } from '../shared/rows/output';
import type { Settings } from './settings';
import { rowsById, rowsInView, type Move, type ViewOfGrid } from './viewMembers';

/** What the workflow gets: a change, or a row that entered or left the view. */
export type Emission = ({ update: Update } | { move: Move }) & { redelivered: boolean };

/** The grid as it is now: columns may have changed since the last poll. */
export interface OpenGrid {
	client: Client;
	grid: Grid;
	fields: readonly Field[];
	/** Whether the time or the requests of the poll are used up. */
	isOver: () => boolean;
}

/** One item per event, in the given order. @throws any error of reading rows and views */
export async function itemsOf(
	open: OpenGrid,
	settings: Settings,
	emissions: readonly Emission[],
): Promise<INodeExecutionData[]> {
	const shown = await inView(open, settings, emissions);
	const ids = new Set(shown.flatMap((one) => rowToRead(one, settings.fullEntity)));
	const rows = await rowsById(open, [...ids]);
	const names = namesOf(open.fields, settings.columnNaming);
	const inFeed = namesInFeed(open.fields, names);
	return shown.map((emission) => {
		const { redelivered } = emission;
		const json =
			'move' in emission
				? moveRow(emission.move, rows, open, settings)
				: changeRow(emission.update, rows, open, settings, { names, inFeed });
		return { json: plain({ ...json, ...(redelivered ? { redelivered } : {}) }) };
	});
}

export const viewOf = (open: OpenGrid, { view }: Settings): ViewOfGrid => ({ ...open, viewId: view });

type Rows = ReadonlyMap<string, Entity>;

function changeRow(
	update: Update,
	rows: Rows,
	{ fields }: OpenGrid,
	{ columnNaming, includeRaw }: Settings,
	{ names, inFeed }: Record<'names' | 'inFeed', ReadonlyMap<string, string>>,
): object {
	const row = rows.get(update.entityId);
	const entity = row ? entityRow(row, fields, columnNaming) : update.entity && renamed(update.entity, names);
	return {
		row: entity ?? null,
		...eventRow(update, inFeed),
		...(includeRaw ? { raw: update.raw } : {}),
	};
}

function moveRow(
	{ kind, id, row }: Move,
	rows: Rows,
	{ fields }: OpenGrid,
	{ columnNaming }: Settings,
): object {
	const current = rows.get(id) ?? row;
	return {
		row: current ? entityRow(current, fields, columnNaming) : null,
		event: kind,
		_id: id,
		changedAt: null,
		changedBy: null,
		changes: [],
		...(kind === 'left' ? { deleted: current === undefined } : {}),
	};
}

/** Copies to plain JSON, as n8n expects. */
const plain = (value: object) => jsonParse<IDataObject>(JSON.stringify(value));

function renamed(entity: Record<string, unknown>, names: ReadonlyMap<string, string>): object {
	const values = Object.entries(entity).filter(([id]) => id === '_id' || !id.startsWith('_'));
	return Object.fromEntries(values.map(([id, value]) => [names.get(id) ?? id, value]));
}

/** The row whose current state is shown. The view shows a row that enters it, not one that left. */
function rowToRead(emission: Emission, fullEntity: boolean): string[] {
	if ('move' in emission) return fullEntity || emission.move.kind === 'left' ? [emission.move.id] : [];
	return fullEntity && mayExist(emission.update) ? [emission.update.entityId] : [];
}

const mayExist = ({ kind, entityId }: Update) => kind !== 'deleted' && entityId !== '';

/** The emissions for rows in the view, if there is one, and for deleted rows if they are wanted. */
async function inView(
	open: OpenGrid,
	settings: Settings,
	emissions: readonly Emission[],
): Promise<readonly Emission[]> {
	if (!settings.view) return emissions;
	const ids = emissions.flatMap((one) =>
		'update' in one && mayExist(one.update) ? [one.update.entityId] : [],
	);
	const listed = await rowsInView(viewOf(open, settings), new Set(ids));
	return emissions.filter((one) => 'move' in one || mayBeShown(one.update, settings, listed));
}

/** Whether the view admits a change. @param inside IDs of rows that are in it */
export function mayBeShown(
	{ kind, entityId }: Update,
	{ includeDeleted }: Pick<Settings, 'includeDeleted'>,
	inside: ReadonlySet<string>,
): boolean {
	if (kind === 'structure') return true;
	return kind === 'deleted' ? includeDeleted : inside.has(entityId);
}
