import type { Client } from '../../../client';
import { InvalidInput, OutcomeUnknown } from '../../../client/errors';
import { isJsonObject } from '../../../client/formats/json';
import { outcomeOf } from '../../../client/http/limiter';
import { optionAsSent, optionValue, type Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { Turns } from '../runner/turns';

/** A column and its grid. */
export interface Column {
	grid: Grid;
	field: Field;
}

/** §4.4: a field has no version, so another run may overwrite what this one wrote. */
const MAX_ATTEMPTS = 5;

/** How long another run may take from reading a column to writing it, in milliseconds. */
const SETTLE_MS = 300;

/** Changes of one column in this process, one after the other. */
const turns = new Turns();

/**
 * The options of a column with new ones behind them, in the form that the service takes.
 * @throws InvalidInput where the service does not tell those that it has
 */
export function optionsWith({ name, type }: Field, given: readonly unknown[]): unknown[] {
	if (!type.options)
		throw new InvalidInput(
			`The service does not tell the options of "${name}", so none can be added; nothing was changed`,
			'Use the operation Update of the resource Column with "Replace Options" on, and enter all options that the column is to have.',
		);
	const values = new Set(type.options.map(({ value }) => value));
	return [...type.options.map(optionAsSent), ...given.filter((option) => !values.has(optionValue(option)))];
}

const known = new WeakMap<Field, ReadonlySet<string>>();

/** All texts by which a column's options may name their values (§2.5). */
function namesOf(field: Field): ReadonlySet<string> {
	const names = known.get(field) ?? new Set((field.type.options ?? []).flatMap(namesIn));
	known.set(field, names);
	return names;
}

function namesIn(option: object): string[] {
	return Object.entries(option).flatMap(([member, name]) => (NAMES.has(member) ? [String(name)] : []));
}

const NAMES = new Set(['value', 'key', 'id', 'name', 'label']);

/** Values that are no option of a column. */
export function unknownOptions(field: Field, values: readonly unknown[]): unknown[] {
	const names = namesOf(field);
	return values.filter((value) => !names.has(String(value)));
}

/**
 * Adds options to a column: reads it, writes what it holds with the new ones behind it, and makes
 * sure that no other run took them away again meanwhile.
 * @throws InvalidInput where the service takes them without keeping them, LinkMissing, Forbidden
 */
export async function addOptions(
	client: Client,
	{ grid, field }: Column,
	values: readonly string[],
): Promise<void> {
	const key = JSON.stringify([client.session.resolve('/').href, grid.address, field.id]);
	await turns.take(key, async () => {
		for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			const present = await client.fields.get(grid, field);
			const missing = unknownOptions(present, values).map(String);
			if (missing.length === 0) return;
			const { options = [], ...type } = present.type;
			const added = missing.map((value) => formedLike(optionAsSent(options[0] ?? {}), value));
			const change = { type: { ...type, options: optionsWith(present, added) } };
			const writing = await outcomeOf(client.fields.update(grid, present, change));
			if (writing.state === 'failed' && !(writing.error instanceof OutcomeUnknown)) throw writing.error;
			await client.session.limiter.rest(SETTLE_MS);
		}
		throw new InvalidInput(
			`The column "${field.name}" did not keep the options ${told(values)}; no row was written`,
			'Run the node again when nobody else changes the column, or add the options by hand.',
		);
	});
}

/** Options as a person reads them. */
export function told(values: readonly unknown[]): string {
	const shown = values.slice(0, MAX_TOLD).map((value) => `"${String(value)}"`);
	return `${shown.join(', ')}${values.length > MAX_TOLD ? ` and ${values.length - MAX_TOLD} more` : ''}`;
}

const MAX_TOLD = 20;

/** An option in the form of those that a column has: a text, or an object. */
function formedLike(sample: unknown, value: string): unknown {
	if (!isJsonObject(sample)) return value;
	const members = ['value', 'key', 'name', 'label'].filter((member) => typeof sample[member] === 'string');
	return members.length === 0 ? value : Object.fromEntries(members.map((member) => [member, value]));
}
