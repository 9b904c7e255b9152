import { z } from 'zod/v4';
import type { Grid } from './grids';
import { endpoints } from '../endpoints/endpoints';
import { partOfGrid } from '../endpoints/permission';
import { idSchema, resourceSchema } from '../hal/links';
import { listSource } from '../lists/listSource';
import { listOf } from '../lists/page';
import type { ListSource } from '../lists/readList';
import { jsonObject } from '../formats/json';
import { createdBy } from '../session/created';
import type { Created, Session } from '../session/session';
import { shareList, type Share } from './shares';

/** §4 Gaps: only the body of a stateful view is specified; other members are kept unchanged. */
export const statefulViewSchema = resourceSchema.extend({
	id: idSchema,
	name: z.string().optional().catch(undefined),
	displayValue: z.string().optional().catch(undefined),
	type: z.string().optional().catch(undefined),
	properties: jsonObject.optional().catch(undefined),
	slotProperties: jsonObject.optional().catch(undefined),
});
export type StatefulView = z.infer<typeof statefulViewSchema>;

/** §2.8 Stateful view body. */
export interface StatefulViewContent {
	/** For example kanban or calendar (§1). */
	type: string;
	properties: Record<string, unknown>;
	slotProperties: Record<string, unknown>;
}

const viewList = listOf(statefulViewSchema);
const jsonSchema = z.looseObject({});

/** Stateful views (§1): presentations of the entities of a grid or virtual grid. */
export class StatefulViews {
	constructor(private readonly session: Session) {}

	/** The stateful views of a grid (§4.4). @param nested with those of its virtual grids */
	list(grid: Grid, nested: boolean): ListSource<StatefulView> {
		return listSource(this.session, viewList, [endpoints.statefulViewList, grid], {
			query: { nested },
			identity: ({ id }) => id,
		});
	}

	/** One stateful view (§4.4). @throws NotFound */
	async get(grid: Grid, viewId: string): Promise<StatefulView> {
		const target = partOfGrid(grid, { sview: viewId });
		return await this.session.fetch(statefulViewSchema, endpoints.statefulViewGet, target);
	}

	/** Creates a stateful view (§4.4). @throws LinkMissing, BadRequest */
	async create(grid: Grid, content: StatefulViewContent): Promise<Created> {
		return await this.session.createAt(endpoints.statefulViewCreate, grid, { body: content });
	}

	/** Changes the given members of a stateful view (§4.4). @throws LinkMissing, BadRequest */
	async update(grid: Grid, view: StatefulView, change: Partial<StatefulViewContent>): Promise<void> {
		await this.session.follow(endpoints.statefulViewUpdate, viewTargetOf(grid, view), { body: change });
	}

	/** Deletes a stateful view (§4.4); the entities remain. @throws LinkMissing */
	async remove(grid: Grid, view: StatefulView): Promise<void> {
		await this.session.follow(endpoints.statefulViewDelete, viewTargetOf(grid, view));
	}

	/** The JSON schema of the entities of a stateful view (§4.4). */
	async schema(grid: Grid, view: StatefulView): Promise<z.infer<typeof jsonSchema>> {
		return await this.session.fetch(jsonSchema, endpoints.statefulViewSchema, viewTargetOf(grid, view));
	}

	/** The shares of a stateful view (§4.4). @throws Forbidden (§7) */
	shareList(grid: Grid, view: StatefulView): ListSource<Share> {
		const target = viewTargetOf(grid, view);
		return listSource(this.session, shareList, [endpoints.statefulViewShareList, target], {
			identity: (share) => String(share.id ?? JSON.stringify({ ...share, _links: undefined })),
		});
	}

	/**
	 * Shares a stateful view with a person (§4.4; the body is the same as for a space, §4.3).
	 * @returns address of the share, if the response contains it (§4 Gaps)
	 * @throws LinkMissing, BadRequest
	 */
	async share(
		grid: Grid,
		view: StatefulView,
		share: { email: string; role: string },
	): Promise<Created | undefined> {
		const target = viewTargetOf(grid, view);
		const response = await this.session.follow(endpoints.statefulViewShareCreate, target, { body: share });
		return await createdBy(this.session, response, 'share');
	}
}

const viewTargetOf = (grid: Grid, view: StatefulView) => partOfGrid(grid, { sview: view.id }, view);
