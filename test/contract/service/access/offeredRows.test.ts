import { byKey, href, id, last, makeGrid, object, objects, testService, type Json } from '../http';

const { owner, anonymous } = testService();

/** Orders with a form, whose columns `company` and `others` link to companies. */
async function makeOrders(name: string) {
	const types = { title: 'string', company: 'reference', others: 'references', parent: 'reference' };
	const columns = Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { name: type }]));
	const { space, grid, ids } = await makeGrid(owner, columns, name);
	const companies = await owner.create(`${space}/grids`, { name: 'Companies' });
	for (const key of ['name', 'secret'])
		await owner.create(`${companies}/ColumnAdd`, { name: key, key, type: { name: 'string' } });
	const rows: Record<string, string> = {};
	for (const one of ['Zorn', 'Müller AG', 'Abt', 'Abel'])
		rows[one] = await owner.create(`${companies}/entities`, { name: one, secret: 'classified' }, byKey);
	await owner.create(`${companies}/entities`, { secret: 'nameless' }, byKey);
	const [company, others, parent] = [id(ids, 'company'), id(ids, 'others'), id(ids, 'parent')];
	const linkedGrids = { [company]: companies, [others]: companies };
	/** Sets the inputs of the form that offer rows; all columns are inputs. */
	const offer = async (...offered: string[]) => {
		const inputs = Object.values(ids).map((field) => ({ field, offerRows: offered.includes(field) }));
		await owner.patch(grid, { properties: { linkedGrids, form: { inputs } } });
	};
	await offer(company, others, parent);
	const makeLink = (body: Json = {}, on = grid) =>
		owner.create(`${on}/links`, { kind: 'form', names: true, ...body });
	const link = await makeLink();
	const submit = (body: Json, through = link) => anonymous.post(through, body);
	return { space, grid, ids, company, others, parent, companies, rows, linkedGrids, offer, makeLink, link, submit }; // prettier-ignore
}
type Orders = Awaited<ReturnType<typeof makeOrders>>;

const rowsAt = (link: string, field: string) => `${link}/inputs/${field}/rows`;
const namesAt = async (link: string, field: string, query?: Record<string, string>) =>
	objects((await anonymous.read(rowsAt(link, field), query))['rows']).map(({ name }) => name);
const statusAt = async (link: string, field: string) => (await anonymous.get(rowsAt(link, field))).status;
const idOf = ({ rows }: Orders, name: string) => last(rows[name] ?? '');

test('a form lists the rows of the grid that an offered input links to, by id and name only', async () => {
	const orders = await makeOrders('Listed');
	const { link, company, others } = orders;
	const form = await anonymous.read(link);
	const inputs = objects(form['inputs']).filter((input) => input['_links'] !== undefined);
	expect(inputs.map(({ formKey }) => formKey)).toEqual([company, others]);
	expect(inputs.map((input) => href(input, 'rows'))).toEqual([rowsAt(link, company), rowsAt(link, others)]);
	const list = await anonymous.read(rowsAt(link, company));
	const expected = ['Abel', 'Abt', 'Müller AG', 'Zorn'].map((name) => ({ id: idOf(orders, name), name }));
	expect(list).toEqual({ rows: expected });
	// By the beginning of the name, in any case and composition.
	expect(await namesAt(link, company, { matching: 'a' })).toEqual(['Abel', 'Abt']);
	expect(await namesAt(link, company, { matching: 'MU\u0308L' })).toEqual(['Müller AG']);
	expect(await namesAt(link, company, { matching: 'mul' })).toEqual([]);
	expect(await namesAt(link, company, { matching: 'ag' })).toEqual([]);
	expect(await namesAt(link, company, { matching: 'classified' })).toEqual([]);
	// Neither pages nor filters of others reach further.
	const further = { pageSize: '1000', filter: '{}', fields: '[]', layout: 'key', viewId: last(orders.grid) };
	expect(await anonymous.read(rowsAt(link, company), further)).toEqual({ rows: expected });
});

