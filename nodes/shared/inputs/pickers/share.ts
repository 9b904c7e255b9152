import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { type Client, emailsOf, InvalidInput, type Share, shareId, readList } from '../../../../client';
import type { Parameter } from '../parameter';
import { boardPicker } from './board';
import { chosen, locator, required } from './locators';
import { pagedList, pagedSearch, type ListRequest } from './pagedList';
import { parentPickerValue } from './resolvedPickers';
import { sharedSpacePicker } from './space';
import { gridOrViewAbove } from './view';

interface PersonPicker {
	displayName: string;
	name: string;
	searchMethod: string;
}

/** A share or an open invitation, shown by email address and role. */
const personPicker = ({ displayName, ...names }: PersonPicker): Parameter<string> => ({
	property: locator({
		...names,
		displayName,
		description: `The ${displayName.toLowerCase()}, shown by its email address and role`,
		idPlaceholder: 'e.g. {{ $json.id }}',
		emailPlaceholder: 'e.g. nathan@example.com',
	}),
	read: (raw) => required(chosen(raw, displayName), displayName).text,
});

export const sharePicker = personPicker({
	displayName: 'Share',
	name: 'share',
	searchMethod: 'searchShares',
});

export const boardSharePicker = personPicker({
	displayName: 'Share',
	name: 'share',
	searchMethod: 'searchBoardShares',
});

/**
 * The chosen share among several, by id or email address.
 * @throws InvalidInput if none or several match, or if the match has other people, too
 */
export function chosenShare(shares: readonly Share[], text: string, { property }: Parameter<string>): Share {
	const { displayName } = property;
	const email = text.toLowerCase();
	const byId = shares.filter((share) => shareId(share) === text);
	const selected = byId.length > 0 ? byId : shares.filter((share) => emailsOf(share).some(isSame(email)));
	const [share, ...others] = selected;
	const what = displayName.toLowerCase();
	if (share && others.length === 0) {
		// §2.8: a share may have several people, and is removed as a whole.
		const more = byId.length > 0 ? [] : emailsOf(share).filter((one) => !isSame(email)(one));
		if (more.length === 0) return share;
		throw new InvalidInput(
			`"${displayName}": the ${what} of "${text}" also gives access to ${more.join(', ')}; nothing was changed`,
			`Choose the ${what} by its ID to remove it for all of them.`,
		);
	}
	throw share
		? new InvalidInput(
				`"${displayName}": ${selected.length} ${what}s have the email address "${text}"`,
				`Choose the ${what} by its ID.`,
			)
		: new InvalidInput(
				`"${displayName}" does not exist or was removed: "${text}"`,
				`Choose the ${what} from the list, or enter its email address.`,
			);
}

export const isSamePerson = (share: Share) => (other: Share) =>
	(shareId(share) !== undefined && shareId(share) === shareId(other)) ||
	emailsOf(share).some((email) => emailsOf(other).some(isSame(email.toLowerCase())));

const isSame = (email: string) => (other: string) => other.toLowerCase() === email;

/** A share as an entry of a list. @param state what else to tell, besides the role */
function item(share: Share, state?: string): { name: string; value: string } {
	const id = shareId(share) ?? '';
	const people = emailsOf(share).join(', ') || id || 'Unknown person';
	const details = [share.role, state].filter((detail) => detail !== undefined).join(', ');
	return { name: details === '' ? people : `${people} (${details})`, value: id };
}

const sharedSpace = async (context: ILoadOptionsFunctions, client: Client) =>
	await client.spaces.get(await parentPickerValue(context, client, sharedSpacePicker));

/** Begins the tokens of the pages of invitations, which follow the shares. */
const INVITATIONS = 'invitations ';

/** The shares of the chosen space, then the open invitations to it. */
export async function searchShares(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	const isInvited = token?.startsWith(INVITATIONS) === true;
	const shares = isInvited ? { results: [] } : await sharesIn(this, { filter, token, of: ['share'] });
	if (shares.paginationToken !== undefined) return shares;
	const page = isInvited ? token.slice(INVITATIONS.length) : undefined;
	const { results, paginationToken: next } = await pagedList(
		this,
		{ filter, token: page, of: ['share'] },
		async (client) => {
			const space = await sharedSpace(this, client);
			const { items: listed } = await readList(client.shares.list(space));
			return {
				source: client.shares.invitationList(space),
				item: (invitation: Share) =>
					listed.some(isSamePerson(invitation)) ? LISTED : item(invitation, 'invited'),
			};
		},
	);
	const all = [...shares.results, ...results.filter(({ name }) => name !== LISTED.name)];
	return next === undefined
		? { results: all }
		: { results: all, paginationToken: `${INVITATIONS}${String(next)}` };
}

/** Stands for the invitation of a person whose share is in the list. */
const LISTED = { name: '', value: '' };

async function sharesIn(
	context: ILoadOptionsFunctions,
	request: ListRequest,
): Promise<INodeListSearchResult> {
	return await pagedList(context, request, async (client) => ({
		source: client.shares.list(await sharedSpace(context, client)),
		item: (share: Share) => item(share),
	}));
}

/** The shares of the chosen board or calendar. */
export const searchBoardShares = pagedSearch(['share'], async (client, context) => {
	const grid = await gridOrViewAbove(context, client);
	const view = await client.statefulViews.get(grid, await parentPickerValue(context, client, boardPicker));
	return { source: client.statefulViews.shareList(grid, view), item: (share: Share) => item(share) };
});
