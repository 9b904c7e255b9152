import { LinkMissing } from '../errors';
import type { Link, Linked } from '../hal/links';
import type { Method } from '../http/transport';

/** An operation whose link name the spec omits: under which names its link may stand, and where §4 documents it. */
export interface UnnamedLink {
	/** Likely names, the likeliest first. */
	rels: readonly [string, ...string[]];
	method: Method;
	/** The documented address. */
	href: string;
}

/**
 * The link of an operation for which the spec names none: one under a likely name that has the documented method, else the
 * documented address.
 */
export function likelyLink(resource: Linked, operation: UnnamedLink): Link {
	return linkUnderLikelyName(resource, operation) ?? documented(operation);
}

/**
 * The same for a change of structure. A representation lists all that this identity may do (§1): where it has no likely name,
 * and not even the link that the spec names for adding to it, the identity only reads, and nothing is sent.
 * @param adding the `addEntity` of the grid, or the `addGrid` of the space, that the change is about
 * @param what the operation in the user's words, e.g. `add columns to "Orders"`
 * @throws LinkMissing
 */
export function changeLink(
	resource: Linked,
	adding: Link | undefined,
	operation: UnnamedLink,
	what: string,
): Link {
	const found = linkUnderLikelyName(resource, operation);
	if (found) return found;
	if (adding) return documented(operation);
	throw new LinkMissing(what, operation.rels[0], [...resource._links.keys()], 'admin');
}

function linkUnderLikelyName(resource: Linked, { rels, method }: UnnamedLink): Link | undefined {
	return rels
		.map((rel) => resource._links.get(rel))
		.find((link) => link && (link.method ?? 'get').toUpperCase() === method);
}

const documented = ({ href, method }: UnnamedLink): Link => ({ href, method });
