import { aspect, type Settings } from '../aspect';
import type { VariantRequest, VariantResponse } from '../exchange';

/** §7: 503 is declared for every endpoint; how long it lasts is not said. */
export const availability = aspect(
	'now and then 503 before anything is carried out, with and without Retry-After',
	{
		/** Each request of this number; 0: none. */
		every: [0, 4, 9],
		retryAfter: ['none', '0', '2'],
	},
);

/** What a request is refused with, if it is. @param number of the request, from 1 */
export function refusalOf(
	{ every, retryAfter }: Settings<typeof availability.dials>,
	_request: VariantRequest,
	number: number,
): VariantResponse | undefined {
	if (every === 0 || number % every !== 0) return undefined;
	const headers = retryAfter === 'none' ? {} : { 'retry-after': retryAfter };
	return { status: 503, headers, body: { kind: 'json', value: { status: 503, message: 'Busy' } } };
}
