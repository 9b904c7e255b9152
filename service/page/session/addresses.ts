import { addressOf, base } from './api';
import type { Link } from './schemas';

/** Addresses of the page: that of a grid, view or row is its address in the API, below `open/`. */
const PATTERN = /^open(\/api\/users\/[^/]+\/spaces\/[^/]+\/grids\/([^/?#]+))(\/entities\/[^/?#]+)?/;

/** The address of the page that shows what a link leads to. */
export const pageOf = ({ href }: Pick<Link, 'href'>) =>
	new URL(`open/${addressOf(href).href.slice(base.href.length)}`, base).href;

/** The address of the space of a grid. */
export const spaceOf = ({ _links }: { _links: { self: Link } }) =>
	_links.self.href.replace(/\/grids\/.*$/, '');

export const getLink = (href: string): Link => ({ href, method: 'get' });

/**
 * What the address of the page names: the id of a grid or view, with links to it and to a row.
 * @returns undefined if it names neither
 */
export function askedFor() {
	const [, grid, id, row] = PATTERN.exec(location.href.slice(base.href.length)) ?? [];
	if (grid === undefined || id === undefined) return undefined;
	return {
		id: decodeURIComponent(id),
		grid: getLink(grid),
		row: row === undefined ? undefined : getLink(grid + row),
	};
}

/** Shows an address without loading it. @param isNew whether Back returns to the present one */
export function setAddress(href: string, isNew: boolean) {
	if (location.href === href) return;
	if (isNew) history.pushState(null, '', href);
	else history.replaceState(null, '', href);
}
