import { z } from 'zod/v4';
import { NotFound } from '../errors';
import { fieldSchema } from './fields';
import { findLink, linkOf, pageSchema, resourceSchema, type Page } from '../hal/links';
import { multipart } from '../formats/multipart';
import { changeLink, likelyLink, type UnnamedLink } from '../endpoints/permission';
import { readPages, type Items } from '../session/paging';
import { paths, type GridAddress } from '../endpoints/paths';
import { Session, type Created } from '../session/session';
import type { Space, Spaces } from './spaces';
import type { Deliver } from '../http/transport';
import type { Users } from './users';

/** §2.4. `fields` is there only in version 2 of the representation (§9). */
export const gridSchema = resourceSchema.extend({
	id: z.string().min(1),
	name: z.string().catch(''),
	key: z.string().nullish().catch(null),
	type: z.string().optional().catch(undefined),
	fields: z.array(fieldSchema).optional().catch(undefined),
});

/** §2.8. */
export interface SymbolObject {
	name?: string | undefined;
	iconset?: string | undefined;
	color?: string | undefined;
}

/** What can be said of a grid (§4.4); the name has at most 80 characters, the key at most 25, both unique in the space. */
export interface GridChange {
	name?: string | undefined;
	key?: string | undefined;
	icon?: SymbolObject | undefined;
	properties?: Record<string, unknown> | undefined;
}

/** A grid with the ids that its documented addresses are spelled from. */
export type Grid = z.infer<typeof gridSchema> & { address: GridAddress };

/** How a user names a grid: by its ids (the space may be left out: it is then looked for). */
export interface GridReference {
	spaceId?: string | undefined;
	gridId: string;
}

const gridsPage = pageSchema(gridSchema);

export interface GridsQuery {
	/** `persistent` for grids, `virtual` for views (§4.4). */
	type?: 'persistent' | 'virtual';
	pageIndex?: number;
	pageSize?: number;
}

const gridJsonSchema = z.looseObject({});

/** A grid of which only the id is known is looked for in so many spaces at most: one request for each. */
const MOST_SPACES = 1000;

export class Grids {
	private readonly opened = new Map<string, Promise<Grid>>();

	constructor(
		private readonly session: Session,
		private readonly users: Users,
		private readonly spaces: Spaces,
	) {}

	/** One page of the grids of a space (§4.4), in summary form. */
	async page(space: Space, query: GridsQuery = {}): Promise<Page<Grid>> {
		const userId = (await this.users.me()).id;
		const link = findLink(space, 'grids');
		const page = await this.session.read(gridsPage, {
			method: 'GET',
			href: link?.href ?? paths.grids(userId, space.id),
			query: { ...query },
		});
		const items = page.items.map((grid) => ({
			...grid,
			address: { userId, spaceId: space.id, gridId: grid.id },
		}));
		return { ...page, items };
	}

	/** The grids of a space, up to `limit` of them (§4.4), in summary form. @throws what `page` throws */
	async many(space: Space, query: Pick<GridsQuery, 'type'>, limit = Infinity): Promise<Items<Grid>> {
		return await readPages({
			fetchPage: (pageIndex, pageSize) => this.page(space, { ...query, pageIndex, pageSize }),
			identity: ({ id }) => id,
			limiter: this.session.limiter,
			limit,
		});
	}

	/**
	 * A grid in full, with its fields where the service has version 2 (§4.4, §9). Opened once for each client: its links and
	 * fields hold for all items of one execution.
	 * @throws NotFound, Forbidden (§7)
	 */
	async open(reference: GridReference): Promise<Grid> {
		const key = `${reference.spaceId ?? ''}/${reference.gridId}`;
		const pending = this.opened.get(key) ?? this.read(reference);
		this.opened.set(key, pending);
		pending.catch(() => this.opened.delete(key));
		return await pending;
	}

	/**
	 * A grid of which this identity may read nothing (role creator, §5): it is known by its address, and all that can be tried is to add
	 * entities at the documented one (§4.5). Sends nothing that needs a right in the space.
	 */
	async unread({ spaceId, gridId }: { spaceId: string; gridId: string }): Promise<Grid> {
		const address = { userId: await this.users.id(), spaceId, gridId };
		const addEntity = { href: paths.entities(address), method: 'post' };
		const _links = new Map([['addEntity', addEntity]]);
		return { id: gridId, name: gridId, key: null, type: undefined, fields: [], _links, address };
	}

	/** Forgets what was opened: for operations that change a grid's columns. */
	forget(): void {
		this.opened.clear();
	}

	/**
	 * Creates a grid (§4.4) without columns. @param given.createView also creates a first view
	 * @throws LinkMissing where this identity may not, BadRequest where name or key are taken or too long (§8)
	 */
	async create(
		space: Space,
		given: GridChange & { name: string; createView?: boolean | undefined },
	): Promise<Created> {
		const link = linkOf(space, 'addGrid', `add grids to "${space.name}"`);
		return await this.session.create(Session.callOf(link, { body: given }, 'POST'), 'grid');
	}

