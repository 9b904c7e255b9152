import { endpoints, SPECIFIED_LINKS, type Endpoint } from '../../../client/endpoints/endpoints';
import { allRoutes } from '../../../service/routes/all';

/** Client and service read the specification independently: their readings have to agree. */
const rows = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({ name, ...endpoint }));
const route = ({ method, path }: Endpoint) =>
	allRoutes.find((one) => one.method === method && one.path === path.replace(/\{(\w+)\}/g, ':$1'));

it.each(rows)('$name: the service has $method $path for the role $role', (endpoint) => {
	const found = route(endpoint);
	expect(found).toBeDefined();
	// A public link has its own role (§5); /users/me accepts any credentials.
	if (endpoint.role === 'link') return;
	const isOpen = endpoint.role === 'none' || endpoint.path === '/api/users/me';
	expect(found?.role).toBe(isOpen ? 'open' : endpoint.role);
});

it('only POST creates, and only admin endpoints invalidate cached grids', () => {
	for (const { creates, method, invalidates, role } of rows) {
		if (creates !== undefined) expect(method).toBe('POST');
		if (invalidates !== undefined) expect(role).toBe('admin');
	}
});

it('each specified link is the first relation of exactly one endpoint', () => {
	for (const [on, rels] of Object.entries(SPECIFIED_LINKS))
		for (const rel of rels)
			expect(rows.filter((row) => row.on === on && row.rels[0] === rel)).toHaveLength(1);
});
