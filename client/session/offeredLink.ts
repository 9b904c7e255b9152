import type { LinkOnlyOperation } from '../endpoints/offered';
import { NotOffered } from '../errors';
import { resourceSchema, type Link, type Linked } from '../hal/links';
import { parseResponse, type ServiceResponse } from './responses';

interface Sender {
	send(call: { method: 'GET'; href: string }): Promise<ServiceResponse>;
}

/**
 * The link of an operation without a documented address. Entries of a list may omit links (§2.1),
 * so the full representation is read if the entry lacks the link.
 * @throws NotOffered, and what `Session.send` throws
 */
export async function offeredLink(
	session: Sender,
	resource: Linked & { _representation?: string | undefined },
	operation: LinkOnlyOperation,
): Promise<Link> {
	const found = linkIn(resource, operation);
	if (found) return found;
	const self = resource._representation === 'full' ? undefined : resource._links.get('self');
	const full = self && parseResponse(resourceSchema, await session.send({ method: 'GET', href: self.href }));
	const link = full && linkIn(full, operation);
	if (link) return link;
	throw new NotOffered(operation.action);
}

/** A guessed name may belong to another operation, so the method must match. */
function linkIn({ _links }: Linked, { rels, method }: LinkOnlyOperation): Link | undefined {
	return rels.map((rel) => _links.get(rel)).find((link) => link?.method.toUpperCase() === method);
}
