import { removeUser } from '../../../../service/cli/accountCommands';
import { withStore } from '../../../../service/cli/commands';
import { startService } from '../../../../service/server';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';

const folder = new TemporaryFolder();

test('the owner stays the owner, even if the clock was ahead at the first start', async () => {
	const data = folder.file('data.db');
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2100, 0, 1));
	const first = await startService({ data });
	now.mockRestore();
	await first.stop();
	withStore(data, (store) => {
		store.transaction(() => store.accounts.createUser('later'));
		expect(store.accounts.owner()?.id).toBe(first.userId);
		expect(store.accounts.listUsers().map(({ name }) => name)).toEqual(['owner', 'later']);
		expect(() => removeUser(store, 'owner')).toThrow('The owner of the data file cannot be removed');
		expect(removeUser(store, 'later')).toMatchObject({ removed: true });
	});
	const again = await startService({ data });
	expect([again.userId, again.key]).toEqual([first.userId, first.key]);
	await again.stop();
});
