import type { Grid } from '../../../client';
import { representationRow } from '../../shared/rows/output';
import { fieldRow } from '../field/fieldRow';

/**
 * A grid or view as a row of output, with the ID of its space, because a grid's address contains
 * both (§4.4).
 */
export function gridRow({ address, fields, fieldIds, ...grid }: Grid, simple: boolean): object {
	return {
		...representationRow(grid, simple),
		spaceId: address.spaceId,
		...(fieldIds ? { fields: fieldIds } : {}),
		...(fields ? { fields: fields.map((field) => fieldRow(field, simple)) } : {}),
	};
}
