import { rolesAllowed, roles, type Role } from '../../../service/access';
import { allRoutes } from '../../../service/routes/all';
import { Caller, makeGrid } from './http';
import { startWithPeople } from './people';

/** Somebody with a role in a space, and the role they hold; undefined for none. */
interface Person {
	readonly name: string;
	readonly caller: Caller;
	readonly role: Role | undefined;
}

let context: Awaited<ReturnType<typeof startWithPeople>>;
let people: Person[];
let space: string;

beforeAll(async () => {
	context = await startWithPeople();
	const { owner, home, service } = context;
	({ space } = await makeGrid(owner, { a: { name: 'string' } }));
	people = [{ name: 'nothing', caller: context.person('nothing').caller, role: undefined }];
	for (const role of roles) {
		const { caller, email } = context.person(role);
		await owner.create(`${space}/shares`, { email, role });
		people.push({ name: `a share as ${role}`, caller, role });
	}
	const { key, secret } = (await owner.post(`${home}/accessKeys`, { name: 'R', role: 'reader' })).json();
	const reading = Caller.basic(service.url, owner.userId, String(key), String(secret));
	people.push({ name: "the owner's key with the role reader", caller: reading, role: 'reader' });
	people.push({ name: 'the owner', caller: owner, role: 'admin' });
});
afterAll(() => context.end());

/** Of a resource that is not there: who may do it hears 404 or 400, and nothing is changed by trying. */
const routes = allRoutes.flatMap((route) => {
	const { role, path } = route;
	return role !== 'open' && path.includes('/spaces/:spaceId/') ? [{ ...route, role }] : [];
});

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
	'§4, §5, §7 %s: open to the roles of x-service-roles, 403 to everybody else',
	async (_, { method, path, role: needed }) => {
		const address = path
			.replace('/api/users/:userId/spaces/:spaceId', space)
			.replace(/:\w+/g, '000000000000000000000000');
		for (const { name, caller, role } of people) {
			const reply = await caller.send(method, address, method === 'GET' ? {} : { body: { unknown: 1 } });
			const allowed = role !== undefined && rolesAllowed[needed].includes(role);
			expect([name, reply.status === 403]).toEqual([name, !allowed]);
		}
	},
);

test('§5 the table above holds every endpoint of a space', () => {
	expect(routes.length).toBeGreaterThan(45);
});
