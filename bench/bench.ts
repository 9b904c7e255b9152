import { readFileSync } from 'node:fs';
import { MEASURED, type Flow } from './n8n/workflows';
import { startMeasuredN8n, type Note, type MeasuredN8n } from './n8n/measuredN8n';
import { startProxy, startWorker, type Proxy, type ProxySeen } from './target/control';
import type { ProxySettings } from './target/proxy.mjs';
import { startTargetService, type TargetService } from './target/service';
import { z } from 'zod/v4';
import type { N8nInstall } from '../scripts/setup/n8n.mjs';
import type { LoopOrder } from './limit/loop';

const loopSchema = z.object({ took: z.number(), failed: z.number(), items: z.number(), cpu: z.number() });

/** Conditions that are equal for all candidates */
export interface Setting {
	/** Rows in the grid before the run */
	rows: number;
	proxy: Omit<ProxySettings, 'target'>;
}
/** Processor time in milliseconds, by process */
interface Share {
	/** n8n, or the loop */
	client: number;
	proxy: number;
	service: number;
}
/** One run */
export interface Taken {
	/** Milliseconds: n8n's execution time of the node, or the time of the loop */
	took: number;
	seen: ProxySeen;
	cpu: Share;
	/** n8n's record of the execution */
	note?: Note;
	/** Still running */
	target: TargetService;
}

/**
 * All processes of the benchmarks: the service, its proxy, n8n, and the loop that measures the
 * limit.
 */
export class Bench {
	readonly quick: boolean;
	/** Number of runs; medians are reported. */
	readonly times: number;
	readonly say: (line: string) => void;
	/** Settings of the proxy. */
	readonly url: string;
	readonly #proxy: Proxy;
	readonly #loop: Awaited<ReturnType<typeof startWorker>>;

	#measured: MeasuredN8n | undefined;
	/** Names of the workflows in n8n. */
	#brought: Set<string> = new Set();

	constructor(
		proxy: Proxy,
		loop: Awaited<ReturnType<typeof startWorker>>,
		readonly install: N8nInstall,
		{ quick, times, say }: { quick: boolean; times: number; say: (line: string) => void },
	) {
		this.#proxy = proxy;
		this.#loop = loop;
		this.quick = quick;
		this.times = times;
		this.say = say;
		this.url = proxy.url;
	}

	/**
	 * Runs a workflow once against fresh data.
	 * @template Result
	 * @param options nodes whose execution times count (default: the measured one); whether to
	 *   restart n8n first
	 */
	async node<Result>(
		setting: Setting,
		flowOf: (target: TargetService) => Flow,
		use: (taken: Taken) => Promise<Result>,
		{ nodes = [MEASURED], fresh = false }: { nodes?: readonly string[]; fresh?: boolean } = {},
	): Promise<Result> {
		return await this.#against(setting, async (target) => {
			if (fresh) await this.#end();
			this.#measured ??= await startMeasuredN8n(this.install, this.url);
			const measured = this.#measured;
			const flow = flowOf(target);
			if (!this.#brought.has(flow.name)) await measured.add(target, flow);
			this.#brought.add(flow.name);
			await this.#proxy.set({ ...setting.proxy, target: target.url });
			const before = [processorTime(measured.n8n.pid), processorTime(target.pid)];
			const note = await measured.run(flow.name);
			const seen = await this.#proxy.seen();
			const after = [processorTime(measured.n8n.pid), processorTime(target.pid)];
			const took = note.nodes
				.filter(({ name }) => nodes.includes(name))
				.reduce((sum, one) => sum + one.took, 0);
			return await use({ took, note, seen, cpu: shareOf(before, after, seen), target });
		});
	}

	/**
	 * Runs the loop once against fresh data, to measure the limit of this machine.
	 * @template Result
	 */
	async limit<Result>(
		setting: Setting,
		orderOf: (target: TargetService) => Omit<LoopOrder, 'url' | 'authorization'>,
		use: (taken: Taken) => Promise<Result>,
	): Promise<Result> {
		return await this.#against(setting, async (target) => {
			await this.#proxy.set({ ...setting.proxy, target: target.url });
			const before = [0, processorTime(target.pid)];
			const order = {
				...orderOf(target),
				url: `${this.url}${target.entities}`,
				authorization: target.authorization,
			};
			const { took, cpu } = loopSchema.parse(await this.#loop.ask(order));
			const seen = await this.#proxy.seen();
			return await use({
				took,
				seen,
				target,
				cpu: shareOf(before, [cpu, processorTime(target.pid)], seen),
			});
		});
	}

	/**
	 * Restarts n8n for the next workflow, so that it need not collect garbage of another benchmark.
	 */
	async renew() {
		await this.#end();
	}

	async stop() {
		await this.#end();
		this.#proxy.stop();
		this.#loop.stop();
	}

	async #end() {
		await this.#measured?.stop();
		this.#measured = undefined;
		this.#brought.clear();
	}

	/** @template Result */
	async #against<Result>({ rows }: Setting, work: (target: TargetService) => Promise<Result>) {
		const target = await startTargetService(rows);
		try {
			return await work(target);
		} finally {
			await target.stop();
		}
	}
}

/** @template T */
export async function withBench<T>(
	install: N8nInstall,
	options: { quick: boolean; times: number; say: (line: string) => void },
	use: (bench: Bench) => Promise<T>,
): Promise<T> {
	const bench = new Bench(await startProxy(), await startWorker('limit/loop.ts'), install, options);
	try {
		return await use(bench);
	} finally {
		await bench.stop();
	}
}

/** Processor time of a process so far, in milliseconds. */
function processorTime(pid: number) {
	const fields =
		readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
			.split(') ')[1]
			?.split(' ') ?? [];
	// The kernel counts in hundredths of a second.
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

function shareOf(
	[client = 0, service = 0]: readonly number[],
	[clientAfter = 0, serviceAfter = 0]: readonly number[],
	{ cpu }: ProxySeen,
): Share {
	return { client: clientAfter - client, proxy: cpu, service: serviceAfter - service };
}

export function median(values: readonly number[]) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = sorted[middle] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
