import type { Client } from '../../../../client';
import { permits } from '../../../../client/endpoints/permission';
import type { Linked } from '../../../../client/hal/links';

/**
 * Resources that a list opens at most to learn what may be
 * done with them; further ones are shown unasked.
 */
const MAX_OPENED = 100;

type Summary = Linked & { _representation?: string | undefined };

/**
 * Those of the resources of a list with which this identity may do something. A link of a summary
 * proves that it may; a missing one proves nothing, so the resource is opened in full (§1). One
 * that cannot be opened stays in the list: using it tells why.
 * @param rel the link that the specification names for it
 * @param open reads a resource in full
 */
export async function permitted<Resource extends Summary>(
	{ session: { limiter } }: Client,
	resources: readonly Resource[],
	rel: string,
	open: (resource: Resource) => Promise<Linked>,
): Promise<Resource[]> {
	const silent = resources.filter((resource) => permits(resource, rel) === undefined);
	const opened = silent.slice(0, MAX_OPENED);
	const { outcomes } = await limiter.run(opened, open);
	const lacking = new Set(
		opened.filter((_resource, index) => {
			const outcome = outcomes[index];
			return outcome?.state === 'done' && !outcome.value._links.has(rel);
		}),
	);
	return resources.filter((resource) => permits(resource, rel) !== false && !lacking.has(resource));
}
