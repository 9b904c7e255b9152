import { z } from 'zod/v4';
import { isJsonObject } from '../../formats/json';
import {
	asId,
	changesOf,
	creationOf,
	isDeleted,
	isOfStructure,
	kindOf,
	localTimeOf,
	namedRow,
	rowWithin,
	timeOf,
	userOf,
	type ValueChange,
	type UpdateKind,
} from './words';

export type { UpdateKind } from './words';

/** One entry of the updates feed or of a history. */
export interface Update {
	/** Whether the entry is the changed row itself; otherwise it is a change that names its row. */
	isRow?: true;
	/** The id of the change, if it is not that of its row. */
	id?: string;
	kind: UpdateKind;
	/** Empty for changes of other things than rows. */
	entityId: string;
	/** Milliseconds since 1970; undefined if the entry does not say when it changed. */
	time?: number;
	/** As sent by the service; of a row without another time, that of its creation. */
	timestamp?: string;
	changedBy?: string;
	changes: ValueChange[];
	/** The entity's values, if the feed contains them. */
	entity?: Record<string, unknown>;
	raw: Record<string, unknown>;
}

/**
 * Reads one entry of the feed in one of two shapes: a change, or a changed row.
 * @param since start of the requested period, in milliseconds since 1970: a row created earlier was
 * updated
 * @returns undefined if it names neither a row nor what else has changed, or has a time without an
 * offset: the moment is unknown
 */
export function readUpdate(entry: unknown, since = -Infinity): Update | undefined {
	if (!isJsonObject(entry) || localTimeOf(entry) !== undefined) return undefined;
	const entityId = namedRow(entry);
	if (entityId !== undefined) return change(entry, entityId);
	const rowId = asId(entry['_id']);
	return rowId === undefined ? structureChange(entry) : changedRow(entry, rowId, since);
}

/**
 * An entry as a page has it.
 * @param read see `readUpdate`
 * @param unknown why an entry cannot be read that `read` does not understand
 */
export const entrySchema = (
	read: (entry: unknown) => Update | undefined,
	unknown = 'it does not name the changed row',
) =>
	z.unknown().transform((entry, context): Update => {
		const update = read(entry);
		if (update) return update;
		const time = isJsonObject(entry) ? localTimeOf(entry) : undefined;
		const message =
			time === undefined ? unknown : `its time "${time}" has no offset, so the moment is unknown`;
		context.addIssue({ code: 'custom', message });
		return z.NEVER;
	});

function change(raw: Record<string, unknown>, entityId: string): Update {
	const id = [raw['id'], raw['_id']].map(asId).find((own) => own !== undefined && own !== entityId);
	const entity = rowWithin(raw);
	return {
		...(id === undefined ? {} : { id }),
		entityId,
		kind: kindOf(raw),
		...timeOf(raw),
		...changedBy(raw),
		changes: changesOf(raw),
		...(entity === undefined ? {} : { entity }),
		raw,
	};
}

function changedRow(raw: Record<string, unknown>, entityId: string, since: number): Update {
	const [changed, created] = [timeOf(raw), creationOf(raw)];
	const isNew =
		created !== undefined && created.time >= wholeSecond(since) && (changed ?? created).time === created.time;
	const timestamp = changed?.timestamp ?? created?.timestamp;
	return {
		isRow: true,
		entityId,
		kind: isDeleted(raw) ? 'deleted' : isNew ? 'created' : 'updated',
		...(timestamp === undefined ? {} : { timestamp }),
		...changed,
		...changedBy(raw),
		changes: [],
		entity: raw,
		raw,
	};
}

/** A service may cut `since` to the second. */
const wholeSecond = (time: number) => Math.floor(time / 1000) * 1000;

function structureChange(raw: Record<string, unknown>): Update | undefined {
	if (!isOfStructure(raw)) return undefined;
	const id = asId(raw['id']);
	return {
		...(id === undefined ? {} : { id }),
		entityId: '',
		kind: 'structure',
		...timeOf(raw),
		...changedBy(raw),
		changes: [],
		raw,
	};
}

function changedBy(raw: Record<string, unknown>): Pick<Update, 'changedBy'> {
	const user = userOf(raw);
	return user === undefined ? {} : { changedBy: user };
}