test('a list has at most 200 rows, and shows what a view shows', async () => {
	const { company, companies, link, linkedGrids, grid } = await makeOrders('Many');
	for (let n = 0; n < 210; n++) await owner.create(`${companies}/entities`, { name: `A ${n}` }, byKey);
	expect(await namesAt(link, company)).toHaveLength(200);
	expect(await namesAt(link, company, { matching: 'a 20' })).toEqual(['A 20', ...Array.from({ length: 10 }, (_, n) => `A ${200 + n}`)].slice(0, 11)); // prettier-ignore
	const [name = {}, secret = {}] = await owner.fields(companies);
	const filter = { [String(name['id'])]: { $contains: 'l' } };
	const view = await owner.view(companies, [String(name['id'])], filter, { name: 'With an l' });
	const { properties } = await owner.read(grid);
	await owner.patch(grid, { properties: { ...object(properties), linkedGrids: { ...linkedGrids, [company]: view } } }); // prettier-ignore
	expect(await namesAt(link, company)).toEqual(['Abel', 'Müller AG']);
	// The name is what the view shows first.
	await owner.put(view, { name: 'Secrets', fields: [String(secret['id'])], filter });
	expect(await namesAt(link, company)).toEqual(['classified', 'classified']);
});

test('without an offer by both the form and the link, a list is 404', async () => {
	const orders = await makeOrders('Refused');
	const { grid, company, others, parent, ids, link, makeLink, offer } = orders;
	const title = id(ids, 'title');
	expect(await statusAt(link, company)).toBe(200);
	// No list: a text, a column that may link to any grid, no column, and the row of another form.
	const other = await makeOrders('Refused too');
	for (const field of [title, parent, 'nope', grid, other.company, ''])
		expect([field, await statusAt(link, field)]).toEqual([field, 404]);
	expect(await statusAt(other.link, company)).toBe(404);
	// A link whose maker did not choose it, links of other kinds, and an unknown link.
	expect(await statusAt(await makeLink({ names: false }), company)).toBe(404);
	expect(await statusAt(await makeLink({ kind: 'view' }), company)).toBe(404);
	expect(await statusAt(await makeLink({ kind: 'view', role: 'admin' }), company)).toBe(404);
	const entityId = last(await owner.create(`${grid}/entities`, { title: 'x' }, byKey));
	const edit = await makeLink({ kind: 'edit', entityId });
	expect(await statusAt(edit, company)).toBe(404);
	expect(await statusAt(edit.replace('/api/r/', '/api/a/'), company)).toBe(404);
	expect(await statusAt(`${link}0`, company)).toBe(404);
	// The form of a view that hides the column.
	const view = await owner.view(grid, [title], {}, { name: 'Titles' });
	expect(await statusAt(await makeLink({}, view), company)).toBe(404);
	await offer(others);
	expect(await statusAt(link, company)).toBe(404);
	expect(await statusAt(link, others)).toBe(200);
	// A design without the column, and a form without a design.
	await owner.patch(grid, { properties: { linkedGrids: orders.linkedGrids, form: { inputs: [{ field: title }] } } }); // prettier-ignore
	expect(await statusAt(link, others)).toBe(404);
	await owner.patch(grid, { properties: { linkedGrids: orders.linkedGrids } });
	expect(await statusAt(link, others)).toBe(404);
	expect(objects((await anonymous.read(link))['inputs']).map((input) => input['_links'])).toEqual(Array(4).fill(undefined)); // prettier-ignore
});

test('a list ends with its link, its grid, and its column', async () => {
	const { grid, company, companies, link, makeLink, others, linkedGrids } = await makeOrders('Ended');
	const foreign = await makeOrders('Elsewhere');
	const { properties } = await owner.read(grid);
	const linkTo = (to: string) =>
		owner.patch(grid, { properties: { ...object(properties), linkedGrids: { ...linkedGrids, [company]: to } } }); // prettier-ignore
	await linkTo(foreign.companies);
	expect(await statusAt(link, company)).toBe(404);
	await linkTo(companies);
	expect(await statusAt(link, company)).toBe(200);
	const revoked = await makeLink();
	const listed = (await owner.items(`${grid}/links`)).find((one) => one['href'] === revoked) ?? {};
	expect(await statusAt(revoked, company)).toBe(200);
	await owner.delete(href(listed, 'remove'));
	expect(await statusAt(revoked, company)).toBe(404);
	await owner.post(`${grid}/ColumnRemove`, { fieldId: company });
	expect(await statusAt(link, company)).toBe(404);
	await owner.post(`${companies}/discard`);
	expect(await statusAt(link, others)).toBe(404);
});

test('a protected link lists rows for its password only', async () => {
	const { company, makeLink } = await makeOrders('Protected');
	const link = await makeLink({ user: 'guest', password: 'open sesame' });
	expect(await statusAt(link, company)).toBe(401);
	expect(await statusAt(link, 'nope')).toBe(401);
});

