import { z } from 'zod/v4';
import { type Client, type Field, InvalidInput, toTimestamp, type Update } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { chosenGrid, type ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import type { ItemContext } from '../../shared/runner/context';
import { operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
import { OWN_USER, usersInput } from '../../shared/inputs/users';
import { eventRow, namesInFeed } from '../../shared/rows/events';
import { parameter as input, shownFor } from '../../shared/inputs/parameter';
import { changesAfter, Positions } from './positions';
import { valueText } from '../../shared/display/shownText';

const sinceWhat = choice(
	'sinceWhat',
	'Since',
	{
		moment: { name: 'Moment', description: 'A date and time' },
		confirmed: {
			name: 'Last Confirmed',
			description:
				'What Confirm Changes stored last: a job that fails before it reads the same changes again',
		},
	},
	{ default: 'moment', description: 'From when on to list changes' },
);
const BY_MOMENT = { sinceWhat: ['moment'] };
const BY_POSITION = { sinceWhat: ['confirmed'] };

const positionName = shownFor(
	input(
		{
			displayName: 'Position Name',
			name: 'positionName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. invoices',
			description: 'Names the job: each has a position of its own',
		},
		z.string().trim().min(1, 'enter a name'),
	),
	BY_POSITION,
);

const positionsIn = shownFor(
	input(
		{
			displayName: 'Positions In',
			name: 'positionsIn',
			type: 'string',
			default: 'positions',
			required: true,
			description:
				'Key of the grid that holds the positions, in the same space; it is made if it is missing. A person can see a position there, and set it back.',
		},
		z.string().trim().min(1, 'enter a key').max(25, 'a key has at most 25 characters'),
	),
	BY_POSITION,
);

const firstTime = shownFor(
	choice(
		'firstTime',
		'First Time',
		{
			now: { name: 'From Now On', description: 'List nothing, and later what has changed since' },
			start: { name: 'From the Start', description: 'List all changes that the service still has' },
		},
		{ default: 'now', description: 'What to list as long as the position does not exist' },
	),
	BY_POSITION,
);

const since = shownFor(
	input(
		{
			displayName: 'Moment',
			name: 'since',
			type: 'dateTime',
			default: '',
			required: true,
			placeholder: 'e.g. 2026-03-01T09:30:00+01:00',
			description:
				'Lists changes from this date and time on. Without an offset, it is in the time zone of the workflow.',
		},
		z.unknown(),
	),
	BY_MOMENT,
);

const by = usersInput({
	displayName: 'By',
	name: 'by',
	default: [],
	description:
		'List only the changes of these users, by their IDs; me is the user of this credential. To undo what a job did, list the changes of its account.',
});

export const getChanges = operation({
	value: 'getChanges',
	name: 'Get Changes',
	action: 'Get changes of grid',
	description:
		'List the rows created, updated and deleted since a date and time, or since the last run of a job. To react to changes as they happen, use the DataGrid Trigger.',
	on: chosenGrid,
	fields: [
		sinceWhat,
		since,
		positionName,
		positionsIn,
		firstTime,
		shownFor(returnAll, BY_MOMENT),
		shownFor(limit, BY_MOMENT),
	],
	options: [by, columnNaming, simplify],
	async run(context) {
		const { client, grid, fields, parameter, option, columnNames, timezone, hint } = context;
		const names = namesInFeed(fields, columnNames(fields));
		const isSimple = parameter(simplify);
		const users = option(by);
		const isWanted = await madeBy(users, client);
		if (parameter(sinceWhat) === 'confirmed') {
			const { changes, _position } = await unconfirmed(context);
			const wanted = changes.filter(({ update }) => isWanted(update));
			return wanted.map(({ update }) => ({ ...updateRow(update, fields, { names, isSimple }), _position }));
		}
		const from = sinceOf(parameter(since), timezone);
		const most = resultLimit(parameter);
		const { items, unstable } = await client.updates.many(grid, from, users.length > 0 ? Infinity : most);
		if (unstable) hint(MISSING, 'warning');
		return items
			.filter(isWanted)
			.slice(0, most)
			.map((update) => updateRow(update, fields, { names, isSimple }));
	},
});

/** Whether one of the users made a change; every change if no user is named. */
async function madeBy(users: readonly string[], client: Client): Promise<(update: Update) => boolean> {
	if (users.length === 0) return () => true;
	const ids = new Set(users);
	if (ids.has(OWN_USER)) ids.add(await client.session.currentUser.id());
	return ({ changedBy }) => {
		if (changedBy !== undefined) return ids.has(changedBy);
		throw new InvalidInput(
			'The updates feed of this service does not say who made a change, so "By" cannot choose',
			'Remove "By", and choose the changes by their times and values.',
		);
	};
}

/** The changes since the position; the first time, the position is stored. */
async function unconfirmed({ client, grid, fields, parameter, hint }: ItemContext & ChosenGrid) {
	const name = parameter(positionName);
	const positions = await Positions.open(client, grid.address.spaceId, parameter(positionsIn));
	let position = await positions.find(name);
	if (!position) {
		const isNow = parameter(firstTime) === 'now';
		await positions.add(name, isNow ? (await changesAfter(client, grid, fields, undefined)).until : 0);
		position = await positions.find(name);
		if (isNow) hint(BEGINS);
		if (isNow || !position) return { changes: [], _position: undefined };
	}
	const { changes, until } = await changesAfter(client, grid, fields, position.time);
	if (changes.length === 0) hint(NOTHING_YET);
	return { changes, _position: positions.carried(name, position, until) };
}

const BEGINS =
	'The position is new: later runs list the changes from now on. To list earlier changes, enter another "Position Name" and set "First Time" to "From the Start".';
const NOTHING_YET =
	'There are no changes since the stored position, or only in the last two minutes: a later run lists those.';
const MISSING = 'Changes may be missing: the feed kept changing while it was read. Run the node again.';

/** @throws InvalidInput if the value is not a date and time */
function sinceOf(raw: unknown, timezone: string): number {
	const moment = toTimestamp(raw, timezone);
	if (moment !== undefined) return moment;
	throw new InvalidInput(
		`"Moment" is ${valueText(raw)}, which is not a date and time`,
		'Choose a date and time, or enter one such as 2026-03-01T09:30:00+01:00.',
	);
}

function updateRow(
	update: Update,
	fields: readonly Field[],
	{ names, isSimple }: { names: ReadonlyMap<string, string>; isSimple: boolean },
): object {
	const { entity, raw } = update;
	const present = entity && fields.filter(({ id }) => Object.hasOwn(entity, id));
	const row = present && Object.fromEntries(present.map(({ id }) => [names.get(id) ?? id, entity[id]]));
	return { row: row ?? null, ...eventRow(update, names), ...(isSimple ? {} : { raw }) };
}
