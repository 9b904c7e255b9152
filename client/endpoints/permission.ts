import { LinkMissing } from '../errors';
import type { Link, Linked, Links } from '../hal/links';
import { SPECIFIED_LINKS, type Endpoint } from './endpoints';
import { pathOf, type Address } from './paths';

/** What an operation is performed on. */
export interface Target {
	/** Undefined if the resource was not read, so that only its address is known. */
	_links?: Links | undefined;
	_representation?: string | undefined;
	address?: Address | undefined;
	/** Name of the grid or space. */
	name?: string | undefined;
	/** Grid that the resource is a part of. */
	grid?: Target | undefined;
}

export type AddressedTarget = Target & { address: Address };

/** A part of a grid as a target. @param part its representation, if it was read */
export function partOfGrid(
	grid: { address: Address; name: string } & Linked,
	id: Address,
	part?: Linked & { _representation?: string | undefined },
): AddressedTarget {
	const { _links, _representation } = part ?? {};
	return { _links, _representation, address: { ...grid.address, ...id }, name: grid.name, grid };
}

/**
 * Whether links permit an operation for which the specification names one. Undefined for a summary
 * without the link: it may lack links that the full representation has (§2.1).
 */
export function permits(resource: Linked & { _representation?: string | undefined }, rel: string) {
	if (resource._links.has(rel)) return true;
	return resource._representation === 'full' ? false : undefined;
}

/**
 * The link of an operation: a link of the resource, otherwise a link with the documented address. A
 * representation lists exactly the permitted operations (§1), but the specification names few
 * links. So an operation without a link is not permitted if its link is specified, or if `needs` is
 * missing.
 * @returns undefined if only the documented path is left
 * @throws LinkMissing if the operation is not permitted
 */
export function permittedLink(endpoint: Endpoint, target: Target): Link | undefined {
	const [rel = ''] = endpoint.rels;
	const isSpecified = SPECIFIED_LINKS[endpoint.on]?.includes(rel) === true;
	for (const name of endpoint.rels) {
		const link = target._links?.get(name);
		// A guessed name may belong to another operation.
		if (link && (isSpecified || link.method.toUpperCase() === endpoint.method)) return link;
	}
	const holder = target.grid ?? target;
	const isRefused =
		(isSpecified && listsPermissions(target)) ||
		(endpoint.needs !== undefined && listsPermissions(holder) && !holder._links?.has(endpoint.needs));
	if (isRefused)
		throw new LinkMissing({
			action: actionOn(endpoint, target),
			rel,
			available: [...(target._links ?? holder._links ?? new Map<string, Link>()).keys()],
			role: endpoint.role,
		});
	const beside = endpoint.beside === undefined ? undefined : target._links?.get(endpoint.beside);
	return beside && { href: beside.href, method: endpoint.method };
}

/** The link of an operation, otherwise its documented path. @throws LinkMissing */
export function linkTo(endpoint: Endpoint, target: AddressedTarget): Link {
	return (
		permittedLink(endpoint, target) ?? { href: pathOf(endpoint, target.address), method: endpoint.method }
	);
}

const listsPermissions = ({ _links, _representation }: Target) =>
	_links !== undefined && _representation !== 'summary';

/** Describes an operation, e.g. `add columns to the grid "Orders"`. */
function actionOn({ action, on }: Endpoint, { name }: Target): string {
	return name === undefined ? action : `${action} the ${on === 'space' ? 'space' : 'grid'} "${name}"`;
}
