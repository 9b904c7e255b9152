import {
	BadRequest,
	ConnectionFailed,
	Forbidden,
	NotFound,
	OutcomeUnknown,
	ServiceUnavailable,
	TooManyRequests,
	Unauthorized,
} from '../../../../client/errors';
import { Limiter } from '../../../../client/http/limiter';
import { DEFAULT_RETRY, repeat, retryPolicy, type RetryPolicy } from '../../../../client/http/retry';
import { VirtualTime } from '../../../simulation/virtualTime';

const unavailable = (status: number, retryAfter?: number) => new ServiceUnavailable({ status }, retryAfter);
const tooMany = (retryAfter?: number) => new TooManyRequests({ status: 429 }, retryAfter);
const cut = () => new ConnectionFailed('ECONNRESET', true);
const timeout = () => new ConnectionFailed('ECONNABORTED', true);
const refused = () => new ConnectionFailed('ECONNREFUSED', false);

interface Ending {
	value?: string | undefined;
	error?: unknown;
}

/** Runs one request whose attempts end as listed; the last ending repeats. */
async function play(
	endings: Array<Error | string>,
	options: { idempotent?: boolean; policy?: Partial<RetryPolicy>; whenGone?: () => string } = {},
) {
	const time = new VirtualTime();
	const sentAt: number[] = [];
	const attempt = async () => {
		const ending = endings[Math.min(sentAt.length, endings.length - 1)];
		sentAt.push(time.now());
		await time.sleep(10);
		if (ending instanceof Error) throw ending;
		return ending;
	};
	const { whenGone } = options;
	const outcome = await time.run(
		repeat(attempt, {
			policy: { ...DEFAULT_RETRY, random: () => 0.5, ...options.policy },
			clock: time,
			limiter: new Limiter(time),
			idempotent: options.idempotent ?? true,
			...(whenGone ? { whenGone } : {}),
		}).then(
			(value): Ending => ({ value }),
			(error: unknown): Ending => ({ error }),
		),
	);
	return { ...outcome, sentAt, attempts: sentAt.length };
}

describe('an idempotent request', () => {
	it.each([
		['429', tooMany()],
		['500', unavailable(500)],
		['502', unavailable(502)],
		['503', unavailable(503)],
		['504', unavailable(504)],
		['a time limit', timeout()],
		['a cut connection', cut()],
		['a refused connection', refused()],
	])('is sent again after %s', async (_what, error) => {
		expect(await play([error, error, 'done'])).toMatchObject({ value: 'done', attempts: 3 });
	});

	it.each([
		['400', new BadRequest({ status: 400 })],
		['401', new Unauthorized({ status: 401 })],
		['403', new Forbidden({ status: 403 })],
		['404', new NotFound({ status: 404 })],
		['501', unavailable(501)],
		['a name that does not exist', new ConnectionFailed('ENOTFOUND', false)],
		['a certificate that is refused', new ConnectionFailed('CERT_HAS_EXPIRED', false)],
		['an error of another kind', new TypeError('a defect')],
	])('is not sent again after %s', async (_what, error) => {
		expect(await play([error])).toMatchObject({ error, attempts: 1 });
	});

	it('waits a random part of an exponential delay with a maximum', async () => {
		const { sentAt } = await play([unavailable(500)], {
			policy: { retries: 5, firstWait: 100, longestWait: 500 },
		});
		const waits = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0) - 10);
		expect(waits).toEqual([50, 100, 200, 250, 250]);
	});

	it('waits for the time in Retry-After plus a random part', async () => {
		const { sentAt, value } = await play([tooMany(7000), 'done']);
		expect(value).toBe('done');
		expect(sentAt[1]).toBeGreaterThanOrEqual(10 + 7000);
		expect(sentAt[1]).toBeLessThan(10 + 7000 + 200);
	});

	it('throws the last error after the maximum number of retries', async () => {
		const last = unavailable(503);
		expect(await play([unavailable(500), unavailable(502), last], { policy: { retries: 2 } })).toMatchObject({
			error: last,
			attempts: 3,
		});
	});

	it('starts no retry beyond the total time', async () => {
		const { sentAt, error } = await play([unavailable(500)], { policy: { totalTime: 2000, retries: 1000 } });
		expect(error).toBeInstanceOf(ServiceUnavailable);
		expect(sentAt.length).toBeGreaterThan(2);
		expect(Math.max(...sentAt)).toBeLessThanOrEqual(2000);
	});

	it('does not wait if Retry-After exceeds the total time', async () => {
		const { error, attempts, sentAt } = await play([tooMany(61_000)]);
		expect(error).toMatchObject({ retryAfter: 61_000 });
		expect({ attempts, sentAt }).toEqual({ attempts: 1, sentAt: [0] });
	});

	it('is sent once if retries are disabled', async () => {
		expect(await play([cut()], { policy: retryPolicy(false) })).toMatchObject({ attempts: 1 });
	});
});

