import { ServiceUnavailable, TooManyRequests } from '../../../../client/errors';
import { Limiter } from '../../../../client/http/limiter';
import { DEFAULT_RETRY, repeat } from '../../../../client/http/retry';
import { Random } from '../../../simulation/random';
import { numbers, SimulatedService } from '../../../simulation/simulatedCapacity';
import { VirtualTime } from '../../../simulation/virtualTime';

/** Budgets persist between tests, so each test uses its own service. */
let services = 0;
const newOrigin = () => `https://service-${++services}.example`;

const busy = () => new ServiceUnavailable({ status: 503 });
const accepts = (limit: number) => (inFlight: number) => (inFlight > limit ? busy() : 20);

/** Runs an execution that creates items. */
async function creating(service: SimulatedService, limiter: Limiter, items: readonly number[], seed = 1) {
	const random = new Random(seed);
	const policy = { ...DEFAULT_RETRY, random: () => random.next() };
	return await limiter.run(items, async (item) => {
		await repeat(() => service.create(item), { policy, clock: service.time, limiter, idempotent: false });
		return service.time.now();
	});
}

/** Runs ten executions of 300 items each. */
async function inTen(service: SimulatedService, newLimiter: () => Limiter) {
	const runs = numbers(10).map((execution) => {
		const items = numbers(300).map((item) => execution * 300 + item);
		return creating(service, newLimiter(), items, execution + 1);
	});
	return await service.time.run(Promise.all(runs));
}

describe('ten executions against a service that accepts 64 concurrent requests', () => {
	it('send no more concurrent requests than one execution, evenly, and write each item once', async () => {
		const service = new SimulatedService(new VirtualTime(), accepts(64));
		const origin = newOrigin();
		const runs = await inTen(service, () => new Limiter(service.time, 64, origin));
		expect(service.highest).toBeLessThanOrEqual(64);
		expect(service.refused).toBe(0);
		expect(service.written.sort((a, b) => a - b)).toEqual(numbers(3000));
		expect(runs.flatMap(({ outcomes }) => outcomes.filter(({ state }) => state !== 'done'))).toEqual([]);
		const ends = runs.map(({ outcomes }) =>
			Math.max(...outcomes.map((outcome) => (outcome.state === 'done' ? outcome.value : 0))),
		);
		// Sequentially, the first execution would end after a tenth of the total time.
		expect(Math.min(...ends)).toBeGreaterThan(0.9 * Math.max(...ends));
	});
});

it('an execution that starts later soon gets its share', async () => {
	const service = new SimulatedService(new VirtualTime(), accepts(64));
	const origin = newOrigin();
	const long = creating(service, new Limiter(service.time, 64, origin), numbers(5000));
	let took = 0;
	const short = service.time.sleep(500).then(async () => {
		await creating(service, new Limiter(service.time, 64, origin), [5000]);
		took = service.time.now() - 500;
	});
	await service.time.run(Promise.all([long, short]));
	expect(took).toBeLessThanOrEqual(40);
});

it('three executions that share one request at a time take turns', async () => {
	const time = new VirtualTime();
	const origin = newOrigin();
	const order: number[] = [];
	const runs = numbers(3).map((execution) => {
		const limiter = new Limiter(time, 1, origin);
		return limiter.run(numbers(10), () =>
			limiter.attempt(async () => {
				order.push(execution);
				await time.sleep(20);
			}),
		);
	});
	await time.run(Promise.all(runs));
	// The first one begins before the others have joined.
	const sent = order.slice(3, 18);
	expect(numbers(3).map((execution) => sent.filter((one) => one === execution).length)).toEqual([5, 5, 5]);
});

it('executions respect their own limits, and together the highest limit', async () => {
	const service = new SimulatedService(new VirtualTime(), () => 20);
	const origin = newOrigin();
	const sending = new Map<string, number>();
	const highest = new Map<string, number>();
	const one = async (name: string, ceiling: number) => {
		const limiter = new Limiter(service.time, ceiling, origin);
		await limiter.run(numbers(300), () =>
			limiter.attempt(async () => {
				sending.set(name, (sending.get(name) ?? 0) + 1);
				highest.set(name, Math.max(highest.get(name) ?? 0, sending.get(name) ?? 0));
				await service.create(0);
				sending.set(name, (sending.get(name) ?? 0) - 1);
			}),
		);
	};
	await service.time.run(Promise.all([one('narrow', 3), one('wide', 10)]));
	expect(highest.get('narrow')).toBe(3);
	expect(service.highest).toBe(10);
});

