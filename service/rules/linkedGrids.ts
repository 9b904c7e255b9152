import { z } from 'zod/v4';
import type { Field } from './fieldTypes';

/**
 * The specification does not say to which grid a field links, so the page keeps it in the
 * properties of the field's grid (§2.4): `{ "linkedGrids": { [field id]: address of a grid } }`.
 */
const linkedGrids = z.looseObject({ linkedGrids: z.record(z.string(), z.unknown()) });

/** The ID of the grid whose rows a field links to; undefined if that is any grid. */
export function linkedGridId(properties: Record<string, unknown>, { id }: Field): string | undefined {
	const address = linkedGrids.safeParse(properties).data?.linkedGrids[id];
	return typeof address === 'string' ? address.split('/').at(-1) : undefined;
}
