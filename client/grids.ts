import { z } from 'zod/v4';
import { NotFound } from './errors';
import { fieldSchema } from './fields';
import { findLink, pageSchema, resourceSchema, type Page } from './hal';
import { paths, type GridAddress } from './paths';
import { Session } from './session';
import type { Space, Spaces } from './spaces';
import type { Users } from './users';

/** §2.4. `fields` is there only in version 2 of the representation (§9). */
export const gridSchema = resourceSchema.extend({
	id: z.string().min(1),
	name: z.string().catch(''),
	key: z.string().nullish().catch(null),
	type: z.string().optional().catch(undefined),
	fields: z.array(fieldSchema).optional().catch(undefined),
});

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

	/** Forgets what was opened: for operations that change a grid's columns. */
	forget(): void {
		this.opened.clear();
	}

	private async read(reference: GridReference): Promise<Grid> {
		const userId = (await this.users.me()).id;
		const spaceId = reference.spaceId ?? (await this.spaceOf(reference.gridId));
		const address = { userId, spaceId, gridId: reference.gridId };
		const grid = await this.session.read(gridSchema, { method: 'GET', href: paths.grid(address) });
		return { ...grid, address };
	}

	/** Looks through the spaces for the one that holds a grid: a grid's id alone does not make an address (§4.4). */
	private async spaceOf(gridId: string): Promise<string> {
		for (let pageIndex = 1, pages = 1; pageIndex <= pages; pageIndex++) {
			const spaces = await this.spaces.page({ pageIndex });
			pages = spaces.items.length === 0 ? 0 : (spaces.numberOfPages ?? 1);
			for (const space of spaces.items) {
				const address = { userId: (await this.users.me()).id, spaceId: space.id, gridId };
				const found = await this.session
					.read(gridSchema, { method: 'GET', href: paths.grid(address) })
					.catch((error: unknown) => (error instanceof NotFound ? undefined : Promise.reject(error)));
				if (found) return address.spaceId;
			}
		}
		throw new NotFound({
			status: 404,
			serviceMessage: `No space of this account has a grid with the id "${gridId}"`,
		});
	}
}
