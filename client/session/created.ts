import { z } from 'zod/v4';
import { CreatedUnlocated, Forbidden } from '../errors';
import { jsonOf } from '../formats/json';
import { idSchema } from '../hal/links';
import { outcomeOf } from '../http/limiter';
import type { ResourceType } from '../endpoints/endpoints';
import { idInPath } from '../endpoints/paths';
import { resourceAt } from './resourceAt';
import { beginningOf, textOf, type ServiceResponse } from './responses';
import { ACCEPTED, SEE_OTHER, unknownOutcome } from './writeResult';

/** The address and id of a new resource. */
export interface Created {
	/** Its address on the service; empty if only its id is known. */
	href: string;
	/**
	 * Its id; null if neither its address nor the resource shows it to this identity.
	 */
	id: string | null;
}

/** The parts of a session needed here: sessions import this file. */
export interface Lookup {
	/** The absolute URL of an href, or the error that it causes. */
	tryResolve(href: string, document?: URL): URL | Error;
	/** Types of resources that this identity can create but not read. */
	readonly unreadable: Set<ResourceType | undefined>;
	send(call: { method: 'GET'; href: string }): Promise<ServiceResponse>;
}

const id = idSchema.optional().catch(undefined);
const identifiedSchema = z.looseObject({ id, _id: id });

/** §4: `Location`, or the text "Created <path>", in JSON or not. */
export function locationIn({ headers, body }: ServiceResponse): string | undefined {
	const { location } = headers;
	if (location !== undefined) return location;
	const text = textOf(body);
	const json = /^\s*"/.test(text) ? jsonOf(text) : text;
	return /^\s*Created\s+(\S+)/i.exec(typeof json === 'string' ? json : text)?.[1];
}

/**
 * The resource created by a POST whose response is not specified (§4 Gaps: share, invite, copy).
 * Undefined if the response has no usable address.
 */
export async function createdBy(
	session: Lookup,
	answer: ServiceResponse,
	type?: ResourceType,
): Promise<Created | undefined> {
	const href = locationIn(answer);
	const located = href === undefined ? undefined : session.tryResolve(href, answer.url);
	const address = located instanceof URL ? located : undefined;
	const id = idInBody(answer, type, address) ?? (address && (await idAt(session, address, type)));
	// The result may be anything, such as the list or the parent that now has the resource.
	const isOther = address && idInPath(type, address.pathname) === undefined && isDocumented(address);
	if (answer.status === SEE_OTHER && (id === undefined || isOther)) return undefined;
	if (address) return { href: address.pathname + address.search, id: id ?? null };
	return id === undefined ? undefined : { href: '', id };
}

const isDocumented = ({ pathname }: URL) => idInPath(undefined, pathname) !== undefined;

/**
 * The same for a creating POST, whose response is specified (§4).
 * @throws CreatedUnlocated if the response has no usable address; OutcomeUnknown if it does not
 * show that the resource exists
 */
export async function created(
	session: Lookup,
	answer: ServiceResponse,
	type?: ResourceType,
): Promise<Created> {
	const found = await createdBy(session, answer, type);
	await checkAccepted(session, answer, type);
	if (found) return found;
	if (answer.status === SEE_OTHER) throw unknownOutcome(answer);
	const href = locationIn(answer);
	const located = href === undefined ? undefined : session.tryResolve(href, answer.url);
	throw new CreatedUnlocated(
		located instanceof Error
			? located.message
			: `there is no Location header, and the body is ${beginningOf(answer) || 'empty'}`,
		answer.facts,
	);
}

/**
 * Checks that a resource exists whose creation was only accepted (202). Its `Location` may be that
 * of a task, so an address that is not documented must be that of a row.
 * @throws OutcomeUnknown if the resource cannot be read
 */
export async function checkAccepted(
	session: Lookup,
	answer: ServiceResponse,
	type: ResourceType | undefined,
): Promise<void> {
	if (answer.status !== ACCEPTED) return;
	const href = locationIn(answer);
	const address = href === undefined ? undefined : session.tryResolve(href, answer.url);
	if (!(address instanceof URL)) throw unknownOutcome(answer);
	const reading = await outcomeOf(resourceAt(session, address, type));
	const isThere =
		reading.state === 'done' && (type === 'entity' || idInPath(type, address.pathname) === reading.value.id);
	if (!isThere) throw unknownOutcome(answer);
}

/**
 * The id in a JSON body with the new resource. The id of a row is `_id`: its `id` may be the value
 * of a column (§2.1).
 */
function idInBody(
	{ body }: ServiceResponse,
	type: ResourceType | undefined,
	address: URL | undefined,
): string | undefined {
	const text = textOf(body);
	// Fast path: trying to parse a text such as "Created <path>" as JSON would dominate the run time.
	if (!/^\s*\{/.test(text)) return undefined;
	const { id, _id } = identifiedSchema.safeParse(jsonOf(text)).data ?? {};
	return type === 'entity' ? (_id ?? (address ? undefined : id)) : (id ?? _id);
}

/**
 * The id of the resource at an address: from a documented address, otherwise from the resource
 * itself (§1: addresses are opaque). If this identity may not read the first resource of a type
 * (role creator, §5), no other is tried.
 */
async function idAt(
	session: Lookup,
	address: URL,
	type: ResourceType | undefined,
): Promise<string | undefined> {
	const documented = idInPath(type, address.pathname);
	if (documented !== undefined || session.unreadable.has(type)) return documented;
	const outcome = await outcomeOf(resourceAt(session, address, type));
	if (outcome.state === 'done') return outcome.value.id;
	if (outcome.error instanceof Forbidden) session.unreadable.add(type);
	return undefined;
}
