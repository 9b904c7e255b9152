import fc from 'fast-check';
import {
	ConnectionFailed,
	Forbidden,
	LinkMissing,
	NotFound,
	OutcomeUnknown,
	ServiceUnavailable,
	TooManyRequests,
	Unauthorized,
} from '../../../../client/errors';
import { Limiter, type Run } from '../../../../client/http/limiter';
import { DEFAULT_RETRY, repeat } from '../../../../client/http/retry';
import { Random } from '../../../simulation/random';
import { createAll, numbers, SimulatedService } from '../../../simulation/simulatedCapacity';
import { VirtualTime } from '../../../simulation/virtualTime';

const valuesOf = <Result>(run: Run<Result>) =>
	run.outcomes.map((outcome) => (outcome.state === 'done' ? outcome.value : outcome.state));

const busy = () => new ServiceUnavailable({ status: 503 });

describe('a service that accepts 64 concurrent requests and refuses others with 503', () => {
	it.each([64, 100, 200])('is used near its maximum speed with a limit of %d', async (ceiling) => {
		const service = new SimulatedService(new VirtualTime(), (inFlight) => (inFlight > 64 ? busy() : 20));
		const { run, took } = await createAll(service, 5000, ceiling);
		expect(valuesOf(run)).toEqual(numbers(5000));
		expect(service.written).toHaveLength(5000);
		expect(service.highest).toBeLessThanOrEqual(ceiling);
		// In virtual milliseconds; the minimum is 5000 × 20 / 64.

		expect(took).toBeLessThan((1.3 * 5000 * 20) / 64);
	});

	it('is detected with few refusals, and concurrency settles below its limit', async () => {
		const service = new SimulatedService(new VirtualTime(), (inFlight) => (inFlight > 64 ? busy() : 20));
		const { limiter } = await createAll(service, 5000, 200);
		expect(service.refused).toBeLessThan(250);
		expect(limiter.limit).toBeGreaterThan(28);
		expect(limiter.limit).toBeLessThanOrEqual(66);
	});
});

describe('concurrency', () => {
	it('starts low and never exceeds the limit', async () => {
		const service = new SimulatedService(new VirtualTime(), () => 20);
		await createAll(service, 500, 20);
		expect(service.sentAt.filter((at) => at === 0)).toHaveLength(4);
		expect(service.highest).toBe(20);
	});

	it('is one if the limit is one', async () => {
		const service = new SimulatedService(new VirtualTime(), () => 20);
		await createAll(service, 10, 1);
		expect(service.highest).toBe(1);
		expect(service.sentAt).toEqual(numbers(10).map((index) => index * 20));
	});

	it('stays low if more requests only increase latency', async () => {
		// Ten workers of 20 ms each: above ten concurrent requests only latency grows.
		const service = new SimulatedService(new VirtualTime(), (inFlight) => 20 * Math.max(1, inFlight / 10));
		const { limiter, took } = await createAll(service, 3000, 500);
		expect(limiter.limit).toBeLessThan(60);
		expect(took).toBeLessThan((1.5 * 3000 * 20) / 10);
	});

	it('is not lowered if the service slows down for another reason', async () => {
		const service = new SimulatedService(new VirtualTime(), (_inFlight, item) => (item < 1000 ? 20 : 100));
		const { took } = await createAll(service, 4000);
		expect(took).toBeLessThan((1.5 * (1000 * 20 + 3000 * 100)) / 64);
	});

	it('is lowered by a 503 before a successful retry', async () => {
		const time = new VirtualTime();
		const limiter = new Limiter(time, 64);
		const service = new SimulatedService(time, () => (time.now() > 190 && time.now() < 215 ? busy() : 20));
		let lowest = 64;
		const policy = { ...DEFAULT_RETRY, random: () => 0.5 };
		const run = await time.run(
			limiter.run(numbers(2000), async (item) => {
				const made = await repeat(() => service.create(item), {
					policy,
					clock: time,
					limiter,
					idempotent: false,
				});
				if (time.now() > 190) lowest = Math.min(lowest, limiter.limit);
				return made;
			}),
		);
		expect(valuesOf(run)).toEqual(numbers(2000));
		expect(service.refused).toBeGreaterThan(0);
		expect(lowest).toBeLessThanOrEqual(32);
	});
});

