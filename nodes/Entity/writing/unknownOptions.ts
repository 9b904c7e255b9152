import {
	type Client,
	type Field,
	type Grid,
	InvalidInput,
	isJsonObject,
	LinkMissing,
	oncePer,
	optionAsSent,
	outcomeOf,
	OutcomeUnknown,
	ownMember,
	permits,
	type Values,
} from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { refuseProblems } from '../../shared/inputs/problems';
import {
	optionsWith,
	quotedList,
	unknownOptions as unknownIn,
	type Column,
} from '../../shared/rows/columnOptions';
import { InvalidCell } from '../../shared/rows/conversion';
import { valueRulesOf } from '../../shared/rows/valueTypes';
import type { ItemContext, ItemsContext } from '../../shared/runner/context';
import { KeyedQueue } from '../../shared/runner/keyedQueue';

/** What to do with a value that is not an option of its column. */
export const unknownOptions = choice(
	'unknownOptions',
	'Unknown Options',
	{
		addToColumn: {
			name: 'Add to Column',
			description: 'The options are added to the column first, which requires permission to change columns',
		},
		leaveEmpty: {
			name: 'Leave Empty',
			description: 'The column gets no value, and a row that had one loses it; a hint lists the values',
		},
		refuse: { name: 'Refuse', description: 'The item fails before anything is written' },
	},
	{
		default: 'refuse',
		description: 'What to do with a value that is not among the options of its column',
	},
);

/** Values to write to a grid. */
export interface Writing {
	grid: Grid;
	fields: readonly Field[];
	values: Values;
	/** Whether to add options that the columns lack. */
	addsOptions: boolean;
}

/** Finds values that are not options of their columns, before anything is written. */
export class OptionReader {
	private readonly left = new Map<string, Set<string>>();
	private readonly permissions = new Map<Grid, Promise<void>>();

	/**
	 * The values to write, as the option says.
	 * @throws InvalidItem naming columns, values and options; LinkMissing if this identity may not
	 *   add them
	 */
	async read(
		{ client, option }: Pick<ItemContext, 'client' | 'option'>,
		{ grid, fields, values }: Omit<Writing, 'addsOptions'>,
	): Promise<Pick<Writing, 'values' | 'addsOptions'>> {
		const how = option(unknownOptions);
		const unknown = missingOptions(fields, values);
		if (unknown.length === 0) return { values, addsOptions: false };
		if (how === 'addToColumn') {
			for (const { field } of unknown) await this.requirePermission(client, { grid, field });
			return { values, addsOptions: true };
		}
		// A column without options cannot be checked; the service decides.
		const certain = unknown.filter(({ field }) => (field.type.options?.length ?? 0) > 0);
		if (how === 'refuse') {
			refuseProblems(
				certain.map(({ field, missing }) => noOption(field, missing)),
				values,
			);
			return { values, addsOptions: false };
		}
		const kept = certain.map(({ field, missing }) => {
			const left = this.left.get(field.name) ?? new Set();
			for (const value of missing) left.add(String(value));
			this.left.set(field.name, left);
			const value = ownMember(values, field.id);
			const rest = Array.isArray(value) ? value.filter((one) => !missing.includes(one)) : [];
			return [field.id, rest.length === 0 ? null : rest];
		});
		return { values: { ...values, ...Object.fromEntries(kept) }, addsOptions: false };
	}

	/** Shows which values were not written. */
	showHints({ hint }: Pick<ItemsContext, 'hint'>): void {
		for (const [column, values] of this.left)
			hint(`Left empty, because "${column}" has no such option: ${quotedList([...values])}`, 'warning');
	}

	private async requirePermission(client: Client, { grid, field }: Column): Promise<void> {
		client.fields.mayUpdate(grid, field);
		const permission = this.permissions.get(grid) ?? mayChangeStructure(client, grid);
		this.permissions.set(grid, permission);
		await permission;
	}
}

/**
 * Adds the options that the columns lack, one request per column, before the first row is written;
 * a dry run only reports them.
 * @returns errors by the writing that they prevent
 */
