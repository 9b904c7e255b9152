import { z } from 'zod/v4';
import { numeric, parameter, type ReadParameter } from '../parameter';

export const returnAll = parameter(
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	z.boolean(),
);

export const limit = parameter(
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
	numeric.pipe(z.number().int().min(1)),
);

/** Maximum number of results that the user asked for. */
export function resultLimit(read: ReadParameter): number {
	return read(returnAll) ? Number.POSITIVE_INFINITY : read(limit);
}
