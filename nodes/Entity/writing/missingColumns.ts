import {
	type Client,
	type Entity,
	type Field,
	fieldSchema,
	type Grid,
	InvalidInput,
	isWritable,
	type NewField,
	outcomeOf,
	ownMember,
} from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { dryRun, namesOption, optionGroup } from '../../shared/inputs/options';
import type { Parameter } from '../../shared/inputs/parameter';
import { placeMembers } from '../../shared/inputs/columns/members';
import { addColumns } from '../../shared/rows/addColumns';
import { ColumnNames, ROW_MEMBERS } from '../../shared/rows/columnNames';
import { typeLabel } from '../../shared/rows/columnTypes';
import { InferredType } from '../../shared/rows/inferType';
import { isEmptyCell } from '../../shared/rows/values';
import { KeyedQueue } from '../../shared/runner/keyedQueue';
import { mayChangeStructure } from './unknownOptions';
import type { ItemContext } from '../../shared/runner/context';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';

/** What to do with columns of the input that the grid lacks. */
export const missingColumns = choice(
	'missingColumns',
	'Missing Columns',
	{
		add: {
			name: 'Add',
			description:
				'They are added first, with the type that fits all their values, which requires permission to change columns',
		},
		leaveOut: { name: 'Leave Out', description: 'They are not written; a hint names them' },
		refuse: { name: 'Refuse', description: 'Nothing is written, and the error names them' },
	},
	{
		default: 'leaveOut',
		description:
			'What to do with columns of the input that the grid does not have. Add also fills a grid without columns. A column without values is never added.',
	},
);

export const newKeyColumns = namesOption({
	displayName: 'New Key Columns',
	name: 'newKeyColumns',
	placeholder: 'e.g. Shop, Order Number',
	description:
		'Names of key columns that the grid does not have yet, separated by commas; they are added. Key columns that exist are chosen under Columns.',
});

export const missing = (...further: ReadonlyArray<Parameter<unknown>>) =>
	optionGroup(
		{
			displayName: 'Missing Columns',
			name: 'missing',
			description: 'What to do with columns of the input that the grid does not have',
		},
		missingColumns,
		...further,
	);

/** Rows with named cells. */
interface NamedRows<Row> {
	names: () => Iterable<string>;
	rows: AsyncIterable<Row> | Iterable<Row>;
	cellOf: (name: string) => (row: Row) => unknown;
	/** Whether numbers are texts, as in CSV. */
	hasOnlyTexts: boolean;
	/** How to choose key columns that do not exist yet. */
	keys: string;
}

/** The columns to add for a source. @throws InvalidInput naming those that may not be missing */
export async function missingIn<Row>(
	{ grid, fields, option }: Pick<ItemContext, 'option'> & ChosenGrid,
	{ names, rows, cellOf, hasOnlyTexts, keys }: NamedRows<Row>,
): Promise<NewField[]> {
	const how = option(missingColumns);
	const isEmpty = !fields.some(isWritable);
	if (how === 'leaveOut' && !isEmpty) return [];
	const members = Object.fromEntries([...names()].map((name) => [name, name]));
	const unknown = placeMembers(members, ColumnNames.of(fields)).unknown.filter(
		(name) => name.trim() !== '' && !ROW_MEMBERS.has(name),
	);
	if (unknown.length === 0) return [];
	const label = missingColumns.property.displayName;
	if (how !== 'add')
		throw new InvalidInput(
			`The input has columns that "${grid.name}" lacks: ${unknown.slice(0, 30).join(', ')}${unknown.length > 30 ? '…' : ''}; nothing was written`,
			`Add them to the grid, or choose "Add" in "${label}" under Options${isEmpty ? `; for those that identify a row, ${keys}` : ''}.`,
		);
	const missing = unknown.map((name) => ({ cell: cellOf(name), inferred: new InferredType(hasOnlyTexts) }));
	for await (const row of rows) for (const { cell, inferred } of missing) inferred.add(cell(row));
	const types = new Map(missing.map(({ inferred: { type } }, at) => [unknown[at]?.trim() ?? '', type]));
	return [...types].flatMap(([name, type]) => (type === undefined ? [] : [{ name, type: { name: type } }]));
}

