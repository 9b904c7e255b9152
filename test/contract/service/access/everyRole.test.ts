import { roles, type Role } from '../../../../service/rules/access';
import { allRoutes } from '../../../../service/routes/all';
import { type Caller, makeGrid, object, last } from '../http';
import { testPeople } from '../people';

/**
 * The role that §4 and §5 require, written by hand: "reads reader, data changes writer, structure
 * changes and share admin; creator may only create entities". Addresses without a section are this
 * service's own (service/README.md).
 */
const USER = `
reader  GET     /spaces                               §4.3
admin   POST    /spaces                               §4.3
reader  GET                                           §4.2
admin   PATCH
admin   GET     /accessKeys                           §4.2
admin   POST    /accessKeys                           §4.2
admin   GET     /accessKeys/:keyId                    §4, Location of a key
admin   DELETE  /accessKeys/:keyId                    §4.2
admin   PUT     /password`;
const SPACE = `
reader  GET                                           §4.3
admin   PATCH                                         §4.3
admin   DELETE                                        §4.3
reader  POST    /copy                                 §4.3
reader  GET     /resources                            §4.3
reader  GET     /people
admin   GET     /shares                               §4.3
admin   POST    /shares                               §4.3
admin   GET     /shares/:shareId                      §4, Location of a share
admin   DELETE  /shares/:shareId                      §4, Location of a share
admin   POST    /shares/:shareId/joinLink
admin   POST    /invite                               §4.3
admin   GET     /invitations                          §4.3
admin   POST    /uploadCSV                            §4.3
reader  GET     /grids                                §4.4
admin   POST    /grids                                §4.4
reader  GET     /grids/:gridId                        §4.4
admin   PATCH   /grids/:gridId                        §4.4
admin   DELETE  /grids/:gridId                        §4.4
admin   POST    /grids/:gridId/discard
admin   GET     /discardedGrids
admin   POST    /discardedGrids/:gridId/restore
reader  GET     /grids/:gridId/schema                 §4.4
admin   POST    /grids/:gridId/ColumnAdd              §4.4
admin   POST    /grids/:gridId/ColumnRename           §4.4
admin   POST    /grids/:gridId/ColumnTypeChange       §4.4
admin   POST    /grids/:gridId/ColumnKeyChange        §4.4
admin   POST    /grids/:gridId/ColumnRemove           §4.4
admin   GET     /grids/:gridId/removedFields
admin   POST    /grids/:gridId/removedFields/:fieldId/restore
reader  GET     /grids/:gridId/fields/:fieldId        §4.4
admin   PATCH   /grids/:gridId/fields/:fieldId        §4.4
creator POST    /grids/:gridId/readCSV
reader  GET     /grids/:gridId/virtualgrids           §4.4
admin   POST    /grids/:gridId/virtualgrids           §4.4
admin   PUT     /grids/:gridId                        §4.4, a virtual grid
admin   POST    /grids/:gridId/FilterChange           §4.4
reader  GET     /grids/:gridId/sviews                 §4.4
admin   POST    /grids/:gridId/sviews                 §4.4
reader  GET     /grids/:gridId/sviews/:sview          §4.4
admin   PATCH   /grids/:gridId/sviews/:sview          §4.4
admin   DELETE  /grids/:gridId/sviews/:sview          §4.4
reader  GET     /grids/:gridId/sviews/:sview/schema   §4.4
admin   GET     /grids/:gridId/sviews/:sview/shares   §4.4
admin   POST    /grids/:gridId/sviews/:sview/shares   §4.4
admin   GET     /grids/:gridId/sviews/:sview/shares/:shareId     §4, Location of a share
admin   DELETE  /grids/:gridId/sviews/:sview/shares/:shareId     §4, Location of a share
reader  GET     /grids/:gridId/forms                  §4.4
reader  GET     /grids/:gridId/forms/:formId          §4.4
creator POST    /grids/:gridId/forms/:formId          §4.4
reader  GET     /grids/:gridId/csv                    §4.4
reader  GET     /grids/:gridId/updates                §4.4
reader  GET     /grids/:gridId/query                  §4.4
reader  GET     /grids/:gridId/entities               §4.5
creator POST    /grids/:gridId/entities               §4.5
reader  GET     /grids/:gridId/entities/:entityId     §4.5
writer  PUT     /grids/:gridId/entities/:entityId     §4.5
writer  POST    /grids/:gridId/entities/:entityId/update         §4.5
writer  DELETE  /grids/:gridId/entities/:entityId     §4.5
writer  POST    /grids/:gridId/entities/:entityId/restore
reader  GET     /grids/:gridId/entities/:entityId/events         §4.5
admin   GET     /grids/:gridId/links
admin   POST    /grids/:gridId/links
admin   DELETE  /grids/:gridId/links/:linkId`;
/** Open without credentials (§5), except `users/me`; public links have their own role. */
const OPEN = [
	'GET /api/types',
	'GET /api/nodeTypes',
	'GET /api/blocks',
	'GET /api/version',
	'GET /api/health',
	'GET /api/openapi.json',
	'GET /api/users/me',
	'POST /api/login',
	'POST /api/logout',
	'GET /api/join/:token',
	'POST /api/join/:token',
	'GET /api/a/:userId/:linkId',
	'POST /api/a/:userId/:linkId',
	'GET /api/a/:userId/:linkId/entities',
	'GET /api/a/:userId/:linkId/entities/:entityId',
	'GET /api/a/:userId/:linkId/inputs/:fieldId/rows',
	'GET /api/a/:userId/:linkId/names',
	'GET /api/r/:userId/:linkId',
	'GET /api/r/:userId/:linkId/names',
	'PUT /api/r/:userId/:linkId',
	'GET /api/r/:userId/:linkId/schema',
];

