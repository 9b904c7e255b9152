import { HeldPositions } from '../../../../../service/store/rows/heldPositions';

const MILLION = 1024 * 1024;

test('sorted exports hold a limited number of positions, of one caller and in all', () => {
	const held = new HeldPositions();
	const refuses = (caller: string, count: number) => {
		expect(() => {
			held.requireRoom(caller, count);
		}).toThrow('Too many sorted exports');
	};
	// The only one is never refused.
	held.requireRoom('a', 40 * MILLION);
	const release = held.hold('a', 8 * MILLION);
	refuses('a', 1);
	for (const caller of ['b', 'c', 'd']) {
		held.requireRoom(caller, 8 * MILLION);
		held.hold(caller, 8 * MILLION);
	}
	refuses('e', 1);
	release();
	held.requireRoom('e', 8 * MILLION);
	held.requireRoom('a', 8 * MILLION);
});
