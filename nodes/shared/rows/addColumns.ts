import type { Client, Field, Grid, NewField } from '../../../client';
import { PartlyDone } from './partlyDone';

export interface AddedColumn {
	id: string | undefined;
	name: string;
	key: string | undefined;
	type: string;
}

/**
 * Adds columns to a grid in sequence, to keep their order.
 * @param done what the error reports as done before adding columns
 * @throws LinkMissing before anything is sent; PartlyDone if the service refuses a column after
 *   others were added
 */
export async function addColumns(
	client: Client,
	grid: Grid,
	columns: readonly NewField[],
	done: string | undefined,
): Promise<AddedColumn[]> {
	const added: AddedColumn[] = [];
	for (const column of columns) {
		const id = await client.fields.add(grid, column).catch((error: unknown) => {
			const isFirst = added.length === 0 && done === undefined;
			return Promise.reject(isFirst ? error : partlyDone(done, added, column, error));
		});
		added.push({ id, name: column.name, key: column.key, type: column.type.name });
	}
	if (added.length === 0) return added;
	if (added.every(({ id }) => id !== undefined)) return added;
	const { spaceId, gridId } = grid.address;
	const fields = await client.fields.of(await client.grids.open({ spaceId, gridId }));
	// §2.5 does not say that names are unique.
	const present = new Set(grid.fields?.map(({ id }) => id));
	return completed(
		added,
		fields.filter(({ id }) => !present.has(id)),
	);
}

/** Adds ids that the service did not return; the last column with a name is the newest. */
function completed(added: readonly AddedColumn[], fields: readonly Field[]): AddedColumn[] {
	return added.map((column) => {
		const field =
			fields.find(({ id }) => id === column.id) ?? fields.findLast(({ name }) => name === column.name);
		return { ...column, id: column.id ?? field?.id, key: column.key ?? field?.key ?? undefined };
	});
}

function partlyDone(
	done: string | undefined,
	added: readonly AddedColumn[],
	failed: NewField,
	reason: unknown,
): PartlyDone {
	const names = added.map(({ name }) => `"${name}"`).join(', ');
	const present = added.length === 0 ? 'none of its columns' : `the columns ${names}`;
	return new PartlyDone(
		done === undefined ? `Added ${present}` : `${done}, with ${present}`,
		[`the column "${failed.name}"`, 'added'],
		reason,
		'Correct that column, then use the operation Add Missing of the resource Column, which adds only missing columns.',
	);
}
