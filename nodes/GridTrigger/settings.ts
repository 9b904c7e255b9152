import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { GridReference } from '../../client/resources/grids';
import { toTimestamp } from '../../client/formats/moment';
import type { Update, UpdateKind } from '../../client/resources/updates/updates';
import { connect } from '../shared/connection/connect';
import { unescaped } from '../shared/display/expressionEscape';
import { choice, choices } from '../shared/inputs/choice';
import { columnNaming, simplifySince2 } from '../shared/inputs/output/outputOptions';
import type { ColumnNaming } from '../shared/rows/output';
import { optionsOf } from '../shared/inputs/options';
import { numeric, parameter, type Parameter } from '../shared/inputs/parameter';
import { inVersion } from '../shared/inputs/version';
import { holdsUrl, resolved } from '../shared/inputs/pickers/pickedUrls';
import { gridPicker, gridReference } from '../shared/inputs/pickers/grid';
import { gridSpacePicker } from '../shared/inputs/pickers/space';

const kinds: Parameter<UpdateKind[]> = choices(
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
		updated: {
			name: 'Row Updated',
			action: 'On row updated',
			description: 'A row was changed, in any way that the service reports',
		},
	},
	{
		required: true,
		default: ['created', 'updated', 'deleted'],
		description: 'What starts the workflow',
	},
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

const eventsPerExecution = parameter(
	{
		displayName: 'Events per Execution',
		name: 'eventsPerExecution',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10_000 },
		default: 1000,
		description: 'Maximum number of changes per execution; the others follow with the next polls',
	},
	numeric.pipe(z.number().int().min(1).max(10_000)),
);

const fullEntity = parameter(
	{
		displayName: 'Full Entity',
		name: 'fullEntity',
		type: 'boolean',
		default: false,
		description:
			'Whether to read the current state of each row, including computed columns. Takes one more request per row.',
	},
	z.boolean(),
);

/** For node version 1; on by default. */
const includeRaw = inVersion(
	1,
	parameter(
		{
			displayName: 'Include Raw Entry',
			name: 'includeRaw',
			type: 'boolean',
			default: true,
			description:
				'Whether each item also contains the entry of the feed as the service sent it, under "raw"',
		},
		z.boolean(),
	),
);

const lookback = parameter(
	{
		displayName: 'Lookback Seconds',
		name: 'lookback',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 86_400 },
		default: 120,
		description:
			'How long after its own time a change may appear in the feed without being missed. Larger values are safer but need more memory.',
	},
	numeric.pipe(z.number().min(0).max(86_400)),
);

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
const startFrom = parameter(
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'dateTime',
		default: '',
		description:
			'When the workflow is first activated, emit the changes since this date and time. Without an offset, it is in the time zone of the workflow. Leave it empty to start from now.',
	},
	z
		.unknown()
		.refine(
			(moment) => isEmpty(moment) || toTimestamp(moment, 'UTC') !== undefined,
			'it is not a date and time',
		),
);

const view = parameter(
	{
		displayName: 'View Name or ID',
		name: 'view',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getViews', loadOptionsDependsOn: ['grid.value'] },
		default: '',
		description:
			'Report only rows that are in this view when the change is emitted; deleted rows are always reported. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	z.string().trim().transform(unescaped),
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
	delivery,
	eventsPerExecution,
	fullEntity,
	includeRaw,
	lookback,
	columnNaming,
	startFrom,
	view,
	watched,
);

/** The validated settings of the user. */
export interface Settings {
	grid: GridReference;
	kinds: ReadonlySet<UpdateKind>;
	delivery: 'exactlyOnce' | 'atLeastOnce';
	eventsPerExecution: number;
	fullEntity: boolean;
	/** Whether each event also contains its entry as the service sent it. */
	includeRaw: boolean;
	/** Version of the node. */
	version: number;
	/** Seconds. */
	lookback: number;
	columnNaming: ColumnNaming;
	/** Milliseconds since 1970. */
	startFrom: number | undefined;
	/** ID of a view, or empty. */
	view: string;
	/** IDs, keys or names of columns. */
	watched: string[];
}

/** The node's inputs in the order shown. */
export const properties: INodeProperties[] = [
	gridSpacePicker.property,
	gridPicker.property,
	kinds.property,
	simplifySince2.property,
	options.property,
];

/** @throws InvalidInput naming the invalid input, and any error of opening a URL */
export async function readSettings(node: IPollFunctions): Promise<Settings> {
	const read = <Value>({ property, read: parse }: Parameter<Value>) =>
		parse(node.getNodeParameter(property.name, property.default));
	const option = read(options);
	const from = option(startFrom);
	const version = node.getNode().typeVersion;
	return {
		grid: gridReference(await picked(node, gridPicker), await picked(node, gridSpacePicker)),
		kinds: new Set(read(kinds)),
		delivery: option(delivery),
		eventsPerExecution: option(eventsPerExecution),
		fullEntity: option(fullEntity),
		includeRaw: version === 1 ? option(includeRaw) : !read(simplifySince2),
		version,
		lookback: option(lookback),
		columnNaming: option(columnNaming),
		startFrom: isEmpty(from) ? undefined : toTimestamp(from, node.getTimezone()),
		view: option(view),
		watched: option(watched),
	};
}

/** The value of a picker. Only a URL needs the client. */
async function picked<Value>(node: IPollFunctions, { property, read }: Parameter<Value>): Promise<Value> {
	const raw = node.getNodeParameter(property.name, property.default);
	return read(holdsUrl(property, raw) ? await resolved(await connect(node), property, raw) : raw);
}

/** Whether the settings accept this event, as far as the event shows. */
export function matchesSettings(
	{ kinds: wanted, watched }: Pick<Settings, 'kinds' | 'watched'>,
	{ kind, changes }: Update,
	columns: ReadonlyArray<readonly string[]>,
): boolean {
	// Any other kind of event counts as an update.
	const isUpdate = kind !== 'created' && kind !== 'deleted';
	if (!wanted.has(isUpdate ? 'updated' : kind)) return false;
	// Without changed columns in the feed, updates cannot be filtered by column.
	if (!isUpdate || watched.length === 0 || changes.length === 0) return true;
	const isWatched = (names: readonly string[]) => names.some((name) => watched.includes(name));
	const own = new Set([...watched, ...columns.filter(isWatched).flat()]);
	const all = new Set(columns.flat());
	// An unknown name may be the new name of a watched column.
	return changes.some(({ field }) => own.has(field) || !all.has(field));
}
