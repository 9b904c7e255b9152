import { UnreadableResponse } from '../errors';
import { idSchema, resourceSchema } from '../hal/links';
import type { ResourceType } from '../endpoints/endpoints';
import { parseResponse, type ServiceResponse } from './responses';

const id = idSchema.optional().catch(undefined);
const identifiedSchema = resourceSchema.extend({ id, _id: id });

/**
 * Reads the resource at an opaque address: its id, and the addresses of its links.
 * @throws UnreadableResponse if it is not a resource of this type, and what `Session.send` throws
 */
export async function resourceAt(
	session: { send(call: { method: 'GET'; href: string }): Promise<ServiceResponse> },
	{ href }: Pick<URL, 'href'>,
	type: ResourceType | undefined,
): Promise<{ id: string; hrefs: string[] }> {
	const answer = await session.send({ method: 'GET', href });
	const { _links, ...resource } = parseResponse(identifiedSchema, answer);
	// The id of a row is `_id`: its `id` may be the value of a column (§2.1).
	const id = type === 'entity' ? resource._id : (resource.id ?? (type ? undefined : resource._id));
	if (id === undefined) throw new UnreadableResponse(`There is no ${type ?? 'resource'}`, answer.facts, '');
	return { id: id, hrefs: [...new Set([..._links.values()].map(({ href }) => href))] };
}
