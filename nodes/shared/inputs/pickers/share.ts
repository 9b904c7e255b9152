import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Client } from '../../../../client';
import { InvalidInput } from '../../../../client/errors';
import { emailsOf, shareId, type Share } from '../../../../client/resources/shares';
import type { Parameter } from '../parameter';
import { chosen, locator, required } from './locators';
import { pagedList } from './pagedList';
import { parentPickerValue } from './pickedUrls';
import { sharedSpacePicker } from './space';
import { statefulViewPicker } from './statefulView';
import { gridOrViewAbove } from './view';

interface PersonPicker {
	displayName: string;
	name: string;
	searchMethod: string;
}

/** A share or invitation, shown by email address and role. */
const personPicker = ({ displayName, ...names }: PersonPicker): Parameter<string> => ({
	property: locator({
		...names,
		displayName,
		required: true,
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

export const invitationPicker = personPicker({
	displayName: 'Invitation',
	name: 'invitation',
	searchMethod: 'searchInvitations',
});

export const statefulViewSharePicker = personPicker({
	displayName: 'Share',
	name: 'share',
	searchMethod: 'searchStatefulViewShares',
});

/**
 * The chosen share among several, by id or email address.
 * @throws InvalidInput if none or several match
 */
export function chosenShare(shares: readonly Share[], text: string, { property }: Parameter<string>): Share {
	const { displayName } = property;
	const email = text.toLowerCase();
	const byId = shares.filter((share) => shareId(share) === text);
	const found = byId.length > 0 ? byId : shares.filter((share) => emailsOf(share).some(isSame(email)));
	const [share, ...others] = found;
	if (share && others.length === 0) return share;
	const what = displayName.toLowerCase();
	throw share
		? new InvalidInput(
				`"${displayName}": ${found.length} ${what}s have the email address "${text}"`,
				`Choose the ${what} by its ID.`,
			)
		: new InvalidInput(
				`"${displayName}" does not exist or was removed: "${text}"`,
				`Choose the ${what} from the list, or enter its email address.`,
			);
}

const isSame = (email: string) => (other: string) => other.toLowerCase() === email;

/** A share as an entry of a list. */
function item(share: Share): { name: string; value: string } {
	const id = shareId(share) ?? '';
	const people = emailsOf(share).join(', ') || id || 'Unknown person';
	return { name: share.role === undefined ? people : `${people} (${share.role})`, value: id };
}

const sharedSpace = async (context: ILoadOptionsFunctions, client: Client) =>
	await client.spaces.get(await parentPickerValue(context, client, sharedSpacePicker));

/** The shares of the chosen space. */
export async function searchShares(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await pagedList(this, { filter, token }, async (client, paging) => {
		const space = await sharedSpace(this, client);
		return { page: await client.shares.page(space, paging), item };
	});
}

/** The open invitations to the chosen space. */
export async function searchInvitations(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await pagedList(this, { filter, token }, async (client, paging) => {
		const space = await sharedSpace(this, client);
		return { page: await client.shares.invitationsPage(space, paging), item };
	});
}

/** The shares of the chosen stateful view. */
export async function searchStatefulViewShares(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await pagedList(this, { filter, token }, async (client, paging) => {
		const grid = await gridOrViewAbove(this, client);
		const view = await client.statefulViews.get(
			grid,
			await parentPickerValue(this, client, statefulViewPicker),
		);
		return { page: await client.statefulViews.sharesPage(grid, view, paging), item };
	});
}
