import { Turns } from '../../../../service/rules/turns';

/** Work that ends when the test says so. */
function started(turns: Turns) {
	const log: string[] = [];
	const ends = new Map<string, () => void>();
	const gone = new Set<string>();
	const start = (caller: string, name: string) =>
		turns.run({ name: caller, isGone: () => gone.has(name) }, async () => {
			log.push(name);
			await new Promise<void>((end) => ends.set(name, end));
			return name;
		});
	const end = async (name: string) => {
		ends.get(name)?.();
		await new Promise((next) => setImmediate(next));
	};
	return { log, start, end, gone };
}

test('callers take turns, each with one piece of work at a time', async () => {
	const { log, start, end } = started(new Turns({ running: 2, waiting: 10, waitingInAll: 10 }));
	const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => start(name.charAt(0), name));
	await end('');
	expect(log).toEqual(['a1', 'b1']);
	await end('a1');
	expect(log).toEqual(['a1', 'b1', 'c1']);
	await end('b1');
	await end('c1');
	expect(log).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
	for (const name of ['a2', 'b2', 'a3']) await end(name);
	expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
});

test('only so much work may wait, of each caller and in all', async () => {
	const { start, end } = started(new Turns({ running: 1, waiting: 2, waitingInAll: 3 }));
	const accepted = ['a1', 'a2', 'a3', 'b1'].map((name) => start(name.charAt(0), name));
	await expect(start('a', 'a4')).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
	await expect(start('c', 'c1')).rejects.toMatchObject({ status: 429 });
	for (const name of ['a1', 'b1', 'a2', 'a3']) await end(name);
	await Promise.all(accepted);
});

test('the next one has its turn after an error', async () => {
	const turns = new Turns({ running: 1, waiting: 2, waitingInAll: 2 });
	const caller = { name: 'a', isGone: () => false };
	const failed = turns.run(caller, () => Promise.reject(new Error('Failed')));
	const next = turns.run(caller, () => Promise.resolve('done'));
	await expect(failed).rejects.toThrow('Failed');
	expect(await next).toBe('done');
});

test('work whose client disconnected makes room for other work', async () => {
	const { log, start, end, gone } = started(new Turns({ running: 1, waiting: 1, waitingInAll: 2 }));
	const first = start('a', 'a1');
	const abandoned = start('a', 'a2');
	gone.add('a2');
	const next = start('a', 'a3');
	await expect(abandoned).rejects.toThrow('The client disconnected');
	await end('a1');
	await end('a3');
	expect([await first, await next, log]).toEqual(['a1', 'a3', ['a1', 'a3']]);
});