export async function addMissingOptions<Written extends Writing>(
	{ client, hint }: Pick<ItemsContext, 'client' | 'hint'>,
	writings: Iterable<Written>,
	isDry = false,
): Promise<Map<Written, unknown>> {
	const columns = new Map<string, Column & { values: Set<string>; users: Written[] }>();
	for (const writing of writings) {
		const { grid, fields, values, addsOptions } = writing;
		if (!addsOptions) continue;
		for (const { field, missing } of missingOptions(fields, values)) {
			const key = JSON.stringify([grid.address, field.id]);
			const column = columns.get(key) ?? { grid, field, values: new Set(), users: [] };
			for (const value of missing) column.values.add(String(value));
			column.users.push(writing);
			columns.set(key, column);
		}
	}
	const failures = new Map<Written, unknown>();
	for (const { grid, field, values, users } of columns.values()) {
		const sentence = `options of "${field.name}": ${quotedList([...values])}`;
		if (!isDry) {
			const adding = await outcomeOf(addOptions(client, { grid, field }, [...values]));
			if (adding.state === 'failed') {
				for (const writing of users) failures.set(writing, adding.error);
				continue;
			}
		}
		hint(isDry ? `Dry run: would be added to the ${sentence}` : `Added to the ${sentence}`);
	}
	return failures;
}

/** The same for operations that one failure stops. @throws the error of the first failed column */
export async function addMissingOptionsOrThrow(
	context: Pick<ItemsContext, 'client' | 'hint'>,
	writings: Iterable<Writing>,
	isDry: boolean,
): Promise<void> {
	const failures = await addMissingOptions(context, writings, isDry);
	for (const error of failures.values()) throw error;
}

/** §4.4: a field has no version, so a concurrent run may overwrite the options written here. */
const MAX_ATTEMPTS = 5;

/** Time allowed for a concurrent run between reading a column and writing it. */
const SETTLE_MS = 300;

/** Serializes the changes to one column in this process. */
const queue = new KeyedQueue();

/**
 * Appends options to a column, then reads it again to make sure that no concurrent run removed
 * them.
 * @throws InvalidInput if the service accepts the options without storing them, LinkMissing,
 *   Forbidden
 */
async function addOptions(client: Client, { grid, field }: Column, values: readonly string[]): Promise<void> {
	const key = JSON.stringify([client.session.resolve('/').href, grid.address, field.id]);
	await queue.run(key, async () => {
		for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			const present = await client.fields.get(grid, field);
			const missing = unknownIn(present, values).map(String);
			if (missing.length === 0) return;
			const { options = [], ...type } = present.type;
			const added = missing.map((value) => optionLike(optionAsSent(options[0] ?? {}), value));
			const change = { type: { ...type, options: optionsWith(present, added) } };
			const writing = await outcomeOf(client.fields.update(grid, present, change));
			if (writing.state === 'failed' && !(writing.error instanceof OutcomeUnknown)) throw writing.error;
			await client.session.limiter.waitWithoutSlot(SETTLE_MS);
		}
		throw new InvalidInput(
			`The column "${field.name}" did not keep the options ${quotedList(values)}; no row with them was written`,
			'Run the node again when nobody else is changing the column, or add the options in the service.',
		);
	});
}

/** A new option in the format of the column's existing ones: a text or an object. */
function optionLike(sample: unknown, value: string): unknown {
	if (!isJsonObject(sample)) return value;
	const members = ['value', 'key', 'name', 'label'].filter((member) => typeof sample[member] === 'string');
	return members.length === 0 ? value : Object.fromEntries(members.map((member) => [member, value]));
}

/** Columns whose values are options, computed once for all rows. */
const choiceColumns = oncePer((fields: readonly Field[]) =>
	fields.filter((field) => valueRulesOf(field).hasOptions && field.type.options),
);

/** Columns with values that are not among their options. */
function missingOptions(
	fields: readonly Field[],
	values: Values,
): Array<{ field: Field; missing: unknown[] }> {
	return choiceColumns(fields).flatMap((field) => {
		const value = ownMember(values, field.id) ?? null;
		if (value === null) return [];
		const missing = unknownIn(field, Array.isArray(value) ? value : [value]);
		return missing.length === 0 ? [] : [{ field, missing }];
	});
}

/**
 * §2.3, §5: an identity that may not add grids to a space is not an admin and may not change
 * columns. An unreadable space proves nothing.
 */
export async function mayChangeStructure(client: Client, { address, name }: Grid): Promise<void> {
	const reading = await outcomeOf(client.spaces.get(address.spaceId));
	if (reading.state === 'failed' || permits(reading.value, 'addGrid') !== false) return;
	const available = [...reading.value._links.keys()];
	throw new LinkMissing({
		action: `change columns of the grid "${name}"`,
		rel: 'addGrid',
		available,
		role: 'admin',
	});
}

function noOption(field: Field, missing: readonly unknown[]): InvalidCell {
	const {
		name,
		type: { options = [] },
	} = field;
	const values = options.map(({ value }) => value);
	const problem = new InvalidInput(
		`The column "${name}" has no option ${quotedList(missing)}`,
		`Its options are: ${quotedList(values)}. Correct the value, add the option to the column, or change "Unknown Options".`,
	);
	return new InvalidCell(field, problem);
}