	/**
	 * Creates a grid of a CSV file (§4.3 uploadCSV; the spec does not say how the file is sent: as a multipart form).
	 * @throws LinkMissing, BadRequest where the service cannot read the file or the name is taken
	 */
	async createFromCsv(
		space: Space,
		given: { name: string; key?: string | undefined },
		file: { name: string; content: Uint8Array },
	): Promise<Created> {
		const href = paths.uploadCsv((await this.users.me()).id, space.id);
		const operation: UnnamedLink = { rels: ['uploadCSV', 'uploadCsv', 'importCSV'], method: 'POST', href };
		const link = changeLink(space, findLink(space, 'addGrid'), operation, `add grids to "${space.name}"`);
		const content = multipart(
			{ name: given.name, ...(given.key === undefined ? {} : { key: given.key }) },
			{ field: 'file', type: 'text/csv', ...file },
		);
		return await this.session.create(Session.callOf(link, { content }, 'POST'), 'grid');
	}

	/** Changes what is given of a grid or view; the rest stays (§4.4 PATCH). @throws LinkMissing, BadRequest (§8) */
	async update(grid: Grid, change: GridChange): Promise<void> {
		const operation: UnnamedLink = {
			rels: ['update', 'edit'],
			method: 'PATCH',
			href: paths.grid(grid.address),
		};
		const link = changeLink(grid, findLink(grid, 'addEntity'), operation, `change "${grid.name}"`);
		await this.session.send(Session.callOf(link, { body: change }));
		this.forget();
	}

	/** Deletes a grid with all its entities, or a view (§4.4). @throws LinkMissing, Forbidden (§7) */
	async remove(grid: Grid): Promise<void> {
		const operation: UnnamedLink = {
			rels: ['remove', 'delete'],
			method: 'DELETE',
			href: paths.grid(grid.address),
		};
		await this.session.send(
			Session.callOf(changeLink(grid, findLink(grid, 'addEntity'), operation, `delete "${grid.name}"`)),
		);
		this.forget();
	}

	/** The JSON schema of a grid's entities (§4.4): which keys exist and which value each field allows. */
	async schema(grid: Grid): Promise<z.infer<typeof gridJsonSchema>> {
		const link = linkOf(grid, 'schema', `read the schema of "${grid.name}"`);
		return await this.session.read(gridJsonSchema, Session.callOf(link));
	}

	/**
	 * A grid as a CSV file; of a view, its filtered cut (§4.4).
	 * @param deliver takes the content as it arrives, over a transport that streams; `content` is empty then
	 * @returns the file and the name that the service gave it
	 */
	async csv(grid: Grid, deliver?: Deliver): Promise<{ content: Uint8Array; fileName: string | undefined }> {
		const operation: UnnamedLink = {
			rels: ['csv', 'exportCSV'],
			method: 'GET',
			href: paths.csv(grid.address),
		};
		const link = likelyLink(grid, operation);
		const accept = 'application/octet-stream, text/csv;q=0.9, */*;q=0.1';
		const call = Session.callOf(link, { accept, expect: 'binary', ...(deliver ? { deliver } : {}) });
		const { body, headers } = await this.session.send(call);
		const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
		const fileName = /filename="?([^";]+)"?/i.exec(headers['content-disposition'] ?? '')?.[1];
		return { content, fileName };
	}

	private async read(reference: GridReference): Promise<Grid> {
		const userId = await this.users.id();
		const spaceId = reference.spaceId ?? (await this.spaceOf(reference.gridId));
		const address = { userId, spaceId, gridId: reference.gridId };
		const grid = await this.session.read(gridSchema, { method: 'GET', href: paths.grid(address) });
		return { ...grid, address };
	}

	/** Looks through the spaces for the one that holds a grid: a grid's id alone does not make an address (§4.4). */
	private async spaceOf(gridId: string): Promise<string> {
		const { items } = await this.spaces.many(undefined, MOST_SPACES);
		for (const space of items) {
			const address = { userId: await this.users.id(), spaceId: space.id, gridId };
			const found = await this.session
				.read(gridSchema, { method: 'GET', href: paths.grid(address) })
				.catch((error: unknown) => (error instanceof NotFound ? undefined : Promise.reject(error)));
			if (found) return address.spaceId;
		}
		throw new NotFound({
			status: 404,
			serviceMessage:
				items.length < MOST_SPACES
					? `No space of this account has a grid with the id "${gridId}"`
					: `None of the first ${MOST_SPACES} spaces has a grid with the id "${gridId}": choose its space, too`,
		});
	}
}
