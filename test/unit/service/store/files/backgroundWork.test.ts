import { BackgroundWork } from '../../../../../service/store/files/backgroundWork';
import { Database } from '../../../../../service/store/files/database';
import { Slices, type Steps } from '../../../../../service/store/files/slices';

test('failed work is reported and repeated without a restart of the service', async () => {
	const db = new Database(':memory:');
	db.exec('CREATE TABLE done (attempt INTEGER)');
	const reported: unknown[] = [];
	let attempts = 0;
	const done = await new Promise((resolve) => {
		function* steps(): Steps<void> {
			attempts += 1;
			db.run('INSERT INTO done VALUES (?)', attempts);
			if (attempts < 3) throw new Error('The disk is full');
			yield;
			resolve(db.all('SELECT attempt FROM done'));
		}
		const work = new BackgroundWork(new Slices(db), steps, (error) => reported.push(error), 1);
		work.wake();
	});
	expect(done).toEqual([{ attempt: 3 }]);
	expect(reported).toEqual([new Error('The disk is full'), new Error('The disk is full')]);
	db.close();
});
