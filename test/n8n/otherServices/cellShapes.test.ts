import { z } from 'zod/v4';
import { rewrite } from '../../../testbed/proxy/rewriting';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** §2.5 names the types of columns but not how a service shows their cells. */
const bed = new ProxiedWorld();
const rowSchema = z.looseObject({ _id: z.string() });
const pageSchema = z.looseObject({ items: z.array(rowSchema) });
const linkSchema = z.object({ uri: z.string() });
const linksSchema = z.array(linkSchema).nullable();

const OPTIONS = ['x', 'y', 'z'];
const COLUMNS = {
	Name: 'string',
	Count: 'integer',
	Day: 'date',
	At: 'date-time',
	Link: 'reference',
	Links: 'references',
	Texts: 'stringcollection',
	Options: { name: 'enumcollection', options: OPTIONS },
	State: { name: 'enum', options: OPTIONS },
	Mail: 'email',
	Place: 'geolocation',
};
type Column = keyof typeof COLUMNS;

/** Shows the cells of a column in another way; unset cells stay, unless `unset` says otherwise. */
interface Shape {
	columns: readonly Column[];
	shown: (value: unknown) => unknown;
	unset?: unknown;
}

const text = (value: unknown) => z.string().parse(value);
const uriOf = (link: unknown) => linkSchema.parse(link).uri;
const idOf = (link: unknown) => uriOf(link).split('/').at(-1) ?? '';
const eachLink = (show: (link: unknown) => unknown) => (links: unknown) =>
	linksSchema.parse(links)?.map(show);
const place = z.object({ lat: z.number(), lon: z.number() });
const emptyAsNull = (value: unknown) => (Array.isArray(value) && value.length === 0 ? null : value);

const shapes: Record<string, Shape> = {
	'days as midnights': { columns: ['Day'], shown: (day) => `${text(day)}T00:00:00Z` },
	'no values as empty lists': {
		columns: ['Texts', 'Options', 'Links'],
		shown: (value) => value,
		unset: [],
	},
	'empty lists as no values': { columns: ['Texts', 'Options', 'Links'], shown: emptyAsNull },
	'no values as empty texts': {
		columns: ['Day', 'At', 'State', 'Mail'],
		shown: (value) => value,
		unset: '',
	},
	'links as texts': { columns: ['Link'], shown: uriOf },
	'links as absolute URLs': { columns: ['Link'], shown: (link) => bed.proxy.url + uriOf(link) },
	'links as IDs': { columns: ['Link'], shown: idOf },
	'links as records with an ID': {
		columns: ['Link'],
		shown: (link) => ({ id: idOf(link), displayValue: 'A' }),
	},
	'links as rows': {
		columns: ['Link'],
		shown: (link) => ({ _id: idOf(link), _links: { self: { href: uriOf(link), method: 'get' } } }),
	},
	'links with href': { columns: ['Link'], shown: (link) => ({ href: uriOf(link) }) },
	'lists of links as IDs': { columns: ['Links'], shown: eachLink(idOf) },
	'places with texts': {
		columns: ['Place'],
		shown: (value) => ({ lat: String(place.parse(value).lat), lon: String(place.parse(value).lon) }),
	},
	'places with more members': {
		columns: ['Place'],
		shown: (value) => ({ ...place.parse(value), accuracy: 3 }),
	},
};

let grid: WorldGrid;
let rows: Array<Record<Column, z.core.util.JSONType>>;

beforeEach(async () => {
	const target = await bed.world.grid({ Title: 'string' });
	const [a, b] = (await target.fill([{ Title: 'A' }, { Title: 'B' }])).map((id) => {
		const { spaceId, gridId } = target.grid.address;
		return { uri: `/api/users/${bed.world.service.userId}/spaces/${spaceId}/grids/${gridId}/entities/${id}` };
	});
	grid = await bed.world.grid(COLUMNS);
	const more = { Texts: ['q', 'p'], Options: ['y', 'x'], State: 'x', Mail: 'a@example.org' };
	const none = { Day: null, At: null, Link: null, Links: null, Texts: null, Options: null, State: null };
	rows = [
		{
			...{ Name: 'a', Count: 1, Day: '2026-03-01', At: '2026-03-01T10:00:00Z', ...more },
			...{ Link: a ?? null, Links: a && b ? [a, b] : [], Place: { lat: 1.5, lon: 2 } },
		},
		{ Name: 'b', Count: 2, ...none, Mail: null, Place: null },
		{
			...{ Name: 'c', Count: 3, Day: '2026-12-31', At: '2026-12-31T23:30:00+02:00', ...more },
			...{ Link: b ?? null, Links: b ? [b] : [], Texts: [], Place: { lat: 0, lon: 0 } },
		},
	];
});

/** The service shows the cells of some columns in another way. */
function show({ columns, shown, unset = null }: Shape): void {
	const ids = new Set(columns.map((column) => grid.id(column)));
	const cell = (value: unknown) => (value === null ? unset : shown(value));
	const rowShown = (row: z.infer<typeof rowSchema>) =>
		Object.fromEntries(Object.entries(row).map(([id, value]) => [id, ids.has(id) ? cell(value) : value]));
	const bodyShown = (json: unknown): unknown => {
		const page = pageSchema.safeParse(json);
		if (page.success) return { ...page.data, items: page.data.items.map(rowShown) };
		const row = rowSchema.safeParse(json);
		return row.success ? rowShown(row.data) : json;
	};
	const response = ({ path, status, body }: { path: string; status: number; body: string }) =>
		path.includes('/entities') && status === 200 && body.startsWith('{')
			? { body: JSON.stringify(bodyShown(JSON.parse(body))) }
			: {};
	bed.proxy.setRules(rewrite({ response }));
}

const sync = async () =>
	await grid.run('sync', grid.auto(['Name']), rows, {
		resource: 'entity',
		baseUrl: bed.proxy.url,
	});
const writes = () => bed.proxy.requests.filter(({ method }) => method !== 'GET').length;

describe.each(Object.entries(shapes))('%s', (_name, shape) => {
	test('a second Sync writes nothing, and Create or Update finds each row', async () => {
		show(shape);
		expect((await sync()).rows.map(({ _outcome }) => _outcome)).toEqual(['created', 'created', 'created']);
		const before = writes();
		expect((await sync()).rows).toEqual([]);
		for (const key of ['Day', 'At', 'Count'] as const) {
			const input = rows.filter((row) => row[key] !== null);
			const run = await grid.run('upsert', grid.auto([key]), input, { baseUrl: bed.proxy.url });
			expect(run.rows.map(({ _outcome }) => _outcome)).toEqual(input.map(() => 'unchanged'));
		}
		expect(writes()).toBe(before);
	});
});