/** Roles that satisfy each required role (§5), written by hand. */
const ALLOWED_ROLES: Readonly<Record<string, readonly string[]>> = {
	reader: ['reader', 'writer', 'admin'],
	creator: ['creator', 'writer', 'admin'],
	writer: ['writer', 'admin'],
	admin: ['admin'],
};

interface Row {
	readonly needed: string;
	readonly method: string;
	readonly path: string;
}

const rowsOf = (table: string, prefix: string): Row[] =>
	table
		.trim()
		.split('\n')
		.map((line) => {
			const [needed = '', method = '', path = ''] = line.split(/\s+/);
			return { needed, method, path: prefix + (path.startsWith('/') ? path : '') };
		});

const userRows = rowsOf(USER, '/api/users/:userId');
const spaceRows = rowsOf(SPACE, '/api/users/:userId/spaces/:spaceId');
const named = (rows: readonly Row[]) => rows.map((row) => [`${row.method} ${row.path}`, row] as const);

/** A caller and its role; undefined for none. */
interface Person {
	readonly name: string;
	readonly caller: Caller;
	readonly role: Role | undefined;
}

const context = testPeople();
let people: Person[];
let accounts: Person[];
let stranger: Person;
let nobody: Person;
let space: string;
let grid: string;
let row: string;

beforeAll(async () => {
	const { owner } = context;
	({ space, grid } = await makeGrid(owner, { a: { name: 'string' } }));
	row = last(await owner.create(`${grid}/entities`, { fields: ['x'] }));
	stranger = {
		name: 'an account without a role',
		caller: context.person('nothing').caller,
		role: undefined,
	};
	const { caller: reading } = await owner.newKey('reader');
	const reader = { name: "the owner's key with the role reader", caller: reading, role: 'reader' } as const;
	accounts = [stranger, reader, { name: 'the owner', caller: owner, role: 'admin' }];
	people = [...accounts];
	nobody = { name: 'a caller without credentials', caller: context.anonymous, role: undefined };
	for (const role of roles) {
		const { caller, email } = context.person(role);
		await owner.create(`${space}/shares`, { email, role });
		const { caller: limited } = await caller.newKey('reader');
		const withinKey = role === 'creator' ? undefined : 'reader';
		people.push({ name: `a share as ${role}`, caller, role });
		people.push({ name: `a share as ${role}, by a key as reader`, caller: limited, role: withinKey });
		// A role in a space grants nothing on the account of its owner.
		accounts.push({ name: `a share as ${role}`, caller, role: undefined });
	}
});

