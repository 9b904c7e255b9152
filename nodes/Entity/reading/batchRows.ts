import { type EntitiesQuery, type Entity, InvalidInput, readBatch } from '../../../client';
import { returnAll, limit } from '../../shared/inputs/selection/paging';
import type { ItemContext } from '../../shared/runner/context';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { batchCursor, cursorText, queryDigest, refuseOtherQuery } from './cursor';

/**
 * The rows of one batch.
 * @returns undefined unless the user reads batches
 * @throws InvalidInput for a cursor that cannot be used
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
	const digest = queryDigest([grid.address, query]);
	refuseOtherQuery(batch.from, digest);
	const source = client.entities.listAs(grid, write, query);
	const read = async () => {
		const { items, end } = await readBatch(source, batch.from, size);
		const _cursor = cursorText(end, digest);
		return items.map(({ kept }) => ({ ...kept, _cursor }));
	};
	return { key: JSON.stringify([digest, batch.from, size]), read };
}
