import { allows, type Role } from '../rules/access';

/** Kinds of representations with `_links`. */
export type RepresentationKind =
	| 'user'
	| 'accessKey'
	| 'space'
	| 'share'
	| 'grid'
	| 'virtualGrid'
	| 'discardedGrid'
	| 'field'
	| 'removedField'
	| 'entity'
	| 'deletedEntity'
	| 'form'
	| 'sview'
	| 'sviewShare'
	| 'link'
	| 'publicForm'
	| 'publicInput'
	| 'publicView'
	| 'publicRow'
	| 'publicSubmission'
	| 'publicEntity';

/** What access checks and links need to know about a route. */
export interface Linkable {
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Path with `:name` for each parameter. */
	readonly path: string;
	/** Required role; `open` needs no credentials. */
	readonly role: Role | 'open';
	/** Link name on each kind of representation. */
	readonly on: { readonly [K in RepresentationKind]?: string };
}

interface Link {
	readonly href: string;
	readonly method: string;
}
export type Links = Record<string, Link>;
export type Parameters = Readonly<Record<string, string>>;

/** Fills the parameters into a path. */
export function expandPath(path: string, parameters: Parameters): string {
	return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

/** Generates `_links` from the routes that the server guards, so the two cannot disagree. */
export class LinkTable {
	private readonly kinds = new Map<string, Array<{ rel: string; route: Linkable }>>();

	constructor(routes: readonly Linkable[]) {
		for (const route of routes) {
			for (const [kind, rel] of Object.entries(route.on)) {
				const list = this.kinds.get(kind) ?? [];
				list.push({ rel, route });
				this.kinds.set(kind, list);
			}
		}
	}

	/** Links of a resource for a role. @param parameters path parameters of the resource */
	linksOf(kind: RepresentationKind, role: Role | undefined, parameters: Parameters): Links {
		const links: Links = {};
		for (const { rel, route } of this.kinds.get(kind) ?? []) {
			if (route.role !== 'open' && !allows(role, route.role)) continue;
			links[rel] = { href: expandPath(route.path, parameters), method: route.method.toLowerCase() };
		}
		return links;
	}

	/**
	 * Like `linksOf`, for many resources that differ in one parameter: roles and the rest of the path
	 * are computed once.
	 * @param parameters common path parameters
	 * @param options the parameter that differs, at most once in each path, and the links
	 *   to include (all if omitted)
	 */
	prepareLinks(
		kind: RepresentationKind,
		role: Role | undefined,
		parameters: Parameters,
		{ differing, only }: { readonly differing: string; readonly only?: readonly string[] | undefined },
	): (value: string) => Links {
		const mark = '\u0000';
		const prepared = Object.entries(this.linksOf(kind, role, { ...parameters, [differing]: mark }))
			.filter(([rel]) => only?.includes(rel) ?? true)
			.map(([rel, link]) => {
				const [before = '', after] = link.href.split(encodeURIComponent(mark));
				return { rel, method: link.method, before, after };
			});
		return (value) => {
			const links: Links = {};
			const encoded = encodeURIComponent(value);
			for (const { rel, method, before, after } of prepared)
				links[rel] = { href: after === undefined ? before : before + encoded + after, method };
			return links;
		};
	}
}
