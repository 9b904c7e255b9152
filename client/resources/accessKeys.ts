import { z } from 'zod/v4';
import { findLink, pageSchema, resourceSchema, type Page } from '../hal/links';
import { readPages, type Items } from '../session/paging';
import { idInPath, paths } from '../endpoints/paths';
import { likelyLink } from '../endpoints/permission';
import { Session } from '../session/session';
import type { Users } from './users';

/** §2.8. The secret is never in a list. `id` is not in the spec: the id in the key's address (§4.2 `{keyId}`), else the key. */
export const accessKeySchema = resourceSchema
	.extend({
		id: z.string().min(1).optional().catch(undefined),
		key: z.string().optional().catch(undefined),
		name: z.string().catch(''),
		role: z.string().optional().catch(undefined),
	})
	.transform((key) => ({
		...key,
		id: key.id ?? idIn(key._links.get('self')?.href) ?? key.key ?? '',
	}));
export type AccessKey = z.infer<typeof accessKeySchema>;

function idIn(href: string | undefined): string | undefined {
	return idInPath('accessKey', href?.split(/[?#{]/, 1)[0] ?? '');
}

const accessKeysPage = pageSchema(accessKeySchema);

/** §4.2: what the creation answers, and the only time that the secret is told. */
const newAccessKeySchema = z.looseObject({
	key: z.string().min(1),
	secret: z.string().min(1),
	name: z.string().optional(),
});
export type NewAccessKey = z.infer<typeof newAccessKeySchema>;

/** Keys for integrations (§4.2, §5): each holds in all spaces of the account. */
export class AccessKeys {
	constructor(
		private readonly session: Session,
		private readonly users: Users,
	) {}

	/** One page of the account's keys. @throws Forbidden (§7) */
	async page(query: { pageIndex?: number; pageSize?: number } = {}): Promise<Page<AccessKey>> {
		const me = await this.users.me();
		const href = findLink(me, 'accessKeys')?.href ?? paths.accessKeys(me.id);
		return await this.session.read(accessKeysPage, { method: 'GET', href, query });
	}

	/** The account's keys, up to `limit` of them. @throws Forbidden (§7) */
	async many(limit?: number): Promise<Items<AccessKey>> {
		return await readPages({
			fetchPage: async (pageIndex, pageSize) => await this.page({ pageIndex, pageSize }),
			identity: ({ id }) => id,
			limiter: this.session.limiter,
			limit,
		});
	}

	/** Makes a key. The answer holds its secret, which nobody can ask for again (§5). @throws Forbidden, BadRequest for another role (§4.2) */
	async create(given: { name: string; role: 'reader' | 'admin' }): Promise<NewAccessKey> {
		const me = await this.users.me();
		const link = likelyLink(me, {
			rels: ['addAccessKey', 'createAccessKey'],
			method: 'POST',
			href: findLink(me, 'accessKeys')?.href ?? paths.accessKeys(me.id),
		});
		return await this.session.read(newAccessKeySchema, Session.callOf(link, { body: given }));
	}

	/** Deletes a key; whoever uses it is locked out at once. @throws NotFound, Forbidden (§7) */
	async remove(keyId: string): Promise<void> {
		await this.session.send({ method: 'DELETE', href: paths.accessKey(await this.users.id(), keyId) });
	}
}
