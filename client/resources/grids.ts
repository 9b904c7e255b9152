import { z } from 'zod/v4';
import { Forbidden, NotFound } from '../errors';
import { outcomeOf } from '../http/limiter';
import type { Cache } from '../session/cache';
import { fieldSchema } from './fields';
import { endpoints } from '../endpoints/endpoints';
import { pathOf, type GridAddress } from '../endpoints/paths';
import { isJsonObject } from '../formats/json';
import { multipart } from '../formats/multipart';
import { idSchema, resourceSchema } from '../hal/links';
import { listSource, mapped } from '../lists/listSource';
import { pagesOf } from '../lists/page';
import { readList, type ListSource } from '../lists/readList';
import type { Created, Session } from '../session/session';
import { spaceTarget, type Space, type Spaces, type SymbolObject } from './spaces';
import type { Deliver } from '../http/transport';

const idList = z.array(idSchema);

/**
 * §2.4. Only version 2 of the representation contains `fields` (§9). A view may list the ids of its
 * fields instead (§2.8), which become `fieldIds`.
 */
export const gridSchema = z.preprocess(
	(raw) => {
		const ids = isJsonObject(raw) ? idList.safeParse(raw['fields']).data : undefined;
		return isJsonObject(raw) && ids ? { ...raw, fieldIds: ids } : raw;
	},
	resourceSchema.extend({
		id: idSchema,
		name: z.string().catch(''),
		key: z.string().nullish().catch(null),
		type: z.string().optional().catch(undefined),
		fields: z.array(fieldSchema).optional().catch(undefined),
		fieldIds: idList.optional().catch(undefined),
	}),
);

/**
 * Changeable properties of a grid (§4.4). The name has at most 80 characters, the key at most 25;
 * both are unique in the space.
 */
export interface GridChange {
	name?: string | undefined;
	key?: string | undefined;
	icon?: SymbolObject | undefined;
	properties?: Record<string, unknown> | undefined;
}

/** A grid with the ids in its documented address. */
export type Grid = z.infer<typeof gridSchema> & { address: GridAddress };

/** Ids of a grid and its space. If the space is omitted, all spaces are searched for the grid. */
export interface GridReference {
	spaceId?: string | undefined;
	gridId: string;
}

const gridPages = pagesOf(gridSchema);

export interface GridsQuery {
	/** `persistent` for grids, `virtual` for views (§4.4). */
	type?: 'persistent' | 'virtual';
}

const gridJsonSchema = z.looseObject({});
/** Media types of a CSV file (§4.4), the documented one first. */
const ACCEPT_CSV = 'application/octet-stream, text/csv;q=0.9, */*;q=0.1';

/** Maximum number of spaces searched for a grid id, with one request each. */
const MAX_SPACES = 1000;

export class Grids {
	private readonly opened: Cache<Grid>;

	constructor(
		private readonly session: Session,
		private readonly spaces: Spaces,
	) {
		this.opened = session.cacheOf('grid');
	}

	/** The grids of a space (§4.4), in summary form. */
	list(space: Space, query: GridsQuery = {}): ListSource<Grid> {
		const identity = ({ id }: { id: string }) => id;
		const target = [endpoints.gridList, spaceTarget(space)] as const;
		const source = listSource(this.session, gridPages, target, { query: { ...query }, identity });
		return mapped(source, async (grids) => await this.located(grids, space), identity);
	}

	/**
	 * A grid in full, with its fields if the service supports version 2 (§4.4, §9). Requested once
	 * per client, until an operation changes it; the same object with and without the space.
	 * @throws NotFound, Forbidden (§7)
	 */
	async open({ spaceId, gridId }: GridReference): Promise<Grid> {
		return await this.opened.get(`${spaceId ?? ''}/${gridId}`, async () =>
			spaceId === undefined
				? await this.open({ spaceId: await this.spaceOf(gridId), gridId })
				: await this.read(spaceId, gridId),
		);
	}

	/** The same, read again: another client may have changed the grid since it was opened. */
	async reopen(reference: GridReference): Promise<Grid> {
		this.opened.forget(`${reference.spaceId ?? ''}/${reference.gridId}`);
		return await this.open(reference);
	}

