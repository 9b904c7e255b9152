import { z } from 'zod/v4';
import { endpoints } from '../endpoints/endpoints';
import { idInPath } from '../endpoints/paths';
import type { Target } from '../endpoints/permission';
import { OutcomeUnknown, SecretLost } from '../errors';
import { idSchema, resourceSchema } from '../hal/links';
import { listSource } from '../lists/listSource';
import { listOf } from '../lists/page';
import type { ListSource } from '../lists/readList';
import type { Session } from '../session/session';

/**
 * §2.8. Lists never contain the secret. `id` is not specified: it is taken from the key's address
 * (§4.2 `{keyId}`), otherwise it is the key.
 */
const accessKeySchema = resourceSchema
	.extend({
		id: idSchema.optional().catch(undefined),
		key: z.string().min(1),
		name: z.string().catch(''),
		role: z.string().optional().catch(undefined),
	})
	.transform((key) => ({
		...key,
		id: key.id ?? idIn(key._links.get('self')?.href) ?? key.key,
	}));
export type AccessKey = z.infer<typeof accessKeySchema>;

function idIn(href: string | undefined): string | undefined {
	return idInPath('accessKey', href?.split(/[?#{]/, 1)[0] ?? '');
}

const accessKeyList = listOf(accessKeySchema);

/** §4.2: the response to a creation, the only one that contains the secret. */
const newAccessKeySchema = z.looseObject({
	key: z.string().min(1),
	secret: z.string().min(1),
	name: z.string().optional(),
});
export type NewAccessKey = z.infer<typeof newAccessKeySchema>;

/** Keys for integrations (§4.2, §5). Each is valid in all spaces of the account. */
export class AccessKeys {
	constructor(private readonly session: Session) {}

	/** The account's keys. @throws Forbidden (§7) */
	list(): ListSource<AccessKey> {
		const endpoint = endpoints.accessKeyList;
		const identity = ({ id }: AccessKey) => id;
		return listSource(this.session, accessKeyList, [endpoint, async () => await this.owner()], { identity });
	}

	/**
	 * Creates a key. Only this response contains its secret (§5).
	 * @throws Forbidden, BadRequest for another role (§4.2), SecretLost
	 */
	async create(key: { name: string; role: 'reader' | 'admin' }): Promise<NewAccessKey> {
		const body = { body: key };
		const owner = await this.owner();
		return await this.session
			.fetch(newAccessKeySchema, endpoints.accessKeyCreate, owner, body)
			.catch((error: unknown) =>
				Promise.reject(error instanceof OutcomeUnknown ? new SecretLost(error.reason) : error),
			);
	}

	/** Deletes a key; it stops working at once. @throws NotFound, Forbidden (§7) */
	async remove(keyId: string): Promise<void> {
		await this.session.follow(endpoints.accessKeyDelete, { address: { keyId } });
	}

	private async owner(): Promise<Target> {
		const me = await this.session.currentUser.me();
		return { _links: me._links, address: { userId: me.id } };
	}
}
