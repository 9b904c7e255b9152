import { setImmediate } from 'node:timers/promises';
import { createClient } from '../../../../../client';
import { RunTurns } from '../../../../../nodes/Entity/keys/turns';

const node = { getExecutionId: () => '1', getWorkflow: () => ({ id: 'w', name: 'Test', active: true }) };

/** The turns of a run. @param signal called whenever the run checks whether it was cancelled */
function turnsOf(signal: () => AbortSignal | undefined = () => undefined): RunTurns {
	const transport = {
		send: () => Promise.reject(new Error('Nothing is sent')),
		now: () => 0,
		sleep: async () => {
			await setImmediate();
		},
		get signal() {
			return signal();
		},
	};
	const client = createClient({ baseUrl: 'http://127.0.0.1:1', transport });
	return new RunTurns({ client, node, atEnd: () => undefined });
}

test('a run that is cancelled while it gets its turn passes it on', async () => {
	const order: string[] = [];
	let end: (() => void) | undefined;
	const held = new Promise<void>((resolve) => {
		end = resolve;
	});
	let isCancelled = false;
	const cancelled = turnsOf(() => {
		if (!isCancelled) return undefined;
		// The run before ends after this check and before the cancelled one leaves the queue.
		end?.();
		return AbortSignal.abort();
	});
	const write = async (run: RunTurns, name: string, work: Promise<unknown> = Promise.resolve()) => {
		await run.run('place', 'key', { describe: () => 'the key', work: () => work }).catch(() => undefined);
		order.push(name);
	};
	const runs = [write(turnsOf(), 'first', held), write(cancelled, 'cancelled'), write(turnsOf(), 'third')];
	isCancelled = true;
	for (let turn = 0; turn < 20 && order.length < runs.length; turn++) await setImmediate();
	expect(order).toEqual(expect.arrayContaining(['first', 'cancelled', 'third']));
	await write(turnsOf(), 'later');
});
