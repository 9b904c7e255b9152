import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { type Client, InvalidInput, toTimestamp } from '../../client';
import { unescaped } from '../shared/display/expressionEscape';
import { choice, choices } from '../shared/inputs/choice';
import { columnNaming, simplify } from '../shared/inputs/output/outputOptions';
import { OWN_USER, usersInput } from '../shared/inputs/users';
import { optionsOf } from '../shared/inputs/options';
import {
	numeric,
	numberInput,
	parameter,
	type Parameter,
	shownFor,
	texts,
	toggle,
} from '../shared/inputs/parameter';
import { pickedValue, type Resolutions } from '../shared/inputs/pickers/resolvedPickers';
import { gridPicker, gridReference } from '../shared/inputs/pickers/grid';
import { cachedName } from '../shared/inputs/pickers/locators';
import { gridSpacePicker, spaceBesideGrid } from '../shared/inputs/pickers/space';
import { optionsOrTexts, withoutMark } from '../shared/inputs/selection/valueFrom';
import { optionalViewPicker } from '../shared/inputs/pickers/view';

/** What can start the workflow. */
type EventKind = 'created' | 'deleted' | 'entered' | 'left' | 'updated' | 'structure';

const kinds: Parameter<EventKind[]> = choices(
	'events',
	'Events',
	{
		created: {
			name: 'Row Created',
			action: 'On row created',
			description: 'A row was added to the grid',
		},
		deleted: {
			name: 'Row Deleted',
			action: 'On row deleted',
			description: 'A row was removed from the grid',
		},
		entered: {
			name: 'Row Enters View',
			action: 'On row entering a view',
			description:
				'A row is in the view that was not in it when it was last checked. Needs the option "Only Rows in View".',
		},
		left: {
			name: 'Row Leaves View',
			action: 'On row leaving a view',
			description:
				'A row is no longer in the view that was in it when it was last checked, or was deleted. Needs the option "Only Rows in View".',
		},
		updated: {
			name: 'Row Updated',
			action: 'On row updated',
			description: 'A row was changed, in any way that the service reports',
		},
		structure: {
			name: 'Structure Changed',
			action: 'On structure changed',
			description: 'Something other than a row was changed, such as a column, if the service reports it',
		},
	},
	{
		required: true,
		default: ['created', 'updated', 'deleted'],
		description: 'What starts the workflow',
	},
);

const becomesSchema = z.object({
	to: z
		.object({
			column: z.string().trim().min(1, 'choose a column').transform(unescaped).transform(withoutMark),
			values: texts.refine((values) => values.length > 0, 'add at least one value'),
			from: texts.default([]),
			includeNewRows: z.boolean().default(true),
			ifUnknown: z.enum(['emit', 'skip']).default('emit'),
		})
		.optional(),
});

const becomes = parameter(
	{
		displayName: 'Column Becomes',
		name: 'becomes',
		type: 'fixedCollection',
		placeholder: 'Choose column and values',
		default: {},
		description:
			'Report an update only if a column gets one of these values, e.g. when Status becomes Approved or the box Ready is ticked. Deleted rows are not affected.',
		options: [
			{
				displayName: 'Column',
				name: 'to',
				values: [
					{
						displayName: 'Column Name or ID',
						name: 'column',
						type: 'options',
						typeOptions: { loadOptionsMethod: 'getConditionFields', loadOptionsDependsOn: ['grid.value'] },
						default: '',
						description:
							'The column that gets a value. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
					},
					optionsOrTexts,
					{
						displayName: 'Gets One Of',
						name: 'values',
						type: 'string',
						typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Value' },
						default: [],
						placeholder: 'e.g. Approved, 12.5 or 2026-12-31',
						displayOptions: { hide: { valueFrom: ['options'] } },
						description:
							'Any of these values starts the workflow. Upper and lower case count. For a checkbox, enter true or false; an empty value stands for no value.',
					},
					{
						displayName: 'Gets One Of Names or IDs',
						name: 'values',
						type: 'multiOptions',
						typeOptions: { loadOptionsMethod: 'getOptionsOfField', loadOptionsDependsOn: ['&column'] },
						default: [],
						displayOptions: { show: { valueFrom: ['options'] } },
						description:
							'Any of these options starts the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
					},
					{
						displayName: 'Include New Rows',
						name: 'includeNewRows',
						type: 'boolean',
						default: true,
						displayOptions: { show: { '/events': ['created'] } },
						description: 'Whether a row that is created with one of the values is reported, too',
					},
					{
						displayName: 'Only From',
						name: 'from',
						type: 'string',
						typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Value' },
						default: [],
						description:
							'Only if the column had one of these values before. Leave it empty for any other value.',
					},
					{
						displayName: 'Unknown Old Value',
						name: 'ifUnknown',
						type: 'options',
						options: [
							{ name: 'Report the Change', value: 'emit' },
							{ name: 'Skip It', value: 'skip' },
						],
						default: 'emit',
						description: 'What to do if the service does not report the value that the column had before',
					},
				],
			},
		],
	},
	becomesSchema,
);

