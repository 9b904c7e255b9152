import { fieldIds, id, makeGrid, objects, uploadGrid, byKey } from '../http';
import { testPeople } from '../people';

/** Slow readers who may see only a view: a row is sent only if it is in the view by then. */
const context = testPeople();
const { owner } = context;

let guests = 0;

/** A view of open rows that exceeds the buffers of a connection, and a person who may see it. */
async function largeView(name: string, sorting: (ids: Record<string, string>) => object) {
	const text = 'x'.repeat(30_000);
	const { space } = await makeGrid(owner, {}, name);
	const lines = Array.from({ length: 400 }, (_, n) => `${n},open,${text}\n`);
	const file = `n,status,text\n${lines.join('')}`;
	const grid = await uploadGrid(owner, space, { name: 'Large', types: '{"n":"integer"}', file });
	const ids = await fieldIds(owner, grid, 'name');
	const view = await owner.view(
		grid,
		Object.values(ids),
		{ [id(ids, 'status')]: { $eq: 'open' } },
		{ name: 'Open', sorting: sorting(ids) },
	);
	const sview = await owner.create(`${view}/sviews`, { type: 'kanban' });
	const guest = context.person(`guest${(guests += 1)}`);
	await owner.create(`${sview}/shares`, { email: guest.email, role: 'reader' });
	const list = await owner.get(`${grid}/entities`, { pageSize: '1', pageIndex: '400' });
	const [last] = objects(list.json()['items']);
	return { view, guest: guest.caller, last: `${grid}/entities/${String(last?.['_id'])}` };
}

const sortings: Array<[string, (ids: Record<string, string>) => object]> = [
	['unsorted', () => ({})],
	['sorted', (ids) => ({ [id(ids, 'n')]: { $order: 'ascending' } })],
];

test.each(sortings)('a row that leaves a view during its export (%s) is not shown', async (name, sorting) => {
	const { view, guest, last } = await largeView(name, sorting);
	const exported = await guest.stream(`${view}/csv`);
	expect(exported.status).toBe(200);
	await owner.put(last, { status: 'closed', text: 'CANARY' }, byKey);
	const lines = (await exported.text()).split('\n');
	expect([lines.length, lines.some((line) => line.includes('CANARY'))]).toEqual([401, false]);
});

test.each(['csv', 'entities?pageSize=1000'])(
	'a view whose columns change while it is read (%s) ends the response',
	async (path) => {
		const { view, guest } = await largeView(path, () => ({}));
		const exported = await guest.stream(`${view}/${path}`);
		expect(exported.status).toBe(200);
		const { filter } = await owner.read(view);
		await owner.put(view, { name: 'Open', fields: [], filter });
		await expect(exported.text()).rejects.toThrow('terminated');
	},
);

test.each(['entities', 'updates'])(
	'a column that a view hides during a search (%s) is not shown',
	async (list) => {
		const { space } = await makeGrid(owner, {}, `Hiding ${list}`);
		const file = `n,status,text\n${'1,open,CANARY\n'.repeat(30_000)}`;
		const grid = await uploadGrid(owner, space, { name: 'Many', file });
		const ids = await fieldIds(owner, grid, 'name');
		const [n, status] = [id(ids, 'n'), id(ids, 'status')];
		const view = await owner.view(grid, Object.values(ids), { [status]: { $contains: 'open' } });
		const sview = await owner.create(`${view}/sviews`, { type: 'kanban' });
		const { caller, email } = context.person(`guest${(guests += 1)}`);
		await owner.create(`${sview}/shares`, { email, role: 'reader' });
		const filter = {
			$or: Array.from({ length: 150 }, (_, count) => ({ [n]: { $eq: 150 - count } })),
		};
		const query =
			list === 'entities' ? { filter: JSON.stringify(filter) } : { since: '2020-01-01T00:00:00Z' };
		const searching = caller.get(`${view}/${list}`, { pageSize: '10', ...query });
		for (let served = 0; served < 3; served++) await owner.get('/api/version');
		await owner.put(view, { name: 'View', fields: [n], filter: { [status]: { $contains: 'open' } } });
		const { status: code, text } = await searching;
		expect([code, text.includes('CANARY')]).toEqual([503, false]);
	},
);