describe('Retry-After', () => {
	it('delays every request; then one is sent before the others, with the lower limit', async () => {
		const time = new VirtualTime();
		let isRefused = false;
		const service = new SimulatedService(time, (inFlight) => {
			if (isRefused || inFlight < 32) return 20;
			isRefused = true;
			return new TooManyRequests({ status: 429 }, 5000);
		});
		const { run } = await createAll(service, 1000);
		expect(valuesOf(run)).toEqual(numbers(1000));
		const pauseFrom = Math.max(...service.sentAt.filter((at) => at < 5000));
		const after = service.sentAt.filter((at) => at > pauseFrom);
		expect(Math.min(...after)).toBeGreaterThanOrEqual(5000);
		expect((after[1] ?? 0) - (after[0] ?? 0)).toBe(20);
		expect(after.filter((at) => at === Math.min(...after)).length).toBeLessThanOrEqual(16);
	});

	it('writes all rows to a service that accepts 50 a second', async () => {
		const time = new VirtualTime();
		let second = 0;
		let taken = 0;
		const service = new SimulatedService(time, () => {
			const now = Math.floor(time.now() / 1000);
			if (now !== second) [second, taken] = [now, 0];
			return ++taken > 50 ? new TooManyRequests({ status: 429 }, 1000 - (time.now() % 1000)) : 5;
		});
		const { run, took } = await createAll(service, 1000);
		expect(valuesOf(run)).toEqual(numbers(1000));
		expect(took).toBeLessThan(30_000);
	});
});

describe('a service that is away in the middle of a run', () => {
	const AWAY_FROM = 200;
	const awayFor = (seconds: number, error: () => Error) => {
		const time = new VirtualTime();
		const isAway = () => time.now() > AWAY_FROM && time.now() < AWAY_FROM + seconds * 1000;
		return { time, isAway, service: new SimulatedService(time, () => (isAway() ? error() : 20)) };
	};

	it.each([
		['refuses connections', () => new ConnectionFailed('ECONNREFUSED', false)],
		['cannot be reached', () => new ConnectionFailed('EHOSTUNREACH', false)],
		['answers 503', busy],
	])(
		'and %s for 20 seconds is asked by one request at a time, and every item is written',
		async (_what, error) => {
			const { service, isAway, time } = awayFor(20, error);
			const { run, took } = await createAll(service, 2000);
			expect(valuesOf(run)).toEqual(numbers(2000));
			expect(service.refused).toBeLessThan(400);
			const late = service.sentAt.filter((at) => at > AWAY_FROM + 2000 && at < AWAY_FROM + 20_000);
			expect(late.length).toBeLessThan(12);
			expect(new Set(late).size).toBe(late.length);
			const [back = 0] = service.sentAt.filter((at) => at >= AWAY_FROM + 20_000);
			const soon = service.sentAt.filter((at) => at > back && at < back + 40);
			expect(soon.length).toBeGreaterThan(0);
			// The limit at which the service was lost no longer applies.
			expect(soon.length).toBeLessThanOrEqual(4);
			expect(isAway()).toBe(false);
			expect(time.now()).toBe(took);
			expect(took).toBeLessThan(AWAY_FROM + 28_000);
		},
	);

	it('is asked again by a harmless request, so that no write has an unknown outcome', async () => {
		const time = new VirtualTime();
		const isAway = () => time.now() > AWAY_FROM && time.now() < AWAY_FROM + 20_000;
		const service = new SimulatedService(time, () =>
			isAway() ? new ServiceUnavailable({ status: 502 }) : 20,
		);
		let probes = 0;
		const probe = async () => {
			probes++;
			await time.sleep(1);
			if (isAway()) throw new ServiceUnavailable({ status: 502 });
		};
		const limiter = new Limiter(time, 64, undefined, probe);
		const policy = { ...DEFAULT_RETRY, random: () => 0.5 };
		const run = await time.run(
			limiter.run(numbers(2000), (item) =>
				repeat(() => service.create(item), { policy, clock: time, limiter, idempotent: false }),
			),
		);
		expect(probes).toBeGreaterThan(4);
		expect(service.sentAt.filter((at) => at > AWAY_FROM + 1000 && at < AWAY_FROM + 20_000)).toEqual([]);
		const failed = run.outcomes.filter(({ state }) => state !== 'done');
		expect(failed).toHaveLength(service.refused);
		expect(run.outcomes).toHaveLength(2000);
		expect(run.stoppedBy).toBeUndefined();
	});

	it.each([
		['refuses connections', () => new ConnectionFailed('ECONNREFUSED', false)],
		[
			'answers 502, which leaves open whether it wrote the row',
			() => new ServiceUnavailable({ status: 502 }),
		],
	])('and %s ends the run after the time of the policy, for all items at once', async (_what, error) => {
		const { service } = awayFor(1000, error);
		const { run, took } = await createAll(service, 2000);
		expect(run.stoppedBy?.error).toBeDefined();
		expect(run.outcomes.filter(({ state }) => state === 'failed').length).toBeLessThan(160);
		expect(run.outcomes.filter(({ state }) => state === 'untried').length).toBeGreaterThan(1000);
		expect(took).toBeGreaterThan(50_000);
		expect(took).toBeLessThan(70_000);
	});

	it('ends the run also for an item that began just before it', async () => {
		// With these random waits, a pause ends at the moment of giving up.
		for (const seed of [1, 2, 3, 4]) {
			const random = new Random(seed);
			const chance = jest.spyOn(Math, 'random').mockImplementation(() => random.next());
			const { service, time } = awayFor(1000, () => new ConnectionFailed('ECONNREFUSED', false));
			const { run } = await createAll(service, 2000);
			chance.mockRestore();
			expect(run.stoppedBy?.error).toBeDefined();
			expect(time.now()).toBeLessThan(70_000);
		}
	});

	it('can be used again by a later run', async () => {
		const { service, time } = awayFor(100, () => new ConnectionFailed('ECONNREFUSED', false));
		const { limiter } = await createAll(service, 2000);
		const again = await time.run(
			limiter.run(numbers(50), async (item) => {
				await time.sleep(60_000);
				return await limiter.attempt(() => service.create(item));
			}),
		);
		expect(again.outcomes.filter(({ state }) => state === 'done')).toHaveLength(50);
	});
});

