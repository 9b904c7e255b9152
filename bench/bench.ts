import { readFileSync } from 'node:fs';
import { MEASURED, type Flow } from './n8n/workflows';
import { startMeasuredN8n, type MeasuredN8n } from './n8n/measuredN8n';
import { accountOf } from './target/account';
import { startProxy, startWorker, type Proxy, type Worker } from './target/control';
import type { ProxySettings } from './target/proxy.mjs';
import { startTargetService, type TargetService } from './target/service';
import { z } from 'zod/v4';
import type { N8nInstall } from '../scripts/setup/n8n.mjs';
import type { LoopOrder } from './limit/loop';

const loopSchema = z.object({ took: z.number(), client: z.number(), items: z.number() });

/** Conditions that are equal for all candidates */
interface Setting {
	/** Rows in the grid before the run */
	rows: number;
	proxy: Omit<ProxySettings, 'target'>;
	/** The orders to be written, if any: the run compares them with those in the grid. */
	wanted?: readonly string[];
}
/** What a candidate reports of a run */
interface Work {
	/** Milliseconds: n8n's execution time of the node, or the time of the loop */
	took: number;
	/** Milliseconds of processor time of n8n, or the loop */
	client: number;
	/** Peak resident size of n8n in megabytes */
	peak?: number;
	/** Number of output items */
	items?: number;
	/** The first output item, if n8n recorded it */
	output?: Record<string, unknown> | undefined;
	error?: string | undefined;
}
export type Run = Awaited<ReturnType<Bench['limit']>>;

/**
 * All processes of the benchmarks: the service, its proxy, n8n, and the loop that measures the
 * limit.
 */
export class Bench {
	/** Base URL of the proxy. */
	readonly url: string;
	#measured: MeasuredN8n | undefined;

	constructor(
		private readonly proxy: Proxy,
		private readonly loop: Worker,
		readonly install: N8nInstall,
		readonly quick: boolean,
		/** Number of runs; medians are reported. */
		readonly times: number,
		readonly say: (line: string) => void,
	) {
		this.url = proxy.url;
	}

	/**
	 * Runs a workflow once against fresh data.
	 * @param options nodes whose execution times count (default: the measured one); whether to
	 *   restart n8n first
	 */
	async node(
		setting: Setting,
		flowOf: (target: TargetService) => Flow,
		{ nodes = [MEASURED], fresh = false }: { nodes?: readonly string[]; fresh?: boolean } = {},
	): Promise<Run> {
		return await this.#against(setting, async (target) => {
			if (fresh) await this.renew();
			const measured = (this.#measured ??= await startMeasuredN8n(this.install, this.url));
			const flow = flowOf(target);
			await measured.add(target, flow);
			return async () => {
				const before = processorTime(measured.n8n.pid);
				const note = await measured.run(flow.name);
				const client = processorTime(measured.n8n.pid) - before;
				const measuredNode = note.nodes.find(({ name }) => name === MEASURED);
				return {
					took: note.nodes.filter(({ name }) => nodes.includes(name)).reduce((sum, one) => sum + one.took, 0),
					client,
					peak: Math.round(note.peakKilobytes / 1024),
					items: note.nodes.at(-1)?.items ?? 0,
					output: note.output[0],
					error: measuredNode?.error ?? note.error,
				};
			};
		});
	}

	/** Runs the loop once against fresh data, to measure the limit of this machine. */
	async limit(
		setting: Setting,
		orderOf: (target: TargetService) => Omit<LoopOrder, 'url' | 'authorization'>,
	) {
		return await this.#against(setting, (target) => {
			const { entities, authorization } = target;
			const order = { ...orderOf(target), url: `${this.url}${entities}`, authorization };
			return Promise.resolve(async () => loopSchema.parse(await this.loop.ask(order)));
		});
	}

	/** Restarts n8n for the next workflow, so that it need not collect garbage of another one. */
	async renew() {
		await this.#measured?.stop();
		this.#measured = undefined;
	}

	/** @param prepare prepares the run, which is then measured */
	async #against(
		{ rows, proxy, wanted }: Setting,
		prepare: (target: TargetService) => Promise<() => Promise<Work>>,
	) {
		const target = await startTargetService(rows);
		try {
			const work = await prepare(target);
			await this.proxy.set({ ...proxy, target: target.url });
			const before = processorTime(target.pid);
			const { took, client, error, ...more } = await work();
			const { requests, refused, highest, cpu } = await this.proxy.seen();
			const service = processorTime(target.pid) - before;
			return {
				took: Math.round(took),
				...{ requests, refused, highest },
				cpu: { client: Math.round(client), proxy: Math.round(cpu), service },
				...more,
				...(error === undefined ? {} : { error: error.slice(0, 200) }),
				...(wanted && (await accountOf(target, wanted))),
			};
		} finally {
			await target.stop();
		}
	}
}

/** @template T */
export async function withBench<T>(
	install: N8nInstall,
	{ quick, times, say }: Pick<Bench, 'quick' | 'times' | 'say'>,
	use: (bench: Bench) => Promise<T>,
): Promise<T> {
	const [proxy, loop] = [await startProxy(), await startWorker('limit/loop.ts')];
	const bench = new Bench(proxy, loop, install, quick, times, say);
	try {
		return await use(bench);
	} finally {
		await bench.renew();
		proxy.stop();
		loop.stop();
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
