import { once } from 'node:events';
import { Readable } from 'node:stream';
import { withBody } from '../../../../../nodes/shared/connection/responseBody';
import { TimeLimit } from '../../../../../nodes/shared/connection/timeLimit';
import type { Deliver } from '../../../../../client/http/transport';

const KIB = Buffer.alloc(1024);

/** Reads a response of 1 KiB parts with a limit of 4 KiB. @param deliver receives it as a file */
async function read(parts: number, deliver?: Deliver) {
	const limit = new TimeLimit(60_000, undefined);
	const running = limit.start();
	const request = { method: 'GET', url: 'http://x/', headers: {}, expect: 'binary' } as const;
	const body = Readable.from(Array<Buffer>(parts).fill(KIB));
	const asked = { ...request, ...(deliver ? { deliver } : {}) };
	const reading = withBody({ statusCode: 200, headers: {}, body }, asked, { running, maxBytes: 4 * 1024 });
	return await reading.finally(() => {
		limit.end(running);
	});
}

/** A consumer that counts the bytes it receives. */
function counter(how: 'reports errors' | 'ignores errors') {
	const count = { bytes: 0 };
	const deliver: Deliver = async (content) => {
		try {
			for await (const part of content) count.bytes += part.length;
		} catch (error) {
			if (how === 'reports errors') throw error;
		}
	};
	return { count, deliver };
}

test.each(['reports errors', 'ignores errors'] as const)(
	'a file above the limit is an error, and its rest is not delivered to a consumer that %s',
	async (how) => {
		const { count, deliver } = counter(how);
		await expect(read(5, deliver)).rejects.toMatchObject({ name: 'ResponseTooLarge' });
		expect(count.bytes).toBeLessThanOrEqual(4 * 1024);
	},
);

test('a file of the limit is delivered whole', async () => {
	const { count, deliver } = counter('reports errors');
	await read(4, deliver);
	expect(count.bytes).toBe(4 * 1024);
});

test('a body that is held in memory has the same limit', async () => {
	await expect(read(5)).rejects.toMatchObject({ name: 'ResponseTooLarge' });
	expect((await read(4)).body).toHaveLength(4 * 1024);
});

test.each([4, 5])('a response of %i KiB that has arrived whole has the same limit', async (size) => {
	const limit = new TimeLimit(60_000, undefined);
	const running = limit.start();
	const request = { method: 'GET', url: 'http://x/', headers: {}, expect: 'binary' } as const;
	const body = Object.assign(Readable.from([Buffer.alloc(size * 1024)], { objectMode: false }), {
		complete: true,
	});
	body.read(0);
	await once(body, 'readable');
	const reading = withBody({ statusCode: 200, headers: {}, body }, request, { running, maxBytes: 4 * 1024 });
	if (size === 4) expect(await reading).toMatchObject({ body: Buffer.alloc(4 * 1024) });
	else await expect(reading).rejects.toMatchObject({ name: 'ResponseTooLarge' });
	limit.end(running);
});