it('a service that refuses in bursts with the period of its Retry-After gets every item', async () => {
	const time = new VirtualTime();
	const service = new SimulatedService(time, () =>
		time.now() % 2000 < 300 ? new TooManyRequests({ status: 429 }, 2000) : 20,
	);
	const { run, took } = await createAll(service, 2000);
	expect(valuesOf(run)).toEqual(numbers(2000));
	expect(took).toBeLessThan(60_000);
});

describe('a run', () => {
	it('returns one outcome per item, in the order of the items', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.record({ took: fc.nat(50), fails: fc.boolean() }), { maxLength: 60 }),
				fc.integer({ min: 1, max: 8 }),
				async (items, ceiling) => {
					const time = new VirtualTime();
					const limiter = new Limiter(time, ceiling);
					let active = 0;
					let highest = 0;
					const run = await time.run(
						limiter.run(items, async (item, index) => {
							highest = Math.max(highest, ++active);
							await limiter.attempt(() => time.sleep(item.took));
							active--;
							if (item.fails) throw new NotFound({ status: 404, serviceMessage: String(index) });
							return index;
						}),
					);
					expect(run.stoppedBy).toBeUndefined();
					expect(run.outcomes.map((outcome) => outcome.state)).toEqual(
						items.map((item) => (item.fails ? 'failed' : 'done')),
					);
					run.outcomes.forEach((outcome, index) => {
						if (outcome.state === 'done') expect(outcome.value).toBe(index);
						if (outcome.state === 'failed') expect(outcome.error).toMatchObject({ message: String(index) });
					});
					expect(highest).toBeLessThanOrEqual(ceiling);
				},
			),
			{ numRuns: 100 },
		);
	});

	it('fails with the error of its sequence of items', async () => {
		const time = new VirtualTime();
		const limiter = new Limiter(time, 2);
		function* items() {
			yield* numbers(5);
			throw new Error('The sequence broke');
		}
		const run = limiter.run(items(), (item) => limiter.attempt(() => time.sleep(item)));
		await expect(time.run(run)).rejects.toThrow('The sequence broke');
	});

	it('without items ends immediately', async () => {
		const limiter = new Limiter(new VirtualTime());
		expect(await limiter.run([], () => Promise.resolve(1))).toEqual({ outcomes: [] });
	});

	it.each([
		['401', new Unauthorized({ status: 401 })],
		['403', new Forbidden({ status: 403 })],
		[
			'a missing link',
			new LinkMissing({ action: 'add entities', rel: 'addEntity', available: ['self'], role: 'creator' }),
		],
	])(
		'starts no new items after %s, completes started ones and reports the untried ones',
		async (_what, error) => {
			const time = new VirtualTime();
			const limiter = new Limiter(time, 4);
			const tried: number[] = [];
			const run = await time.run(
				limiter.run(numbers(20), async (item) => {
					tried.push(item);
					await limiter.attempt(() => time.sleep(item === 5 ? 1 : 20));
					if (item === 5) throw error;
					return item;
				}),
			);
			expect(run.stoppedBy).toEqual({ error });
			const untried = numbers(20).filter((item) => !tried.includes(item));
			expect(untried.length).toBeGreaterThan(0);
			expect(valuesOf(run)).toEqual(
				numbers(20).map((item) => (item === 5 ? 'failed' : untried.includes(item) ? 'untried' : item)),
			);
		},
	);

	it('ends if the service requests too long a pause', async () => {
		const time = new VirtualTime();
		const service = new SimulatedService(time, () => new TooManyRequests({ status: 429 }, 3_600_000));
		const { run } = await createAll(service, 100);
		expect(run.stoppedBy?.error).toMatchObject({ retryAfter: 3_600_000 });
		expect(run.outcomes.filter((outcome) => outcome.state === 'failed').length).toBeLessThanOrEqual(4);
	});

	it('respects its own lower concurrency', async () => {
		const time = new VirtualTime();
		const limiter = new Limiter(time, 64);
		const service = new SimulatedService(time, () => 20);
		await time.run(
			limiter.run(numbers(100), (item) => limiter.attempt(() => service.create(item)), { atMost: 3 }),
		);
		expect(service.highest).toBe(3);
	});

	it('reads its items lazily', async () => {
		const time = new VirtualTime();
		const limiter = new Limiter(time, 2);
		let read = 0;
		let wanted = true;
		function* items() {
			while (wanted) yield read++;
		}
		const run = await time.run(
			limiter.run(items(), async (item) => {
				await limiter.attempt(() => time.sleep(5));
				if (item === 9) wanted = false;
			}),
		);
		expect(read).toBeLessThanOrEqual(12);
		expect(run.outcomes).toHaveLength(read);
	});
});

