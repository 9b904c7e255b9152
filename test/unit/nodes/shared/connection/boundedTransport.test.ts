import type { Transport } from '../../../../../client/http/transport';
import { boundedTransport } from '../../../../../nodes/shared/connection/boundedTransport';

const request = { method: 'GET', url: 'http://x/', headers: {}, expect: 'text' } as const;

/** A transport whose clock a test sets. */
function timed() {
	let [now, sent] = [0, 0];
	const transport: Transport = {
		send: () => {
			sent += 1;
			return Promise.resolve({ status: 200, headers: {}, body: '' });
		},
		sleep: () => Promise.resolve(),
		now: () => now,
	};
	return { transport, sent: () => sent, at: (time: number) => (now = time) };
}

test('a list sends at most the allowed number of requests', async () => {
	const { transport, sent } = timed();
	const bounded = boundedTransport(transport, { requests: 200, milliseconds: 20_000 });
	for (let count = 0; count < 200; count++) await bounded.send(request);
	await expect(bounded.send(request)).rejects.toThrow('within 200 requests');
	expect(sent()).toBe(200);
});

test('a list takes at most the allowed time, counted from its first request', async () => {
	const { transport, sent, at } = timed();
	const bounded = boundedTransport(transport, { requests: 200, milliseconds: 20_000 });
	at(50_000);
	await bounded.send(request);
	at(70_000);
	await bounded.send(request);
	at(70_001);
	await expect(bounded.send(request)).rejects.toThrow('within 20 seconds');
	expect(sent()).toBe(2);
});