const ignoreChangesBy = usersInput({
	displayName: 'Ignore Changes By',
	name: 'ignoreChangesBy',
	default: [OWN_USER],
	description:
		'Ignore the changes of these users: me is the user of this credential, so that a workflow that writes to its own grid does not start itself. A key belongs to a person: use an account of its own for workflows, or your own changes are ignored, too.',
});

const includeDeleted = shownFor(
	toggle(
		{
			displayName: 'Include Deleted Rows',
			name: 'includeDeleted',
			description:
				'Whether deleted rows are reported although "Only Rows in View" is set: a deleted row is in no view, so it is unknown whether it was in this one',
		},
		true,
	),
	{ '/events': ['deleted'] },
);

const checkViewEvery = shownFor(
	numberInput({
		displayName: 'Check the View Every',
		name: 'checkViewEvery',
		typeOptions: { minValue: 0, maxValue: 10_080 },
		default: 0,
		description:
			'Minutes after which Row Enters View and Row Leaves View list the view although no row was changed, for a view that depends on the time. 0: only after changes. Each check lists the whole view.',
	}),
	{ '/events': ['entered', 'left'] },
);

const delivery = choice(
	'delivery',
	'Delivery',
	{
		atLeastOnce: {
			name: 'At Least Once',
			description:
				'After n8n was killed or restarted, the last batch is emitted again, marked with "redelivered": true. For workflows that may run twice for a change but must not miss one.',
		},
		exactlyOnce: {
			name: 'Exactly Once',
			description:
				'Each change is emitted once. If n8n is killed between saving the position and starting the execution, that batch is lost.',
		},
	},
	{ default: 'exactlyOnce', description: 'What happens to the last batch when n8n itself is killed' },
);

const eventsPerExecution = numberInput({
	displayName: 'Events per Execution',
	name: 'eventsPerExecution',
	typeOptions: { minValue: 1, maxValue: 10_000, numberPrecision: 0 },
	default: 1000,
	description: 'Maximum number of changes per execution; the others follow with the next polls',
});

const fullEntity = toggle({
	displayName: 'Whole Row',
	name: 'fullEntity',
	description:
		'Whether to read the current state of each row, including computed columns. Takes one more request per row.',
});

const lookback = numberInput({
	displayName: 'Lookback Seconds',
	name: 'lookback',
	typeOptions: { minValue: 0, maxValue: 86_400 },
	default: 120,
	description:
		'How long after its own time a change may appear in the feed without being missed. Larger values are safer but need more memory.',
});

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
const startFrom = parameter(
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'dateTime',
		default: '',
		description:
			'When the workflow is first published (activated), report the changes since this date and time. Without an offset, it is in the time zone of the workflow. Leave it empty to start from now.',
	},
	z
		.unknown()
		.refine(
			(moment) => isEmpty(moment) || toTimestamp(moment, 'UTC') !== undefined,
			'it is not a date and time',
		),
);

const view: Parameter<string | undefined> = {
	...optionalViewPicker,
	property: {
		...optionalViewPicker.property,
		displayName: 'Only Rows in View',
		description:
			'Report only rows that are in this view when the change is emitted. For Row Enters View and Row Leaves View, the view that is watched.',
	},
};

const MINUTE_MS = 60_000;
const quietSchema = z.object({
	times: z
		.object({
			seconds: numeric.pipe(z.number().min(1).max(3600)).default(60),
			atMost: numeric.pipe(z.number().min(1).max(120)).default(15),
		})
		.refine(({ seconds, atMost }) => seconds <= atMost * 60, '"At Most" is shorter than the wait')
		.optional(),
});