describe('a creating request', () => {
	it.each([
		['429', tooMany()],
		['503', unavailable(503)],
		['a refused connection', refused()],
		['a temporary failure of the name look-up', new ConnectionFailed('EAI_AGAIN', false)],
	])('is retried after %s: it was not carried out', async (_what, error) => {
		expect(await play([error, 'created'], { idempotent: false })).toMatchObject({
			value: 'created',
			attempts: 2,
		});
	});

	it.each([
		['a cut connection', cut()],
		['a time limit', timeout()],
		['500', unavailable(500)],
		['502', unavailable(502)],
		['504', unavailable(504)],
		['a non-standard status of a proxy', unavailable(524)],
	])('is not retried after %s, and its outcome is unknown', async (_what, reason) => {
		const { error, attempts } = await play([reason, 'created'], { idempotent: false });
		expect(attempts).toBe(1);
		expect(error).toBeInstanceOf(OutcomeUnknown);
		expect(error).toMatchObject({ outcome: 'unknown', reason });
	});

	it('was not carried out if the certificate was refused', async () => {
		const error = new ConnectionFailed('UNABLE_TO_VERIFY_LEAF_SIGNATURE', true);
		expect(await play([error], { idempotent: false })).toMatchObject({ error, attempts: 1 });
	});

	it('has an unknown outcome even if an earlier attempt was not carried out', async () => {
		const { error, attempts } = await play([unavailable(503), cut()], { idempotent: false });
		expect(attempts).toBe(2);
		expect(error).toBeInstanceOf(OutcomeUnknown);
	});

	it('keeps the error if it failed and the policy allows no retry', async () => {
		const error = unavailable(503);
		expect(await play([error], { idempotent: false, policy: { retries: 1 } })).toMatchObject({
			error,
			attempts: 2,
		});
	});
});

describe('a DELETE', () => {
	const gone = new NotFound({ status: 404 });
	const whenGone = () => 'deleted';

	it('has succeeded if a retry is 404 after an attempt with an unknown outcome', async () => {
		expect(await play([cut(), gone], { whenGone })).toMatchObject({ value: 'deleted', attempts: 2 });
		expect(await play([unavailable(502), unavailable(503), gone], { whenGone })).toMatchObject({
			value: 'deleted',
		});
	});

	it('has failed if the first attempt is 404', async () => {
		expect(await play([gone], { whenGone })).toMatchObject({ error: gone });
	});

	it('has failed if no attempt before the 404 was carried out', async () => {
		expect(await play([unavailable(503), tooMany(), refused(), gone], { whenGone })).toMatchObject({
			error: gone,
		});
	});
});

describe('a service that cannot be reached', () => {
	it('is tried for as long as the policy says, independent of other limits', async () => {
		const policy = { unreachedTime: 3000 };
		const unreached = await play([refused()], { policy });
		expect(unreached.error).toBeInstanceOf(ConnectionFailed);
		expect(unreached.attempts).toBeGreaterThan(2);
		expect(unreached.sentAt.at(-1)).toBeLessThan(3000);
		expect((await play([unavailable(503)], { policy })).sentAt.at(-1)).toBeGreaterThan(3000);
	});
});

describe('retryPolicy', () => {
	it('later layers take precedence over the default', () => {
		expect(retryPolicy({ retries: 3, totalTime: 5 }, { totalTime: 9 })).toEqual({
			...DEFAULT_RETRY,
			retries: 3,
			totalTime: 9,
		});
	});

	it('disables retries with false, and enables them with a number', () => {
		expect(retryPolicy(false).retries).toBe(0);
		expect(retryPolicy({ retries: 3 }, false).retries).toBe(0);
		expect(retryPolicy(false, { retries: 2 }).retries).toBe(2);
	});
});
