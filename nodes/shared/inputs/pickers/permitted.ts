import { type Client, type Linked, permits } from '../../../../client';

/** Maximum number of resources that a list opens to check permissions; others are shown. */
const MAX_OPENED = 100;

type Summary = Linked & { _representation?: string | undefined };

/**
 * The resources on which this identity has a permission. A link in a summary proves the permission;
 * a missing link proves nothing, so the full resource is read (§1). A resource that cannot be
 * opened stays in the list.
 * @param rel the link that grants the permission
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
