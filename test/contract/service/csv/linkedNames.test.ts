import { byKey, id, makeGrid } from '../http';
import { testPeople } from '../people';

const context = testPeople();
const { owner } = context;
const links: Record<string, string> = {};
let grid: string;
let view: string;

beforeAll(async () => {
	const columns = {
		title: { name: 'string' },
		company: { name: 'reference' },
		others: { name: 'references' },
	};
	const made = await makeGrid(owner, columns);
	({ grid } = made);
	const companies = await owner.create(`${made.space}/grids`, { name: 'Companies' });
	await owner.create(`${companies}/ColumnAdd`, { name: 'Name', key: 'name', type: { name: 'string' } });
	for (const name of ['Abt', 'Smith, John', '=1+1', ''])
		links[name] = await owner.create(`${companies}/entities`, name === '' ? {} : { name }, byKey);
	const elsewhere = await makeGrid(owner, { name: { name: 'string' } }, 'Elsewhere');
	links['Far'] = await owner.create(`${elsewhere.grid}/entities`, { name: 'Far' }, byKey);
	const to = (name: string) => ({ uri: links[name] });
	for (const values of [
		{ title: 'a', company: to('Abt'), others: [to('Smith, John'), to('Abt')] },
		{ title: 'b', company: to('Smith, John'), others: [] },
		{ title: 'c', company: to('=1+1'), others: [to('')] },
		{ title: 'd', company: to('Far') },
		{ title: 'e', company: 'by hand' },
	])
		await owner.create(`${grid}/entities`, values, byKey);
	view = await owner.view(grid, [id(made.ids, 'title'), id(made.ids, 'company')], {}, { name: 'Cut' });
});

const csv = async (address: string, query: Record<string, string>, caller = owner) =>
	(await caller.get(`${address}/csv`, query)).text;

test('an export has the links of linked rows, and their names if they are asked for', async () => {
	const json = (name: string) => `"${JSON.stringify({ uri: links[name] }).replaceAll('"', '""')}"`;
	expect((await csv(grid, {})).split('\n')[4]).toBe(`d,${json('Far')},`);
	// A row without a name and one of another space keep their addresses.
	expect(await csv(grid, { linkedNames: 'true', escapeFormulas: 'true' })).toBe(
		[
			'TITLE,COMPANY,OTHERS',
			'a,Abt,"""Smith, John"", Abt"',
			'b,"Smith, John",',
			`c,'=1+1,${String(links[''])}`,
			`d,${String(links['Far'])},`,
			'e,by hand,',
			'',
		].join('\n'),
	);
	expect((await owner.get(`${grid}/csv`, { linkedNames: 'perhaps' })).status).toBe(400);
});

test('a person who may access only a view exports links, because the names are in another grid', async () => {
	const sview = await owner.create(`${view}/sviews`, { type: 'kanban' });
	const guest = context.person('guest');
	await owner.create(`${sview}/shares`, { email: guest.email, role: 'reader' });
	expect(await csv(view, { linkedNames: 'true' })).toContain('a,Abt\n');
	expect(await csv(view, { linkedNames: 'true' }, guest.caller)).toBe(await csv(view, {}));
});
