import { GridIndex } from '../../../../../nodes/Entity/keys/gridIndex';

test('a created row that another run may have created is not an own one', () => {
	const index = new GridIndex(1);
	for (const [input, isOwn] of [true, false].entries()) {
		index.claim(`key ${input}`, input);
		index.addCreated(`key ${input}`, `id ${input}`, isOwn);
	}
	expect(['key 0', 'key 1', 'key 2'].map((key) => index.createdRowOf(key))).toEqual([
		{ id: 'id 0', isOwn: true },
		{ id: 'id 1', isOwn: false },
		undefined,
	]);
});
