import { endpoints, SPECIFIED_LINKS, type Endpoint } from '../../../client/endpoints/endpoints';
import { allRoutes } from '../../../service/routes/all';

/** Client and service read the specification independently: their readings have to agree. */
const rows = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({ name, ...endpoint }));
const route = ({ method, path }: Endpoint) =>
	allRoutes.find((one) => one.method === method && one.path === path.replace(/\{(\w+)\}/g, ':$1'));

/** What the service calls a holder, where that differs. */
const KINDS = new Map<string, readonly string[]>([
	['publicLink', ['publicEntity', 'publicForm', 'publicView']],
	['statefulView', ['sview']],
	['view', ['virtualGrid']],
]);

it.each(rows)('$name: the service has $method $path for the role $role', (endpoint) => {
	const found = route(endpoint);
	expect(found).toBeDefined();
	// A public link has its own role (§5); /users/me accepts any credentials.
	if (endpoint.role === 'link') return;
	const isOpen = endpoint.role === 'none' || endpoint.path === '/api/users/me';
	expect(found?.role).toBe(isOpen ? 'open' : endpoint.role);
});

it.each(rows.filter(({ rels }) => rels.length > 0))(
	'$name: its links include the one of the service',
	(endpoint) => {
		const kinds: readonly string[] = KINDS.get(endpoint.on) ?? [endpoint.on];
		const links = Object.entries(route(endpoint)?.on ?? {});
		const [own] = links.flatMap(([kind, rel]) => (kinds.includes(kind) ? [rel] : []));
		expect(endpoint.rels).toContain(own);
	},
);

it.each(rows.filter(({ on }) => !['publicLink', 'service', 'user'].includes(on)))(
	'$name: needs a specified link exactly if it writes and has none of its own',
	({ name, needs, on, rels, role }) => {
		const isSpecified = SPECIFIED_LINKS[on]?.includes(rels[0] ?? '') === true && on !== 'entity';
		// No role is documented for it (§4.4).
		const isReadOnly = role === 'reader' || name === 'statefulViewShareList';
		const proofs = on === 'space' ? ['addGrid', 'shares'] : ['addEntity'];
		if (isSpecified || isReadOnly) expect(needs).toBeUndefined();
		else expect(proofs).toContain(needs);
	},
);

it.each(rows)(
	'$name: has a description, names of links, and another endpoint at the address beside it',
	(endpoint) => {
		const { action, beside, on, path, rels } = endpoint;
		expect(action).toMatch(/^[a-z]/);
		for (const rel of rels) expect(rel).toMatch(/^[a-z]/);
		if (beside === undefined) return;
		const neighbor = rows.find(
			(one) => one.on === on && one.path === path && (one.rels[0] ?? 'self') === beside,
		);
		expect(neighbor).toBeDefined();
	},
);

it('only POST creates, and what changes a grid or its columns invalidates cached grids', () => {
	for (const { creates, method, invalidates, name, on, role } of rows) {
		if (creates !== undefined) expect(method).toBe('POST');
		const isStructure = ['field', 'grid', 'view'].includes(on) && role === 'admin' && method !== 'GET';
		const addsView = on === 'grid' && creates !== undefined && creates !== 'field';
		const isOutdating = (isStructure && !addsView) || name === 'spaceDelete';
		expect([name, invalidates]).toEqual([name, isOutdating ? 'grid' : undefined]);
	}
});

it('each specified link is the first relation of exactly one endpoint', () => {
	for (const [on, rels] of Object.entries(SPECIFIED_LINKS))
		for (const rel of rels)
			expect(rows.filter((row) => row.on === on && row.rels[0] === rel)).toHaveLength(1);
});
