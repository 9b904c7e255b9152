import { BoundedMap, oncePer } from '../../../../client/formats/memory';

test('a bounded map replaces the entry that was set first, and counts an entry that is set again as new', () => {
	const map = new BoundedMap<string, number>(2);
	map.set('a', 1);
	map.set('b', 2);
	map.set('a', 3);
	map.set('c', 4);
	expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
});

test('a bounded map computes a value once, also one that is 0', () => {
	const map = new BoundedMap<string, number>(2);
	let computed = 0;
	const value = () => computed++;
	expect([map.of('a', value), map.of('a', value), map.of('b', value)]).toEqual([0, 0, 1]);
});

test('a value is computed once for each object, and again after an error', () => {
	let computed = 0;
	const name = oncePer(({ id }: { id: string }) => {
		computed++;
		if (id === '') throw new Error('no id');
		return `${id}${computed}`;
	});
	const [one, other, invalid] = [{ id: 'a' }, { id: 'a' }, { id: '' }];
	expect([name(one), name(one), name(other), name(one)]).toEqual(['a1', 'a1', 'a2', 'a1']);
	expect(() => name(invalid)).toThrow('no id');
	expect(() => name(invalid)).toThrow('no id');
	expect(computed).toBe(4);
});
