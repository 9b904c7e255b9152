import type { Client } from '../../client';
import { InvalidInput, OutcomeUnknown } from '../../client/errors';
import { isJsonObject } from '../../client/formats/json';
import { outcomeOf } from '../../client/http/limiter';
import { optionAsSent } from '../../client/resources/fields';
import { optionsWith, told, unknownOptions, type Column } from '../shared/rows/columnOptions';
import { Turns } from '../shared/runner/turns';

/** §4.4: a field has no version, so another run may overwrite what this one wrote. */
const MAX_ATTEMPTS = 5;

/** How long another run may take from reading a column to writing it, in milliseconds. */
const SETTLE_MS = 300;

/** Changes of one column in this process, one after the other. */
const turns = new Turns();

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

/** An option in the form of those that a column has: a text, or an object. */
function formedLike(sample: unknown, value: string): unknown {
	if (!isJsonObject(sample)) return value;
	const members = ['value', 'key', 'name', 'label'].filter((member) => typeof sample[member] === 'string');
	return members.length === 0 ? value : Object.fromEntries(members.map((member) => [member, value]));
}