test('an offered input takes rows of its list, by their ids or addresses', async () => {
	const orders = await makeOrders('Submitted');
	const { ids, grid, rows, company, others, submit } = orders;
	const title = id(ids, 'title');
	const send = async (body: Json) => {
		expect((await submit(body)).status).toBe(201);
		const stored = (await owner.items(`${grid}/entities`, byKey)).at(-1);
		return { company: stored?.['company'], others: stored?.['others'] };
	};
	const at = (name: string) => ({ uri: rows[name] });
	expect(await send({ [title]: 'by id', [company]: idOf(orders, 'Abt'), [others]: [idOf(orders, 'Zorn'), { uri: idOf(orders, 'Abt') }] })).toEqual({ company: at('Abt'), others: [at('Zorn'), at('Abt')] }); // prettier-ignore
	expect(await send({ [company]: at('Abt'), [others]: [] })).toEqual({ company: at('Abt'), others: [] });
	expect(await send({ [company]: null })).toEqual({ company: null, others: null });
	expect(await send({ [title]: 'none' })).toEqual({ company: null, others: null });
});

test('rows that are not in the list get one answer, so that nothing can be guessed', async () => {
	const orders = await makeOrders('Guessed');
	const foreign = await makeOrders('Foreign');
	const { grid, companies, company, others, rows, submit, linkedGrids } = orders;
	const own = await owner.create(`${grid}/entities`, { title: 'own' }, byKey);
	const gone = await owner.create(`${companies}/entities`, { name: 'Gone' }, byKey);
	await owner.delete(gone);
	const abt = rows['Abt'] ?? '';
	const unknown = [
		'000000000000000000000000',
		'nope',
		last(own),
		own,
		last(gone),
		gone,
		idOf(foreign, 'Abt'),
		foreign.rows['Abt'],
		`${grid}/entities/${last(abt)}`,
		`${foreign.companies}/entities/${last(abt)}`,
		`https://elsewhere.example${abt}`,
		`${abt}/`,
		`x/${last(abt)}`,
	];
	const before = (await owner.items(`${grid}/entities`)).length;
	for (const value of unknown) {
		for (const sent of [value, { uri: value }]) {
			const reply = await submit({ [company]: sent });
			expect([value, reply.status, reply.json()]).toEqual([value, 400, { status: 400, error: 'Bad Request', message: `The value of "${company}" is no row of its list` }]); // prettier-ignore
		}
		const many = await submit({ [others]: [idOf(orders, 'Abt'), value] });
		expect([value, many.status, many.json()['message']]).toEqual([value, 400, `The value of "${others}" is no row of its list`]); // prettier-ignore
	}
	expect((await submit({ [company]: 7 })).status).toBe(400);
	expect(await owner.items(`${grid}/entities`)).toHaveLength(before);
	// Of a view, the rows that it shows.
	const [name = {}] = await owner.fields(companies);
	const view = await owner.view(companies, [String(name['id'])], { [String(name['id'])]: { $eq: 'Zorn' } }, { name: 'Zorn' }); // prettier-ignore
	const { properties } = await owner.read(grid);
	await owner.patch(grid, { properties: { ...object(properties), linkedGrids: { ...linkedGrids, [company]: view } } }); // prettier-ignore
	expect((await submit({ [company]: idOf(orders, 'Abt') })).status).toBe(400);
	expect((await submit({ [company]: abt })).status).toBe(400);
	expect((await submit({ [company]: idOf(orders, 'Zorn') })).status).toBe(201);
	const stored = (await owner.items(`${grid}/entities`, byKey)).at(-1);
	expect(stored).toMatchObject({ company: { uri: `${view}/entities/${idOf(orders, 'Zorn')}` } });
});

test('without an offer, a form takes links as before', async () => {
	const orders = await makeOrders('As before');
	const { grid, company, parent, link, rows, makeLink, offer, submit } = orders;
	const anything = { uri: 'https://elsewhere.example/rows/1' };
	const plain = await makeLink({ names: false });
	expect((await submit({ [company]: anything }, plain)).status).toBe(201);
	expect((await submit({ [company]: rows['Abt'] }, plain)).status).toBe(201);
	// A column whose grid is not chosen has no list, whatever the form offers.
	expect((await submit({ [parent]: anything }, link)).status).toBe(201);
	await offer();
	expect((await submit({ [company]: anything }, link)).status).toBe(201);
	expect(objects((await anonymous.read(link))['inputs']).some((input) => '_links' in input)).toBe(false);
	// An account with a role reads and links what it may read.
	await offer(company);
	const [form = {}] = await owner.items(`${grid}/forms`);
	expect((await owner.post(href(form, 'submit'), { [company]: anything })).status).toBe(201);
	expect(JSON.stringify(await owner.read(href(form, 'self')))).not.toContain('/rows');
});
