import { byKey, id, makeGrid, testService } from '../http';

const { owner } = testService();

test('$search finds a text in some of the columns it names, as one condition among others', async () => {
	const options = ['red', 'dark red'];
	const { grid, ids } = await makeGrid(owner, {
		title: { name: 'string' },
		n: { name: 'integer' },
		tags: { name: 'enumcollection', options },
	});
	for (const row of [{ title: 'Red one', n: 15 }, { title: 'Two', tags: ['dark red'] }, { title: '15' }])
		await owner.create(`${grid}/entities`, row, byKey); // prettier-ignore
	const titles = async (filter: unknown) =>
		(await owner.items(`${grid}/entities`, { ...byKey, filter: JSON.stringify(filter) })).map(
			({ title }) => title,
		);
	const among = (text: string, ...keys: string[]) => ({
		$search: { text, fields: keys.map((key) => id(ids, key)) },
	});
	expect(await titles(among('RED', 'title', 'n', 'tags'))).toEqual(['Red one', 'Two']);
	expect(await titles(among('red', 'tags'))).toEqual(['Two']);
	expect(await titles(among('15', 'title', 'n'))).toEqual(['Red one', '15']);
	expect(await titles({ $not: among('15', 'title', 'n') })).toEqual(['Two']);
	expect(await titles({ $and: [among('red', 'title', 'tags'), { [id(ids, 'n')]: { $eq: 15 } }] })).toEqual([
		'Red one',
	]);
	const refused = [
		{ $search: 'red' },
		{ $search: { text: 'red' } },
		{ $search: { text: 'red', fields: [] } },
		{ $search: { text: 5, fields: [id(ids, 'n')] } },
		{ $search: { text: 'red', fields: ['unknown'] } },
		{ $search: { text: 'red', fields: [id(ids, 'n')], more: 1 } },
		{ $search: { text: 'x'.repeat(1001), fields: [id(ids, 'n')] } },
		{ $and: Array.from({ length: 21 }, () => among('red', 'title')) },
	];
	for (const filter of refused) {
		const { status } = await owner.get(`${grid}/entities`, { filter: JSON.stringify(filter) });
		expect([filter, status]).toEqual([filter, 400]);
	}
});
