import {
	type Client,
	InvalidInput,
	isJsonObject,
	optionAsSent,
	outcomeOf,
	OutcomeUnknown,
} from '../../../client';
import { optionsWith, quotedList, unknownOptions, type Column } from '../../shared/rows/columnOptions';
import { KeyedQueue } from '../../shared/runner/keyedQueue';

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
export async function addOptions(
	client: Client,
	{ grid, field }: Column,
	values: readonly string[],
): Promise<void> {
	const key = JSON.stringify([client.session.resolve('/').href, grid.address, field.id]);
	await queue.run(key, async () => {
		for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			const present = await client.fields.get(grid, field);
			const missing = unknownOptions(present, values).map(String);
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
