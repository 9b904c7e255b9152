import type { Client } from '../../client';
import { endpoints, type ResourceType } from '../../client/endpoints/endpoints';
import { pathOf } from '../../client/endpoints/paths';
import type { Field, NewField } from '../../client/resources/fields';
import type { Grid } from '../../client/resources/grids';
import type { Call } from '../../client/session/call';
import { created, type Created } from '../../client/session/created';
import type { Session } from '../../client/session/session';

/** ID of a new resource. @throws if the response has none; the embedded service always sends it */
export function newId({ id, href }: Created): string {
	if (id !== null) return id;
	throw new Error(`The new resource at ${href} has no ID`);
}

/** Sends a creating POST. @param type of the new resource; any documented one if omitted */
export async function post(
	session: Session,
	call: Omit<Call, 'method'>,
	type?: ResourceType,
): Promise<Created> {
	return await created(session, await session.send({ ...call, method: 'POST' }), type);
}

/** Creates a space. @returns its ID */
export async function makeSpace(client: Client, name: string): Promise<string> {
	return newId(await client.spaces.create({ name }));
}

/** The name of a type (§2.5), or the type with its properties. */
export type ColumnType = string | NewField['type'];

/**
 * Creates a grid.
 * @param columns types by column name
 * @returns the new grid, and its fields by name
 */
export async function makeGrid(
	client: Client,
	spaceId: string,
	name: string,
	columns: Readonly<Record<string, ColumnType>>,
): Promise<{ grid: Grid; fields: Map<string, Field> }> {
	const me = await client.session.currentUser.me();
	const href = pathOf(endpoints.gridCreate, { userId: me.id, spaceId });
	const gridId = newId(await post(client.session, { href, body: { name } }));
	const address = { userId: me.id, spaceId, gridId };
	for (const [column, type] of Object.entries(columns)) {
		const body = { name: column, type: typeof type === 'string' ? { name: type } : type };
		await post(client.session, { href: pathOf(endpoints.columnAdd, address), body });
	}
	return await openGrid(client, { spaceId, gridId });
}

/** Reads a grid, and its fields by name. */
export async function openGrid(
	client: Client,
	ids: { spaceId: string; gridId: string },
): Promise<{ grid: Grid; fields: Map<string, Field> }> {
	const grid = await client.grids.open(ids);
	const fields = await client.fields.of(grid);
	return { grid, fields: new Map(fields.map((field) => [field.name, field])) };
}
