import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import { reportOf, runAt } from './keyedRuns';

const world = new ProxiedWorld();

test('a file that creates many rows is compared with the grid once more', async () => {
	const grid = await world.grid({ Mail: 'string', Visits: 'integer', Note: 'string' });
	const mails = Array.from({ length: 1001 }, (_, number) => `m${number}@example.com`);
	let isFilled = false;
	world.proxy.setRules(async ({ method }, number) => {
		if (method !== 'POST' || number < 500 || isFilled) return undefined;
		isFilled = true;
		await grid.fill({ Mail: 'm1@example.com' }, { Mail: 'm2@example.com' });
		return undefined;
	});
	const one = await runAt(grid, 'importFile', mails, 0);
	expect(one.error).toBeUndefined();
	const doubled = reportOf(one).filter(({ _outcome }) => _outcome !== 'created');
	expect(doubled).toMatchObject([
		{ _outcome: 'duplicate', _reasons: [expect.stringMatching(/^2 rows have Mail "m1@/)] },
		{ _outcome: 'duplicate', _reasons: [expect.stringMatching(/^2 rows have Mail "m2@/)] },
	]);
	expect(one.hints.join()).toContain('2 keys exist twice: 2 rows have Mail "m1@example.com"');
});
