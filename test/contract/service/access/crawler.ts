import { object, type Caller, type Json, last } from '../http';

interface Link {
	readonly rel: string;
	readonly href: string;
	readonly method: string;
}

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Links of a response at any depth: `_links`, and the `href` of resource list items (§2.8).
 */
function linksIn(part: unknown, parent = ''): Link[] {
	if (Array.isArray(part)) return part.flatMap((one) => linksIn(one, parent));
	if (!isObject(part)) return [];
	const own = Object.entries(isObject(part['_links']) ? part['_links'] : {}).map(([rel, link]) => {
		const { href, method } = object(link);
		return { rel: `${parent}/${rel}`, href: String(href), method: String(method) };
	});
	const listed =
		typeof part['href'] === 'string' && part['method'] === undefined
			? [{ rel: `${parent}/href`, href: part['href'], method: 'get' }]
			: [];
	const below = Object.entries(part).flatMap(([name, value]) =>
		name === '_links' ? [] : linksIn(value, name),
	);
	return [...own, ...listed, ...below];
}

const types =
	'block,entity,eventhook,externalHook,field,flow,flow activation,flow instance,flow node,form,formlink,grid,linkedGrid,node view,share,space,user,view,virtualGrid';

/** Queries to send to an address: the required parameters, and variants worth trying. */
function queriesFor(href: string): Array<Record<string, string>> {
	if (href.includes('?')) return [{}];
	if (href.endsWith('/updates')) return [{ since: '2020-01-01T00:00:00Z', pageSize: '7' }];
	if (href.endsWith('/resources')) return [{ types, pageSize: '7' }];
	if (href.endsWith('/entities')) return [{ pageSize: '2' }, { compose: 'false', filter: '{}' }];
	return [{}];
}

/** Result of resolving a link; `ok` if the caller may use it. */
export interface Followed {
	readonly from: string;
	readonly link: Link;
	readonly status: number;
	readonly ok: boolean;
}

/**
 * Follows every link of every response, beginning with `starts`. Writing links are sent an invalid
 * body, so they must respond with 400; deletions come last.
 * @param keep IDs that are not deleted, such as the caller's own share
 */
export async function crawl(
	caller: Caller,
	starts: readonly string[],
	keep: readonly string[] = [],
): Promise<Followed[]> {
	const followed: Followed[] = [];
	const seen = new Set<string>();
	const deletions = new Map<string, { from: string; link: Link }>();
	const queue: Array<{ from: string; link: Link }> = starts.map((href) => ({
		from: 'start',
		link: { rel: 'start', href, method: 'get' },
	}));
	for (let next = queue.shift(); next; next = queue.shift()) {
		const { from, link } = next;
		const key = `${link.method} ${link.href}`;
		if (seen.has(key)) continue;
		seen.add(key);
		if (link.method === 'delete' && keep.includes(last(link.href))) continue;
		if (link.method === 'delete') deletions.set(link.href, next);
		else if (link.method !== 'get') {
			const { status } = await caller.send(link.method.toUpperCase(), link.href, {
				body: { nonsense: true },
			});
			followed.push({ from, link, status, ok: status === 400 });
		} else {
			for (const query of queriesFor(link.href)) {
				const reply = await caller.get(link.href, Object.keys(query).length > 0 ? query : undefined);
				followed.push({ from, link, status: reply.status, ok: reply.status === 200 });
				if (reply.headers.get('content-type')?.startsWith('application/json') !== true) continue;
				for (const found of linksIn(JSON.parse(reply.text))) queue.push({ from: link.href, link: found });
			}
		}
	}
	followed.push(...(await remove(caller, [...deletions.values()])));
	return followed;
}

/**
 * Deletes the deepest addresses first, and at equal depth
 * those found last: views before their grid.
 */
async function remove(caller: Caller, all: ReadonlyArray<{ from: string; link: Link }>): Promise<Followed[]> {
	const followed: Followed[] = [];
	const deleted = new Set<string>();
	const depth = (href: string) => href.split('/').length;
	const deepestFirst = [...all].reverse().sort((a, b) => depth(b.link.href) - depth(a.link.href));
	for (const { from, link } of deepestFirst) {
		const id = last(link.href);
		const { status } = await caller.delete(link.href);
		// A row is linked below its grid and below each view, so it may already be deleted.
		followed.push({ from, link, status, ok: status === (deleted.has(id) ? 404 : 200) });
		deleted.add(id);
	}
	return followed;
}