const quiet = parameter(
	{
		displayName: 'Wait Until Quiet',
		name: 'quiet',
		type: 'fixedCollection',
		placeholder: 'Set Times',
		default: {},
		description:
			'Hold the events of a row until nothing has changed it for some time, and report them as one: old values of the first change, new values of the last. For workflows that must not start while somebody still types.',
		options: [
			{
				displayName: 'Times',
				name: 'times',
				values: [
					{
						displayName: 'At Most',
						name: 'atMost',
						type: 'number',
						typeOptions: { minValue: 1, maxValue: 120 },
						default: 15,
						description: 'Minutes after the first change at which an event is reported at the latest',
					},
					{
						displayName: 'Seconds Without a Change',
						name: 'seconds',
						type: 'number',
						typeOptions: { minValue: 1, maxValue: 3600 },
						default: 60,
						description: 'How long nothing may have changed the row. Precise to the interval of the polls.',
					},
				],
			},
		],
	},
	quietSchema,
);

const watched = parameter(
	{
		displayName: 'Watched Column Names or IDs',
		name: 'watched',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getFields', loadOptionsDependsOn: ['grid.value'] },
		default: [],
		description:
			'Report an update only if one of these columns has changed. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	z.array(z.string().transform(unescaped)),
);

const options = optionsOf(
	becomes,
	checkViewEvery,
	delivery,
	eventsPerExecution,
	fullEntity,
	ignoreChangesBy,
	includeDeleted,
	lookback,
	columnNaming,
	quiet,
	startFrom,
	view,
	watched,
);

/** The node's inputs in the order shown. */
export const properties: INodeProperties[] = [
	gridPicker.property,
	spaceBesideGrid.property,
	kinds.property,
	simplify.property,
	options.property,
];

/**
 * @param resolutions what keys and URLs stand for, so that a poll does not ask each time
 * @throws InvalidInput naming the invalid input, and any error of opening a URL
 */
export async function readSettings(node: IPollFunctions, client: Client, resolutions: Resolutions) {
	const read = <Value>({ property, read: parse }: Parameter<Value>) =>
		parse(node.getNodeParameter(property.name, property.default));
	const option = read(options);
	const from = option(startFrom);
	const events = new Set(read(kinds));
	if ((events.has('entered') || events.has('left')) && option(view) === undefined)
		throw new InvalidInput(
			'"Row Enters View" and "Row Leaves View" need a view',
			'Add the option "Only Rows in View" and choose it.',
		);
	const { times } = option(quiet);
	const raw = z.record(z.string(), z.unknown()).safeParse(node.getNodeParameter('options', {})).data ?? {};
	const { credentials } = node.getNode();
	const rawOf = (name: string) => (name === view.property.name ? raw[name] : node.getNodeParameter(name, ''));
	const picked = <Value>(picker: Parameter<Value>) =>
		pickedValue(picker, { client, credentials, rawOf, resolutions });
	return {
		grid: gridReference(await picked(gridPicker), await picked(gridSpacePicker)),
		/** Its name, as the workflow keeps it beside the ID. */
		gridName: read(cachedName(gridPicker)),
		kinds: events,
		delivery: option(delivery),
		eventsPerExecution: option(eventsPerExecution),
		fullEntity: option(fullEntity),
		/** Whether each event also contains its entry as the service sent it. */
		includeRaw: !read(simplify),
		/** Milliseconds. */
		lookback: Math.round(option(lookback) * 1000),
		columnNaming: option(columnNaming),
		/** Milliseconds since 1970. */
		startFrom: isEmpty(from) ? undefined : toTimestamp(from, node.getTimezone()),
		/** ID of a view, or empty. */
		view: (await picked(view)) ?? '',
		includeDeleted: option(includeDeleted),
		/** Milliseconds; 0 for only after changes. */
		checkViewEvery: option(checkViewEvery) * MINUTE_MS,
		/** IDs, keys or names of columns. */
		watched: option(watched),
		becomes: option(becomes).to,
		/** Milliseconds. */
		quiet: times && { wait: times.seconds * 1000, atMost: times.atMost * MINUTE_MS },
		/** IDs of users, or `OWN_USER`. The option's default is for those who add it. */
		ignoredUsers: Object.hasOwn(raw, ignoreChangesBy.property.name) ? option(ignoreChangesBy) : [],
	};
}

/** The validated settings of the user. */
export type Settings = Awaited<ReturnType<typeof readSettings>>;
