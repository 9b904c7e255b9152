import { type ReadParameter, toggle, numberInput } from '../parameter';

export const returnAll = toggle({
	displayName: 'Return All',
	name: 'returnAll',
	description: 'Whether to return all results or only up to a given limit',
});

export const limit = numberInput({
	displayName: 'Limit',
	name: 'limit',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
});

/** Maximum number of results that the user asked for. */
export function resultLimit(read: ReadParameter): number {
	return read(returnAll) ? Number.POSITIVE_INFINITY : read(limit);
}