/** The grid as it would be with further columns, for a plan. */
export function withColumns<Chosen extends ChosenGrid>(chosen: Chosen, added: readonly NewField[]): Chosen {
	if (added.length === 0) return chosen;
	const further = added.map(({ name, type }) => fieldSchema.parse({ id: name, name, type }));
	return { ...chosen, fields: [...chosen.fields, ...further] };
}

/** Waits for another run to remove the column that it has added, too, in milliseconds. */
const LOOK_DELAYS_MS = [500, 1000, 2000];

/**
 * Adds the columns to a grid, unless it is a dry run.
 * @returns the changed grid @throws LinkMissing, PartlyDone, InvalidInput if one stays a duplicate
 */
export async function addTo(
	{ client, hint, parameter }: Pick<ItemContext, 'client' | 'hint' | 'parameter'>,
	grid: Grid,
	columns: readonly NewField[],
): Promise<ChosenGrid | undefined> {
	if (columns.length === 0) return undefined;
	await mayChangeStructure(client, grid);
	const textOf = (all: readonly NewField[]) =>
		all.map(({ name, type }) => `${name} (${typeLabel(type.name)})`).join(', ');
	if (parameter(dryRun)) {
		hint(`Dry run: would be added to the columns: ${textOf(columns)}`);
		return undefined;
	}
	const place = JSON.stringify([client.session.resolve('/').href, grid.address]);
	return await queue.run(place, async () => {
		const { chosen, added } = await withAll(client, grid, columns);
		if (added.length > 0) hint(`Added to "${grid.name}": ${textOf(added)}`);
		return chosen;
	});
}

/** Runs of this process add columns to a grid in turn. */
const queue = new KeyedQueue();

/**
 * Adds columns that a run of another process may be adding at the same time: a service refuses the
 * second column of a name, or has it twice (§2.5 does not say that names are unique). Of two, the
 * first stays, whoever looks; a run removes only columns that it has added, and only empty ones.
 * @returns the changed grid, and the columns that this run has added
 */
export async function withAll(client: Client, { address }: Grid, columns: readonly NewField[]) {
	const ownIds = new Set<string>();
	const isOwn = ({ id }: Field) => ownIds.has(id);
	const delays = [...LOOK_DELAYS_MS];
	let failure: { error: unknown; lacking: number } | undefined;
	for (;;) {
		const grid = await client.grids.reopen({ spaceId: address.spaceId, gridId: address.gridId });
		const fields = await client.fields.of(grid);
		const named = columns.map((column) => fields.filter(({ name }) => name === column.name));
		const lacking = columns.filter((_, at) => named[at]?.length === 0);
		if (failure?.lacking === lacking.length) throw failure.error;
		if (lacking.length > 0) {
			const adding = await outcomeOf(addColumns(client, grid, lacking, undefined));
			if (adding.state === 'failed') failure = { error: adding.error, lacking: lacking.length };
			else for (const { id } of adding.value) if (id !== undefined) ownIds.add(id);
			continue;
		}
		const later = named.flatMap(([, ...others]) => others);
		const [duplicate] = later;
		if (!duplicate)
			return { chosen: { grid, fields }, added: columns.filter((_, at) => named[at]?.some(isOwn)) };
		const wait = delays.shift();
		if (wait === undefined)
			throw new InvalidInput(
				`The column "${duplicate.name}" of "${grid.name}" was added twice by runs at the same time; nothing was written`,
				'Remove the one without values, then run the node again.',
			);
		// The next look tells whether it was removed.
		for (const field of later.filter(isOwn)) await outcomeOf(removeIfEmpty(client, grid, field));
		await client.session.limiter.waitWithoutSlot(wait);
	}
}

async function removeIfEmpty({ entities, fields }: Client, grid: Grid, { id }: Field): Promise<void> {
	// A service may ignore filters.
	const isFilled = (row: Entity) => !isEmptyCell(ownMember(row, id));
	const filter = { [id]: { $ne: null } };
	const { items } = await entities.manyAs(grid, isFilled, { filter }, { needs: [id] });
	if (!items.includes(true)) await fields.remove(grid, id);
}
