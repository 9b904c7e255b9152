import { type Client, endpoints, type NewField, pathOf } from '../../../client';
import { isPicked, LINKED_GRID, linkedGridInput } from '../../shared/inputs/columns/linkedRows';
import { gridReferenceIn, pickedBy } from '../../shared/inputs/pickers/locators';
import { resolved } from '../../shared/inputs/pickers/resolvedPickers';

/** A type whose linked grid is still as it was entered. */
export type WantedType = NewField['type'] & { linkedGrid?: unknown };
export type WantedField = Omit<NewField, 'type'> & { type: WantedType };

/** A type with the grid whose rows it links, if one was entered. */
export const wantedType = (type: NewField['type'], linkedGrid: unknown): WantedType =>
	isPicked(linkedGrid) ? { ...type, linkedGrid } : type;

const picker = { property: linkedGridInput({ description: '' }) };

/**
 * Replaces linked grids by their addresses, as the member `grid` of the type: §2.5 leaves further
 * members open, and §2.9 shows an address as `uri`.
 * @param spaceId the space in which a key without the key of a space is looked up
 * @throws InvalidInput, NotFound if there is no such grid
 */
export async function withLinkedGrids(
	client: Client,
	columns: readonly WantedField[],
	spaceId: string | undefined,
): Promise<NewField[]> {
	const linked: NewField[] = [];
	for (const { type: wanted, ...column } of columns) {
		const { linkedGrid, ...type } = wanted;
		const grid = isPicked(linkedGrid) ? { grid: { uri: await addressOf(client, linkedGrid, spaceId) } } : {};
		linked.push({ ...column, type: { ...type, ...grid } });
	}
	return linked;
}

/** The address of a picked grid, or of one that JSON names by its key. */
async function addressOf(client: Client, linkedGrid: unknown, spaceId: string | undefined): Promise<string> {
	const picked = typeof linkedGrid === 'string' ? { mode: 'key', value: linkedGrid } : linkedGrid;
	const raw = await resolved(client, LINKED_GRID, picked, () => spaceId);
	const reference = gridReferenceIn(raw, LINKED_GRID.displayName);
	const opening = client.grids.open({ ...reference, spaceId: reference.spaceId ?? spaceId });
	const { address } = await pickedBy(picker, opening);
	return pathOf(endpoints.gridGet, { ...address, userId: await client.session.currentUser.id() });
}
