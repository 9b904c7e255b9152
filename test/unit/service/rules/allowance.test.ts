import { Allowance } from '../../../../service/rules/allowance';

test('an allowance limits what callers take, each and in all', () => {
	const allowance = new Allowance(32);
	// The only one always fits.
	expect(allowance.hasRoom('a', 40)).toBe(true);
	allowance.take('a', 8);
	expect(allowance.hasRoom('a', 1)).toBe(false);
	for (const caller of ['b', 'c', 'd']) {
		expect(allowance.hasRoom(caller, 8)).toBe(true);
		allowance.take(caller, 8);
	}
	expect(allowance.hasRoom('e', 1)).toBe(false);
	allowance.take('a', -8);
	expect([allowance.hasRoom('e', 8), allowance.hasRoom('a', 8), allowance.hasRoom('b', 1)]).toEqual([
		true,
		true,
		false,
	]);
});
