import { z } from 'zod/v4';
import { offered } from '../endpoints/offered';
import { CreatedUnlocated } from '../errors';
import { idSchema, pageSchema, resourceSchema, type Page } from '../hal/links';
import { locationIn } from '../session/created';
import { offeredLink } from '../session/offeredLink';
import type { Items } from '../session/paging';
import { beginningOf } from '../session/responses';
import { Session } from '../session/session';
import type { Grid } from './grids';

const text = z.string().optional().catch(undefined);

/** §4 Gaps: the members of a public link are not specified; these are the embedded service's. */
const publicLinkSchema = resourceSchema.extend({
	id: idSchema.optional().catch(undefined),
	kind: text,
	href: text,
	role: text,
	protection: text,
});
export type PublicLink = z.infer<typeof publicLinkSchema>;

const linksPage = pageSchema(publicLinkSchema);

/** Target and protection of a link to create (§5). */
export interface NewPublicLink {
	kind: 'form' | 'view' | 'edit';
	formId?: string;
	entityId?: string;
	protection: 'none' | 'link' | 'internal';
	user?: string;
	password?: string;
}

/** Public links to a form, the rows of a grid or view, or one row (§4.6). */
export class PublicLinks {
	constructor(private readonly session: Session) {}

	/** One page of the links to a grid. @throws NotOffered, Forbidden (§7) */
	async page(grid: Grid, query: { pageIndex?: number; pageSize?: number } = {}): Promise<Page<PublicLink>> {
		const link = await offeredLink(this.session, grid, offered.linkList);
		return await this.session.read(linksPage, { method: 'GET', href: link.href, query });
	}

	/** The links to a grid, up to `limit` of them. @throws NotOffered, Forbidden (§7) */
	async many(grid: Grid, limit?: number): Promise<Items<PublicLink>> {
		const identity = (link: PublicLink) => link.id ?? link.href ?? JSON.stringify([...link._links]);
		return await this.session.pages(async (query) => await this.page(grid, query), { identity, limit });
	}

	/**
	 * Creates a link.
	 * @returns the link, as people open it
	 * @throws NotOffered, BadRequest, NotFound if the form or the row does not exist (§7)
	 */
	async create(grid: Grid, body: NewPublicLink): Promise<string> {
		const link = await offeredLink(this.session, grid, offered.linkCreate);
		const answer = await this.session.send({ ...Session.callOf(link), body });
		const href = locationIn(answer);
		if (href !== undefined) return this.urlOf(href, answer.url);
		throw new CreatedUnlocated(
			`there is no Location header, and the body is ${beginningOf(answer) || 'empty'}`,
			answer.facts,
		);
	}

	/** Deletes a link. @throws NotOffered, NotFound, Forbidden (§7) */
	async remove(link: PublicLink): Promise<void> {
		await this.session.send(Session.callOf(await offeredLink(this.session, link, offered.linkRemove)));
	}

	/** The URL of a link as people open it; its host may differ from that of the API. */
	urlOf(href: string, document?: URL): string {
		const url = this.session.tryResolve(href, document);
		if (url instanceof URL) return url.href;
		return URL.canParse(href) ? new URL(href).href : href;
	}
}