	/**
	 * A grid that this identity may not read (role creator, §5): only its address is known, and only
	 * adding entities can be attempted (§4.5). Sends nothing to the grid.
	 */
	async unread({ spaceId, gridId }: { spaceId: string; gridId: string }): Promise<Grid> {
		const address = { userId: await this.session.currentUser.id(), spaceId, gridId };
		const addEntity = { href: pathOf(endpoints.entityCreate, address), method: 'post' };
		const _links = new Map([['addEntity', addEntity]]);
		return { id: gridId, name: gridId, key: null, type: undefined, fields: [], _links, address };
	}

	/**
	 * Creates a grid (§4.4) without columns.
	 * @param properties.createView also creates a first view
	 * @throws LinkMissing, BadRequest if name or key is in use or too long (§8)
	 */
	async create(
		space: Space,
		properties: GridChange & { name: string; createView?: boolean | undefined },
	): Promise<Created> {
		return await this.session.createAt(endpoints.gridCreate, spaceTarget(space), { body: properties });
	}

	/**
	 * Creates a grid from a CSV file (§4.3 uploadCSV). The encoding of the request is not specified;
	 * the file is sent as a multipart form.
	 * @throws LinkMissing, BadRequest if the service cannot read the file or the name is in use
	 */
	async createFromCsv(
		space: Space,
		given: { name: string; key?: string | undefined },
		file: { name: string; content: Uint8Array },
	): Promise<Created> {
		const content = multipart(
			{ name: given.name, ...(given.key === undefined ? {} : { key: given.key }) },
			{ field: 'file', type: 'text/csv', ...file },
		);
		return await this.session.createAt(endpoints.gridUpload, spaceTarget(space), { content });
	}

	/** Changes the given members of a grid or view (§4.4). @throws LinkMissing, BadRequest */
	async update(grid: Grid, change: GridChange): Promise<void> {
		await this.session.follow(endpoints.gridUpdate, grid, { body: change });
	}

	/** Deletes a grid with all its entities, or a view (§4.4). @throws LinkMissing, Forbidden (§7) */
	async remove(grid: Grid): Promise<void> {
		await this.session.follow(endpoints.gridDelete, grid);
	}

	/** The JSON schema of a grid's entities (§4.4): their keys and the values they allow. */
	async schema(grid: Grid): Promise<z.infer<typeof gridJsonSchema>> {
		return await this.session.fetch(gridJsonSchema, endpoints.gridSchema, grid);
	}

	/**
	 * A grid as a CSV file; for a view, its filtered rows (§4.4).
	 * @param deliver receives the content as it arrives if the transport can stream; `content` is
	 * then empty
	 * @returns the file and the name assigned by the service
	 */
	async csv(grid: Grid, deliver?: Deliver): Promise<{ content: Uint8Array; fileName: string | undefined }> {
		const { body, headers } = await this.session.follow(endpoints.gridExport, grid, {
			accept: ACCEPT_CSV,
			expect: 'binary',
			...(deliver ? { deliver } : {}),
		});
		const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
		const fileName = /filename="?([^";]+)"?/i.exec(headers['content-disposition'] ?? '')?.[1];
		return { content, fileName };
	}

	private async located(grids: Array<z.infer<typeof gridSchema>>, space: Space): Promise<Grid[]> {
		const userId = await this.session.currentUser.id();
		return grids.map((grid) => ({ ...grid, address: { userId, spaceId: space.id, gridId: grid.id } }));
	}

	private async read(spaceId: string, gridId: string): Promise<Grid> {
		const userId = await this.session.currentUser.id();
		const address = { userId, spaceId, gridId };
		return { ...(await this.session.fetch(gridSchema, endpoints.gridGet, { address })), address };
	}

	/** Searches the spaces for a grid, because its address contains the space (§4.4). */
	private async spaceOf(gridId: string): Promise<string> {
		const { items } = await readList(this.spaces.list(), { limit: MAX_SPACES });
		let closed: Forbidden | undefined;
		for (const { id: spaceId } of items) {
			const address = { spaceId, gridId };
			const reading = await outcomeOf(this.session.fetch(gridSchema, endpoints.gridGet, { address }));
			if (reading.state === 'done') return spaceId;
			// A space shared with the role creator is listed, but refuses everything that is read.
			if (reading.error instanceof Forbidden) closed ??= reading.error;
			else if (!(reading.error instanceof NotFound)) throw reading.error;
		}
		if (closed) throw closed;
		throw new NotFound({
			status: 404,
			serviceMessage:
				items.length < MAX_SPACES
					? `No space of this account has a grid with the ID "${gridId}"`
					: `None of the first ${MAX_SPACES} spaces has a grid with the ID "${gridId}": choose its space, too`,
		});
	}
}
