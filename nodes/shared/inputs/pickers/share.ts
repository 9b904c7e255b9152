import {
	type Client,
	emailsOf,
	InvalidInput,
	readList,
	type Share,
	shareId,
	type Space,
} from '../../../../client';
import type { Parameter } from '../parameter';
import { boardPicker } from './board';
import { chosen, locator, required } from './locators';
import { type ListRequest, type ListingPage, pagedSearch, listingPages } from './pagedList';
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

/** A share as an entry of a list, with the role and the state. */
function item(share: Share & { state?: 'invited' }): { name: string; value: string } {
	const id = shareId(share) ?? '';
	const people = emailsOf(share).join(', ') || id || 'Unknown person';
	const details = [share.role, share.state].filter((detail) => detail !== undefined).join(', ');
	return { name: details === '' ? people : `${people} (${details})`, value: id };
}

/** Begins the tokens of the pages of invitations, which follow the shares. */
const INVITATIONS = 'invitations ';

/** The shares of a space, then the open invitations of people without one. */
async function* sharesThenInvitations(
	client: Client,
	space: Space,
	{ filter, token = '' }: ListRequest,
): AsyncGenerator<ListingPage<Share & { state?: 'invited' }>> {
	const isInvited = token.startsWith(INVITATIONS);
	if (!isInvited)
		for await (const { items, next } of listingPages(client.shares.list(space), { filter, token }))
			yield { items, next: next ?? INVITATIONS };
	const page = isInvited ? token.slice(INVITATIONS.length) : undefined;
	const { items: listed } = await readList(client.shares.list(space));
	for await (const { items, next } of listingPages(client.shares.invitationList(space), {
		filter,
		token: page,
	})) {
		const others = items.filter((invitation) => !listed.some(isSamePerson(invitation)));
		yield {
			items: others.map((invitation) => ({ ...invitation, state: 'invited' })),
			next: next && `${INVITATIONS}${next}`,
		};
	}
}

/** The shares of the chosen space and the open invitations to it. */
export const searchShares = pagedSearch(['share'], async ({ client, context, request }) => {
	const space = await client.spaces.get(await parentPickerValue(context, client, sharedSpacePicker));
	return { pages: sharesThenInvitations(client, space, request), item };
});

/** The shares of the chosen board or calendar. */
export const searchBoardShares = pagedSearch(['share'], async ({ client, context, request }) => {
	const grid = await gridOrViewAbove(context, client);
	const view = await client.statefulViews.get(grid, await parentPickerValue(context, client, boardPicker));
	return { pages: listingPages(client.statefulViews.shareList(grid, view), request), item };
});
