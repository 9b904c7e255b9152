import type { Client } from '../../../client';
import { InvalidInput } from '../../../client/errors';
import { isJsonObject } from '../../../client/formats/json';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';

/** How the options of a column change. */
interface OptionChange {
	/** As the user entered them. */
	given: readonly unknown[];
	/** Whether options that are not given are dropped. */
	replaces: boolean;
	/** Whether options that rows hold may be dropped, too. */
	dropsUsed: boolean;
}

/**
 * The options of a column after a change: those it has,
 * with new ones behind them, or the given ones alone.
 * @throws InvalidInput where an option would be dropped
 *   that rows hold: the service clears their values
 */
export async function optionsAfter(
	client: Client,
	{ grid, field }: { grid: Grid; field: Field },
	{ given, replaces, dropsUsed }: OptionChange,
): Promise<unknown[]> {
	const present = field.type.options ?? [];
	const values = new Set(given.map(valueIn));
	if (!replaces) {
		const known = new Set(present.map(({ value }) => value));
		return [...present.map(asWritten), ...given.filter((option) => !known.has(valueIn(option)))];
	}
	const dropped = new Set(present.map(({ value }) => value).filter((value) => !values.has(value)));
	if (dropped.size > 0 && !dropsUsed) await refuseUsed(client, { grid, field }, dropped);
	return [...given];
}

async function refuseUsed(
	client: Client,
	{ grid, field }: { grid: Grid; field: Field },
	dropped: ReadonlySet<string>,
): Promise<void> {
	const { items } = await client.entities.manyAs(grid, (entity) =>
		[entity[field.id]].flat().flatMap((value) => (dropped.has(valueIn(value)) ? [valueIn(value)] : [])),
	);
	const counts = new Map<string, number>();
	for (const option of items.flat()) counts.set(option, (counts.get(option) ?? 0) + 1);
	if (counts.size === 0) return;
	const rows = items.filter(({ length }) => length > 0).length;
	const told = [...counts].map(([option, count]) => `"${option}" (${count})`).join(', ');
	throw new InvalidInput(
		`${rows} rows hold options of "${field.name}" that would be dropped: ${told}; nothing was changed`,
		'Keep these options, or switch on "Drop Options in Use": the rows then lose the value.',
	);
}

/** An option is a text, or an object that names its value (§2.5). */
function valueIn(option: unknown): string {
	if (!isJsonObject(option)) return String(option ?? '');
	return String(option['value'] ?? option['key'] ?? option['id'] ?? option['name'] ?? '');
}

/** A present option in the form in which it is sent: one that is but its value as a text. */
function asWritten(option: NonNullable<Field['type']['options']>[number]): unknown {
	const isText = Object.keys(option).every((name) => name === 'value' || name === 'name');
	return isText && option.name === option.value ? option.value : option;
}