it('never waits for ever because the clock went on between two readings', async () => {
	for (let seed = 1; seed <= 100; seed++) {
		const time = new VirtualTime();
		let readings = 0;
		// Like timers of Node: they wake up to a millisecond early.
		const clock = {
			now: () => time.now() + readings++ / 50,
			sleep: (milliseconds: number) => time.sleep(Math.floor(milliseconds)),
		};
		const random = new Random(seed);
		const policy = { ...DEFAULT_RETRY, random: () => random.next() };
		const limiter = new Limiter(clock, 4);
		let refusals = 8;
		const attempt = async () => {
			await time.sleep(1);
			if (refusals-- > 0) throw new ConnectionFailed('ECONNREFUSED', false);
		};
		const run = await time.run(
			limiter.run(numbers(1), () => repeat(attempt, { policy, clock, limiter, idempotent: true })),
		);
		expect(run.stoppedBy).toBeUndefined();
	}
});

it('a retry is sent before new requests', async () => {
	const time = new VirtualTime();
	const limiter = new Limiter(time, 1);
	const order: string[] = [];
	const send = (name: string, isRetry: boolean) =>
		limiter.attempt(async () => {
			order.push(name);
			await time.sleep(20);
		}, isRetry);
	await time.run(Promise.all([send('first', false), send('new', false), send('retry', true)]));
	expect(order).toEqual(['first', 'retry', 'new']);
});

it('a request that waits for its retry does not block others', async () => {
	const time = new VirtualTime();
	const service = new SimulatedService(time, (_inFlight, item) =>
		item === 0 && time.now() < 1000 ? new ConnectionFailed('ECONNRESET', false) : 20,
	);
	const limiter = new Limiter(time, 1);
	const policy = { ...DEFAULT_RETRY, firstWait: 2000, random: () => 0.99 };
	const endedAt: number[] = [];
	await time.run(
		limiter.run(numbers(2), async (item) => {
			await repeat(() => service.create(item), { policy, clock: time, limiter, idempotent: false });
			endedAt[item] = time.now();
		}),
	);
	expect(endedAt).toEqual([2001, 21]);
});

it('loses and duplicates no item despite refusals, cut connections and timeouts', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 64 }), async (seed, ceiling) => {
			const random = new Random(seed);
			const service = new SimulatedService(new VirtualTime(), () => {
				if (random.chance(0.05)) return busy();
				if (random.chance(0.02)) return new TooManyRequests({ status: 429 }, 100);
				if (random.chance(0.02)) return new ConnectionFailed('ECONNREFUSED', false);
				return random.chance(0.05) ? new ConnectionFailed('ECONNRESET', true) : 5 + random.below(30);
			});
			const { run } = await createAll(service, 300, ceiling, seed);
			const unknown = run.outcomes.flatMap((outcome, item) =>
				outcome.state === 'failed' && outcome.error instanceof OutcomeUnknown ? [item] : [],
			);
			expect(run.stoppedBy).toBeUndefined();
			expect([...service.written, ...unknown].sort((a, b) => a - b)).toEqual(numbers(300));
		}),
		{ numRuns: 30 },
	);
});
