import { tryToParseDateTime } from 'n8n-workflow';
import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/fields';
import { Updates, type Update } from '../../../client/updates';
import type { Session } from '../../../client/session';
import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import { columnNaming, namesOf, type ColumnNaming } from '../../shared/naming';
import type { Operation } from '../../shared/operation';
import { simplify } from '../../shared/output';
import { limit, returnAll } from '../../shared/paging';
import { parameter as input, shown } from '../../shared/parameter';
import { wanted } from '../../shared/record';

const since = input(
	{
		displayName: 'Since',
		name: 'since',
		type: 'dateTime',
		default: '',
		required: true,
		placeholder: 'e.g. 2026-03-01T09:30:00+01:00',
		description:
			'The moment from which on changes are listed. Without an offset it is meant in the time zone of the workflow.',
	},
	z.unknown(),
);

export const getUpdates: Operation = {
	value: 'getUpdates',
	name: 'Get Updates',
	action: 'Get the updates of a grid',
	description:
		'List what has been created, updated and deleted in a grid since a moment, once. Use the trigger to be told of changes as they come.',
	fields: [...gridFields, since, returnAll, limit, columnNaming, simplify],
	async run({ client, parameter, node }) {
		const from = momentOf(parameter(since), node.getTimezone());
		const { grid, fields } = await chosenGrid(client, parameter);
		const updates = await readFeed(client.session, Updates.hrefOf(grid), from, wanted(parameter));
		return updates.map((update) => rowOf(update, fields, parameter(columnNaming), parameter(simplify)));
	},
};

function momentOf(raw: unknown, timezone: string): number {
	const moment = parsed(raw, timezone);
	if (moment !== undefined) return moment;
	throw new InvalidInput(
		`"Since" holds ${shown(raw)}, which is not a moment`,
		'Choose a date and a time, or write one such as 2026-03-01T09:30:00+01:00.',
	);
}

function parsed(raw: unknown, timezone: string): number | undefined {
	if (raw === undefined || raw === null || raw === '') return undefined;
	try {
		return tryToParseDateTime(raw, timezone).toMillis();
	} catch {
		return undefined;
	}
}

/** The feed page after page, each change once. A feed that does not say where it ends, ends where a page brings nothing new. */
async function readFeed(session: Session, href: string, from: number, most: number): Promise<Update[]> {
	const feed = new Updates(session);
	const found = new Map<string, Update>();
	for (let pageIndex = 1; found.size < most; pageIndex++) {
		const known = found.size;
		const page = await feed.page(href, from, pageIndex);
		for (const update of page.updates) found.set(identityOf(update), update);
		if (page.more === 'no' || found.size === known) break;
	}
	return [...found.values()].slice(0, most);
}

/** Most feeds name their events; of one that does not, two entries are the same only where all of them is. */
function identityOf({ id, raw }: Update): string {
	return id ?? JSON.stringify(raw);
}

function rowOf(update: Update, fields: readonly Field[], by: ColumnNaming, simple: boolean): object {
	const names = namesOf(fields, by);
	const nameOf = (field: string) => names.get(field) ?? field;
	const { entity } = update;
	const present = entity && fields.filter(({ id }) => Object.hasOwn(entity, id));
	return {
		event: update.kind,
		entityId: update.entityId,
		changedAt: update.timestamp ?? null,
		changedBy: update.changedBy ?? null,
		changes: update.changes.map((change) => ({
			field: nameOf(change.field),
			old: change.old ?? null,
			new: change.new ?? null,
		})),
		...(present ? { entity: Object.fromEntries(present.map(({ id }) => [nameOf(id), entity[id]])) } : {}),
		...(simple ? {} : { raw: update.raw }),
	};
}
