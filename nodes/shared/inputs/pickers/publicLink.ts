import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Client } from '../../../../client';
import { InvalidInput } from '../../../../client/errors';
import type { PublicLink } from '../../../../client/resources/publicLinks';
import type { Parameter } from '../parameter';
import { chosen, locator, required } from './locators';
import { pagedList } from './pagedList';
import { gridOrViewAbove } from './view';

const LABEL = 'Public Link';

/** Targets of links, with the labels of "Link Target". */
const TARGETS = new Map([
	['form', 'Form'],
	['edit', 'One Row'],
	['view', 'Rows'],
]);

/** A public link, by its id or by the link itself. */
export const publicLinkPicker: Parameter<string> = {
	property: locator({
		displayName: LABEL,
		name: 'publicLink',
		required: true,
		description: 'The public link, shown by what it leads to',
		searchMethod: 'searchPublicLinks',
		urlPlaceholder: 'e.g. https://grids.example.com/api/a/u1/l1',
		idPlaceholder: 'e.g. {{ $json.id }}',
	}),
	read: (raw) => required(chosen(raw, LABEL), LABEL).text,
};

/** The chosen link among several. @throws InvalidInput if there is none */
export function chosenLink({ publicLinks }: Client, links: readonly PublicLink[], text: string): PublicLink {
	const found =
		links.find(({ id }) => id === text) ??
		links.find(({ href }) => href !== undefined && pathOf(publicLinks.urlOf(href)) === pathOf(text));
	if (found) return found;
	throw new InvalidInput(
		`"${LABEL}" does not exist or was deleted: "${text}"`,
		'Choose the public link from the list, or enter the link as it was shared.',
	);
}

/** A link may be shared under another host name. */
const pathOf = (link: string) => (URL.canParse(link) ? new URL(link).pathname : link);

const nameOf = (kind: PublicLink['kind']) => TARGETS.get(kind ?? '') ?? kind ?? 'Link';

/** The public links of the chosen grid or view. */
export async function searchPublicLinks(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await pagedList(this, { filter, token }, async (client, paging) => {
		const grid = await gridOrViewAbove(this, client);
		return {
			page: await client.publicLinks.page(grid, paging),
			item: ({ id, href, kind, role }: PublicLink) => ({
				name: [nameOf(kind), role && `(${role})`, '–', id ?? href].filter(Boolean).join(' '),
				value: id ?? href ?? '',
			}),
		};
	});
}
