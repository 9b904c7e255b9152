import { endpoints, type ResourceType } from '../endpoints/endpoints';
import { idInPath } from '../endpoints/paths';
import { Forbidden, OutcomeUnknown, statusError } from '../errors';
import { outcomeOf } from '../http/limiter';
import type { Method, TransportResponse } from '../http/transport';
import type { Call } from './call';
import type { ServiceResponse } from './responses';

/** The service may carry the request out later, or never (RFC 9110, 15.3.3). */
export const ACCEPTED = 202;
/** The result of the request is at `Location` (RFC 9110, 15.4.4). */
export const SEE_OTHER = 303;

/** The parts of a session needed here: sessions import this file. */
interface Lookup {
	tryResolve(href: string, document?: URL): URL | Error;
	send(call: Call): Promise<ServiceResponse>;
}

/** Whether a response to a write names the address of its result. */
export const namesResult = (method: Method, { status, headers }: TransportResponse): boolean =>
	method !== 'GET' && status === SEE_OTHER && Boolean(headers.location);

/** The outcome of a write whose response does not show it. */
export const unknownOutcome = ({ facts, headers }: Pick<ServiceResponse, 'facts' | 'headers'>) =>
	new OutcomeUnknown(statusError(facts, headers));

/**
 * Reads the result of a write from the address that its response names. A row that this identity
 * may create but not read (role creator, §5) is recognized by its documented address.
 * @param answer response with the status 303
 * @returns the result, with the facts and the `Location` of that response
 * @throws OutcomeUnknown if there is no result: the address may be that of a login page
 */
export async function resultOf(session: Lookup, answer: ServiceResponse): Promise<ServiceResponse> {
	const { status, facts } = answer;
	const place = session.tryResolve(answer.headers['location'] ?? '', answer.url);
	if (!(place instanceof URL)) throw unknownOutcome(answer);
	const reading = await outcomeOf(session.send({ method: 'GET', href: place.href, accept: '*/*' }));
	const isUnreadableRow =
		reading.state === 'failed' &&
		reading.error instanceof Forbidden &&
		facts.method === endpoints.entityCreate.method &&
		idInPath(ROW, place.pathname) !== undefined;
	if (reading.state === 'failed' && !isUnreadableRow) throw unknownOutcome(answer);
	const { body, headers, url } = reading.state === 'done' ? reading.value : { ...answer, body: '' };
	const location = place.pathname + place.search;
	return { status, headers: { ...headers, location }, body, url, redact: answer.redact, facts };
}

const ROW: ResourceType = 'entity';
