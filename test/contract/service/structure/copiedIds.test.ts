import { testPeople } from '../people';
import { href, id, makeGrid, object, objects, version2, type Json, last } from '../http';

const people = testPeople();
const { owner } = people;

test('references within a copy point to the copied fields, grids, views and forms', async () => {
	const { space, grid, ids } = await makeGrid(
		owner,
		{ title: { name: 'string' }, status: { name: 'enum', options: ['open'] } },
		'Original',
	);
	const [title, status] = [id(ids, 'title'), id(ids, 'status')];
	const other = await owner.create(`${space}/grids`, { name: 'Other' });
	const lookup = { name: 'lookup', grid: last(grid), through: { field: title } };
	await owner.create(`${other}/ColumnAdd`, { name: 'Looked up', key: 'looked_up', type: lookup });
	const view = await owner.view(
		grid,
		[status],
		{ $or: [{ [status]: { $eq: 'open' } }, { $not: { [title]: { $contains: 'x' } } }] },
		{ name: 'Open', sorting: { [title]: { $order: 'descending' } } },
	);
	const form = href((await owner.items(`${grid}/forms`))[0] ?? {}, 'self');
	const plain = `Not an address: ${view}, nor an ID: {${title}}`;
	const named = {
		groupBy: status,
		list: [title, 'plain text', 7, null],
		[title]: { deep: [{ field: status }] },
		address: view,
		absolute: `${owner.url}${form}`,
		unrelated: '0123456789abcdef01234567',
	};
	await owner.patch(space, { properties: { home: grid, view: last(view) } });
	await owner.patch(grid, { properties: named });
	await owner.patch(view, { properties: { board: status } });
	await owner.patch(other, { properties: { plain } });
	const slots = { slotProperties: { card: { title: { field: title } } } };
	const kanban = await owner.create(`${grid}/sviews`, { type: 'kanban', properties: named, ...slots });
	await owner.create(`${view}/sviews`, { type: 'calendar', properties: { sview: last(kanban) } });

	const reader = people.person('copier');
	await owner.create(`${space}/shares`, { email: reader.email, role: 'reader' });
	for (const caller of [owner, reader.caller]) {
		const copy = await caller.create(`${space}/copy`, { name: 'Copy' });
		const grids = await caller.items(`${copy}/grids`);
		const read = async (name: string) => {
			const found = grids.find((one) => one['name'] === name);
			return await caller.read(href(found ?? {}, 'self'), undefined, version2);
		};
		const [base, cut, looking] = [await read('Original'), await read('Open'), await read('Other')];
		const fields = Object.fromEntries(objects(base['fields']).map((one) => [String(one['key']), String(one['id'])])); // prettier-ignore
		const copyOf = new Map([
			[title, id(fields, 'title')],
			[status, id(fields, 'status')],
			[last(grid), String(base['id'])],
			[last(view), String(cut['id'])],
			[last(space), last(copy)],
		]);
		const [copiedForm] = await caller.items(href(base, 'forms'));
		copyOf.set(last(form), String(copiedForm?.['id']));
		const [board] = await caller.items(href(base, 'sviews'));
		copyOf.set(last(kanban), String(board?.['id']));
		const translated = (value: unknown): Json => {
			let text = JSON.stringify(value).replaceAll(`/users/${owner.userId}/`, `/users/${caller.userId}/`);
			for (const [original, made] of copyOf) text = text.replaceAll(original, made);
			return object(JSON.parse(text));
		};
		expect(translated(named)).not.toEqual(named);
		expect(base['properties']).toEqual(translated(named));
		expect(looking['properties']).toEqual({ plain });
		expect(board).toMatchObject({ properties: translated(named), ...translated(slots) });
		expect(cut['properties']).toEqual(translated({ board: status }));
		const original = await owner.read(view);
		expect([cut['filter'], cut['sorting'], cut['problems']]).toEqual([translated(original['filter']), translated(original['sorting']), []]); // prettier-ignore
		const [calendar] = await caller.items(href(cut, 'sviews'));
		expect(calendar?.['properties']).toEqual(translated({ sview: last(kanban) }));
		expect(objects(looking['fields'])[0]?.['type']).toEqual(translated(lookup));
		expect((await caller.read(copy))['properties']).toEqual(translated({ home: grid, view: last(view) }));
		expect((await caller.get(String(object(base['properties'])['address']))).status).toBe(200); // prettier-ignore
		await caller.delete(copy);
	}
});