it('services have separate budgets', async () => {
	const time = new VirtualTime();
	const service = new SimulatedService(time, () => 20);
	const runs = numbers(2).map(() => creating(service, new Limiter(time, 8, newOrigin()), numbers(200)));
	await time.run(Promise.all(runs));
	expect(service.highest).toBe(16);
});

describe('an execution that occupies the budget', () => {
	it('blocks others for at most half a minute', async () => {
		const time = new VirtualTime();
		const origin = newOrigin();
		const stuck = new Limiter(time, 4, origin);
		void stuck.run(numbers(4), () => stuck.attempt(() => new Promise(() => {})));
		const service = new SimulatedService(time, () => 20);
		const run = await time.run(creating(service, new Limiter(time, 4, origin), numbers(20)));
		expect(run.outcomes.every(({ state }) => state === 'done')).toBe(true);
		expect(time.now()).toBeLessThan(35_000);
	});

	it('releases it when it is canceled, including its waiting requests', async () => {
		const time = new VirtualTime();
		const origin = newOrigin();
		const cancel = new AbortController();
		const { signal } = cancel;
		const cancelled = new Limiter({ now: time.now, sleep: time.sleep, signal }, 8, origin);
		let sent = 0;
		const first = cancelled.run(numbers(100), () =>
			cancelled.attempt(async () => {
				sent++;
				await new Promise((_, failed) => {
					signal.addEventListener('abort', () => {
						failed(new Error('aborted'));
					});
				});
			}),
		);
		const service = new SimulatedService(time, () => 20);
		const stop = time.sleep(5000).then(() => {
			cancel.abort();
		});
		const second = creating(service, new Limiter(time, 8, origin), numbers(200));
		const [run] = await time.run(Promise.all([first, second, stop]));
		expect(run.outcomes.filter(({ state }) => state === 'done')).toEqual([]);
		expect(sent).toBeLessThanOrEqual(8);
		expect(service.written).toHaveLength(200);
	});
});

describe('a pause that the service requests', () => {
	/** Returns the time at which another execution sends its next request after an error. */
	async function nextAfter(error: Error) {
		const time = new VirtualTime();
		const origin = newOrigin();
		const one = new Limiter(time, 8, origin);
		const other = new Limiter(time, 8, origin);
		const refused = one.attempt(() => Promise.reject(error)).catch(() => {});
		const next = time.sleep(10).then(() => other.attempt(() => Promise.resolve(time.now())));
		const [, sentAt] = await time.run(Promise.all([refused, next]));
		return sentAt;
	}

	it('applies to all executions after a 503', async () => {
		const sentAt = await nextAfter(new ServiceUnavailable({ status: 503 }, 5000));
		expect(sentAt).toBeGreaterThanOrEqual(5000);
		expect(sentAt).toBeLessThan(5200);
	});

	it('applies only to the execution that received a 429', async () => {
		expect(await nextAfter(new TooManyRequests({ status: 429 }, 5000))).toBe(10);
	});
});

it('the learned limit is discarded after a minute without requests', async () => {
	const time = new VirtualTime();
	const origin = newOrigin();
	const narrow = new SimulatedService(time, accepts(4));
	const before = new Limiter(time, 64, origin);
	await time.run(creating(narrow, before, numbers(100)));
	const limiter = () => new Limiter(time, 64, origin);
	const reachedBy = async (one: Limiter) => {
		const service = new SimulatedService(time, () => 20);
		await time.run(creating(service, one, numbers(300)));
		return service.highest;
	};
	const soon = await reachedBy(limiter());
	await time.run(time.sleep(60_000));
	expect(await reachedBy(limiter())).toBeGreaterThan(2 * soon);
});