const send = async ({ caller }: Person, method: string, address: string) =>
	(await caller.send(method, address, method === 'GET' ? {} : { body: { unknown: 1 } })).status;

/** The address of a resource that does not exist, in the space of the owner. */
const addressOf = (path: string) =>
	path
		.replace('/api/users/:userId/spaces/:spaceId', space)
		.replace(':userId', context.owner.userId)
		.replace(/:\w+/g, '000000000000000000000000');

/**
 * Returns the names of the callers that get 403. The addressed resource does not exist, so
 * permitted callers get 400 or 404 and nothing changes.
 */
async function refusals({ method, path }: Row, callers: readonly Person[]): Promise<string[]> {
	const address = addressOf(path);
	expect(await send(nobody, method, address)).toBe(401);
	const refused: string[] = [];
	for (const person of callers) {
		const { name, role } = person;
		// Would delete the space that the other cases need; a separate test covers it.
		if (method === 'DELETE' && address === space && role === 'admin') continue;
		const status = await send(person, method, address);
		expect([name, [200, 400, 403, 404]]).toEqual([name, expect.arrayContaining([status])]);
		if (status === 403) refused.push(name);
	}
	return refused;
}

const expected = (needed: string, callers: readonly Person[]) =>
	callers
		.filter(({ role }) => role === undefined || !ALLOWED_ROLES[needed]?.includes(role))
		.map(({ name }) => name);

test.each(named(spaceRows))(
	'§4, §5, §7 %s: allowed for the roles in the specification, 403 for all others, 401 for nobody',
	async (_, row) => {
		expect(await refusals(row, people)).toEqual(expected(row.needed, people));
		const ownAddress = addressOf(row.path).replace(context.owner.userId, stranger.caller.userId);
		expect([403, 404]).toContain(await send(stranger, row.method, ownAddress));
	},
);

/** An invalid body gets 403 without the role and 400 with it, so no case creates a space. */
test.each(named(userRows))(
	'§4, §5, §7 %s: allowed for the account within the role of its key, 403 for all others, 401 for nobody',
	async (_, row) => {
		expect(await refusals(row, accounts)).toEqual(expected(row.needed, accounts));
	},
);

test('§4.3 DELETE of a space is allowed for its owner and for a share as admin', async () => {
	const { owner, home } = context;
	const admin = people.find(({ name }) => name === 'a share as admin');
	for (const caller of [owner, admin?.caller]) {
		const other = await owner.create(`${home}/spaces`, { name: 'To be deleted' });
		await owner.create(`${other}/shares`, { email: 'admin@datagrid.example', role: 'admin' });
		expect((await caller?.delete(other))?.status).toBe(200);
	}
});

test.each(OPEN.filter((name) => /\/api\/[ar]\//.test(name)))(
	'§5 %s of a protected link responds with 401 to the key of an account and to nobody',
	async (name) => {
		const [method = '', path = ''] = name.split(' ');
		const kind = path.startsWith('/api/a') ? { kind: 'form' } : { kind: 'edit', entityId: row };
		const login = { user: 'guest', password: 'open sesame' };
		const link = await context.owner.create(`${grid}/links`, { ...kind, ...login });
		const address = path.replace(/^.*:linkId/, link).replace(':entityId', row);
		for (const person of [stranger, nobody]) expect(await send(person, method, address)).toBe(401);
	},
);

test('§4 the tables list every endpoint of the service, and the OpenAPI description has the same roles', async () => {
	const rows = [...userRows, ...spaceRows];
	const byHand = [...rows.map(({ method, path }) => `${method} ${path}`), ...OPEN];
	expect(new Set(byHand).size).toBe(byHand.length);
	expect(byHand.toSorted()).toEqual(allRoutes.map(({ method, path }) => `${method} ${path}`).toSorted());
	const paths = object((await context.anonymous.read('/api/openapi.json'))['paths']);
	for (const { needed, method, path } of rows) {
		const operation = object(object(paths[path.replace(/:(\w+)/g, '{$1}')])[method.toLowerCase()]);
		expect([method, path, operation['x-service-roles']]).toEqual([method, path, ALLOWED_ROLES[needed]]);
	}
});
