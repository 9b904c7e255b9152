import {
	type Client,
	type Entity,
	InvalidInput,
	type NewField,
	optionAsSent,
	optionValue,
	ownMember,
} from '../../../client';
import type { HintBeforeRun } from '../../shared/display/hints';
import { toggle } from '../../shared/inputs/parameter';
import { optionNamed, optionsWith, type Column } from '../../shared/rows/columnOptions';
import { unstableListError } from '../../shared/rows/unstableListError';
import { ENUM_TYPES, optionsIn, typeOf } from './fieldTypes';

/** Whether to drop options that are not given. */
export const replaceOptions = toggle({
	displayName: 'Replace Options',
	name: 'replaceOptions',
	description:
		'Whether the column keeps only the options entered here. Refused if rows use one of the others, unless Drop Options in Use is on.',
});

/** Whether to drop options that rows use, too. */
export const dropUsedOptions = toggle({
	displayName: 'Drop Options in Use',
	name: 'dropUsedOptions',
	description: 'Whether "Replace Options" may drop options that rows use. These rows lose the value.',
});

/** Warns before a run that may clear values. @param when expression: whether the run may do so */
export function dropsValues(when: string): HintBeforeRun {
	const message =
		'"Drop Options in Use" is on: rows that use an option you do not list lose their value permanently.';
	return { type: 'danger', when, message };
}

/** How the type of a column changes. */
interface TypeChange {
	/** The type after the change. */
	name: string;
	/** Options as the user entered them. */
	entered: readonly unknown[];
	/** Further properties; `options` among them are treated like entered ones. */
	details: Readonly<Record<string, unknown>> | undefined;
	/** Whether to drop options that are not given. */
	replaces: boolean;
	/** Whether to drop options that rows use, too. */
	dropsUsed: boolean;
}

/**
 * The type of a column after a change. A column keeps its options and gets new ones appended,
 * unless `replaces` is set.
 * @throws InvalidInput if this would drop an option that rows use, whose values the service clears
 */
export async function typeAfter(
	client: Client,
	{ grid, field }: Column,
	change: TypeChange,
): Promise<NewField['type']> {
	const { name, entered, replaces, dropsUsed } = change;
	const { options: detailed, ...details } = change.details ?? {};
	const { options: present, ...own } = field.type;
	const kept = name === field.type.name ? own : {};
	const hasOptions = ENUM_TYPES.includes(field.type.name) || present !== undefined;
	const takesOptions = ENUM_TYPES.includes(name) || detailed !== undefined || name === field.type.name;
	if (!hasOptions || !takesOptions) return typeOf(field.name, name, entered, { ...kept, ...change.details });
	const additions = [...entered, ...optionsIn(detailed)];
	if (additions.length === 0) {
		const options = present && { options: present.map(optionAsSent) };
		return typeOf(field.name, name, [], { ...kept, ...details, ...options });
	}
	// Another run may have added options since the grid was opened.
	const column = { grid, field: await client.fields.get(grid, field) };
	const options = replaces
		? await replaced(client, column, additions, dropsUsed)
		: optionsWith(column.field, additions);
	return typeOf(field.name, name, options, { ...kept, ...details, options });
}

async function replaced(
	client: Client,
	{ grid, field }: Column,
	given: readonly unknown[],
	dropsUsed: boolean,
): Promise<unknown[]> {
	// A text means a present option, which may have more members, such as a label.
	const kept = given.map((option) => {
		const present = typeof option === 'string' ? optionNamed(field, option) : undefined;
		return present ? optionAsSent(present) : option;
	});
	const values = new Set(kept.map(optionValue));
	const dropsNone = field.type.options?.every(({ value }) => values.has(value)) === true;
	if (!dropsNone && !dropsUsed) await refuseUsed(client, { grid, field }, values);
	return [...new Set(kept)];
}

/** @param kept values that the column keeps */
async function refuseUsed(client: Client, { grid, field }: Column, kept: ReadonlySet<string>): Promise<void> {
	const used = (entity: Entity) =>
		[ownMember(entity, field.id) ?? []]
			.flat()
			.map(optionValue)
			.filter((value) => value !== '' && !kept.has(value));
	const { items, unstable } = await client.entities.manyAs(grid, used, {}, { needs: [field.id] });
	if (unstable) throw unstableListError(grid);
	const counts = new Map<string, number>();
	for (const option of items.flat()) counts.set(option, (counts.get(option) ?? 0) + 1);
	if (counts.size === 0) return;
	const rows = items.filter(({ length }) => length > 0).length;
	const listed = [...counts]
		.slice(0, MAX_LISTED)
		.map(([option, count]) => `"${option}" (${count})`)
		.join(', ');
	const more = counts.size > MAX_LISTED ? `, and ${counts.size - MAX_LISTED} more` : '';
	throw new InvalidInput(
		`Options of "${field.name}" that would be dropped are in use in ${rows} ${rows === 1 ? 'row' : 'rows'}: ${listed}${more}; nothing was changed`,
		'Keep these options, or switch on "Drop Options in Use": the rows then lose the value.',
	);
}

/** Maximum number of options in a message. */
const MAX_LISTED = 20;
