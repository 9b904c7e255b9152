import type { Client, Grid } from '../../client';
import { endpoints } from '../../client/endpoints/endpoints';
import { pathOf } from '../../client/endpoints/paths';
import { post } from './makeGrid';

/**
 * Makes a public link as the page of the embedded service does; the specification shows no way.
 * @returns its path
 */
export async function makePublicLink(
	{ session }: Client,
	{ address }: Pick<Grid, 'address'>,
	body: { kind: 'form' | 'view' | 'edit'; protection?: string; [member: string]: unknown },
): Promise<string> {
	const href = `${pathOf(endpoints.gridGet, address)}/links`;
	return (await post(session, { href, body })).href;
}
