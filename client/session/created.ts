import { z } from 'zod/v4';
import { CreatedUnlocated, Forbidden } from '../errors';
import { jsonOf } from '../formats/json';
import { outcomeOf } from '../http/limiter';
import type { ResourceType } from '../endpoints/endpoints';
import { idInPath } from '../endpoints/paths';
import { resourceAt } from './resourceAt';
import { beginningOf, textOf, unknownOutcome, type ServiceResponse } from './responses';

/** The address and id of a new resource. */
export interface Created {
	/** Its address on the service; empty if only its id is known. */
	href: string;
	/** Its id; null if neither its address nor the resource shows it to this identity. */
	id: string | null;
}

/** The parts of a session needed here: sessions import this file. */
export interface CreatorSession {
	/** The absolute URL of an href, or the error that it causes. */
	tryResolve(href: string, document?: URL): URL | Error;
	/** Types of resources that this identity can create but not read. */
	readonly unreadable: Set<ResourceType | undefined>;
	send(call: { method: 'GET'; href: string }): Promise<ServiceResponse>;
}

/**
 * The resource created by a POST: 201 with its address as `Location` (§4). Its body says nothing
 * more.
 * @throws OutcomeUnknown for another status, CreatedUnlocated without a usable address
 */
export async function created(
	session: CreatorSession,
	answer: ServiceResponse,
	type?: ResourceType,
): Promise<Created> {
	if (answer.status !== 201) throw unknownOutcome(answer, '201');
	const address = addressIn(session, answer);
	if (address !== undefined && !(address instanceof Error)) return await createdAt(session, address, type);
	throw new CreatedUnlocated(
		address?.message ?? `there is no Location header, and the body is ${beginningOf(answer) || 'empty'}`,
		answer.facts,
	);
}

/**
 * The same for a POST whose response is not specified (§4 Gaps: share, invite, copy).
 * @returns undefined if the response shows neither an address nor an id
 */
export async function createdBy(
	session: CreatorSession,
	answer: ServiceResponse,
	type: ResourceType,
): Promise<Created | undefined> {
	const address = addressIn(session, answer);
	if (address !== undefined && !(address instanceof Error)) return await createdAt(session, address, type);
	const { id, _id } = identifiedSchema.safeParse(jsonOf(textOf(answer.body))).data ?? {};
	// The id of a row is `_id`: its `id` may be the value of a column (§2.1).
	const shownId = type === 'entity' ? _id : id;
	return shownId === undefined ? undefined : { href: '', id: shownId };
}

const id = z.string().min(1).optional().catch(undefined);
const identifiedSchema = z.looseObject({ id, _id: id });

type Address = Pick<URL, 'href' | 'pathname' | 'search'>;
const SEGMENT = /^\w[\w-]*$/;

/** The address in `Location`, absolute or from the root, or the error that it causes. */
function addressIn(session: CreatorSession, { headers, url }: ServiceResponse): Address | Error | undefined {
	const { location } = headers;
	// Most addresses add a segment to that of the request; parsing a URL takes longer than the rest.
	if (location?.startsWith(`${url.pathname}/`) && SEGMENT.test(location.slice(url.pathname.length + 1)))
		return { href: location, pathname: location, search: '' };
	return location ? session.tryResolve(location, url) : undefined;
}

/**
 * The id of the resource at an address: from a documented address, otherwise from the resource
 * itself (§1: addresses are opaque). If this identity may not read the first resource of a type
 * (role creator, §5), no other is tried.
 */
async function createdAt(
	session: CreatorSession,
	address: Address,
	type: ResourceType | undefined,
): Promise<Created> {
	const href = address.pathname + address.search;
	const id = idInPath(type, address.pathname);
	if (id !== undefined || session.unreadable.has(type)) return { href, id: id ?? null };
	const reading = await outcomeOf(resourceAt(session, address, type));
	if (reading.state === 'done') return { href, id: reading.value.id };
	if (reading.error instanceof Forbidden) session.unreadable.add(type);
	return { href, id: null };
}
