import { type EntitiesQuery, type Entity, InvalidInput, readBatch, parseJson } from '../../../client';
import { returnAll, limit } from '../../shared/inputs/selection/paging';
import type { ItemContext } from '../../shared/runner/context';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { hash } from 'crypto';
import { z } from 'zod/v4';
import { parameter, type Parameter } from '../../shared/inputs/parameter';

/** The content of `_cursor` in a row of a batch, as JSON. */
const cursorSchema = z.object({
	position: z.number().int().min(1),
	last: z.string().min(1),
	next: z.string().min(1).nullable(),
	/** Digest of the query. */
	query: z.string().min(1),
});
type Cursor = z.infer<typeof cursorSchema>;

const NOT_A_CURSOR = 'it is not the _cursor of a row that Get Many read';

/** A cursor as text or object; undefined if empty, which reads the first batch. */
const givenSchema = z.unknown().transform((raw, context): Cursor | undefined => {
	if (raw === null || (typeof raw === 'string' && raw.trim() === '')) return undefined;
	const json = typeof raw === 'string' ? parseJson(raw) : { value: raw };
	const { data } = cursorSchema.safeParse('value' in json ? json.value : undefined);
	if (data) return data;
	context.addIssue({ code: 'custom', message: NOT_A_CURSOR });
	return z.NEVER;
});

const text = parameter(
	{
		displayName: 'Batch Cursor',
		name: 'batchCursor',
		type: 'string',
		default: "={{ $json._cursor ?? '' }}",
		description:
			'Reads one batch per run of this node: up to "Limit" rows, starting where this cursor points. Every row has a _cursor that points to the next batch; in the last batch it is null. Without a cursor, the first batch is read.',
	},
	givenSchema,
);

/**
 * The start of the batch to read in this run; undefined if the option was not added: its value is
 * then the unevaluated default expression.
 */
export const batchCursor: Parameter<{ from: Cursor | undefined } | undefined> = {
	property: text.property,
	read: (raw) => (raw === text.property.default ? undefined : { from: text.read(raw) }),
};

/**
 * Undefined unless the user reads batches.
 * @throws InvalidInput for an unusable cursor, or that of another query
 */
export function batchOf(
	{ client, grid, parameter, option }: ItemContext & Pick<ChosenGrid, 'grid'>,
	query: EntitiesQuery,
	write: (entity: Entity) => object,
): { key: string; read: () => Promise<object[]> } | undefined {
	const batch = option(batchCursor);
	if (!batch) return undefined;
	if (parameter(returnAll))
		throw new InvalidInput(
			'"Batch Cursor" needs a batch size, but "Return All" is on',
			'Switch off "Return All" and enter the size of a batch in "Limit", or remove "Batch Cursor".',
		);
	const size = parameter(limit);
	const digest = hash('sha256', JSON.stringify([grid.address, query]), 'hex').slice(0, 16);
	if (batch.from && batch.from.query !== digest)
		throw new InvalidInput(
			'"Batch Cursor" is from another query: the grid, the view, the conditions or the sorting have changed',
			'Start again without a cursor. If a condition contains an expression such as $now, evaluate it once, before the first batch.',
		);
	const source = client.entities.listAs(grid, write, query);
	const read = async () => {
		const { items, end } = await readBatch(source, batch.from, size);
		const _cursor = end ? JSON.stringify({ ...end, query: digest } satisfies Cursor) : null;
		return items.map(({ kept }) => ({ ...kept, _cursor }));
	};
	return { key: JSON.stringify([digest, batch.from, size]), read };
}
