import { readFileSync } from 'node:fs';
import { MEASURED } from './n8n/workflows.mjs';
import { startStage } from './n8n/stage.mjs';
import { startProxy, startWorker } from './peer/control.mjs';
import { startPeer } from './peer/service.mjs';
import { z } from 'zod/v4';

const loopSchema = z.object({ took: z.number(), failed: z.number(), items: z.number(), cpu: z.number() });

/**
 * @typedef {import('./peer/service.mjs').Peer} Peer
 * @typedef {import('./peer/control.mjs').ProxySeen} ProxySeen
 * @typedef {import('./n8n/stage.mjs').Note} Note
 *
 * @typedef {object} Setting what all that are compared meet
 * @property {number} rows how many there are in the grid before
 * @property {Omit<import('./peer/control.mjs').ProxySettings, 'target'>} proxy
 *
 * @typedef {object} Share processor time in milliseconds, by process
 * @property {number} client n8n, or the loop
 * @property {number} proxy
 * @property {number} service
 *
 * @typedef {object} Taken one run
 * @property {number} took milliseconds, by n8n's own count of the node's execution time, or by the loop's clock
 * @property {ProxySeen} seen
 * @property {Share} cpu
 * @property {Note} [note] what n8n says of it
 * @property {Peer} peer still running
 */

/** Everything that runs while the benchmarks do: the service, the proxy before it, n8n, and the loop that shows the limit. */
export class Bench {
	#proxy;
	#loop;
	install;
	/** @type {import('./n8n/stage.mjs').Stage | undefined} */
	#stage;
	/** @type {Set<string>} names of the workflows that are in n8n */
	#brought = new Set();

	/**
	 * @param {Awaited<ReturnType<typeof startProxy>>} proxy
	 * @param {Awaited<ReturnType<typeof startWorker>>} loop
	 * @param {import('../scripts/setup/n8n.mjs').N8nInstall} install
	 * @param {{ quick: boolean, times: number, say: (line: string) => void }} options
	 */
	constructor(proxy, loop, install, { quick, times, say }) {
		this.#proxy = proxy;
		this.#loop = loop;
		this.install = install;
		this.quick = quick;
		/** How often each is run; medians are told. */
		this.times = times;
		this.say = say;
		this.url = proxy.url;
	}

	/**
	 * Runs a workflow once against fresh data.
	 * @template Result
	 * @param {Setting} setting
	 * @param {(peer: Peer) => import('./n8n/workflows.mjs').Flow} flowOf
	 * @param {(taken: Taken) => Promise<Result>} use
	 * @param {{ nodes?: readonly string[], fresh?: boolean }} [options] whose execution times count (default: the measured node's);
	 *   whether n8n is started anew for it
	 * @returns {Promise<Result>}
	 */
	async node(setting, flowOf, use, { nodes = [MEASURED], fresh = false } = {}) {
		return await this.#against(setting, async (peer) => {
			if (fresh) await this.#end();
			this.#stage ??= await startStage(this.install, this.url);
			const stage = this.#stage;
			const flow = flowOf(peer);
			if (!this.#brought.has(flow.name)) await stage.add(peer, flow);
			this.#brought.add(flow.name);
			await this.#proxy.set({ ...setting.proxy, target: peer.url });
			const before = [processorTime(stage.n8n.pid), processorTime(peer.pid)];
			const note = await stage.run(flow.name);
			const seen = await this.#proxy.seen();
			const after = [processorTime(stage.n8n.pid), processorTime(peer.pid)];
			const took = note.nodes
				.filter(({ name }) => nodes.includes(name))
				.reduce((sum, one) => sum + one.took, 0);
			return await use({ took, note, seen, cpu: shareOf(before, after, seen), peer });
		});
	}

	/**
	 * Runs the bare loop once against fresh data: the limit of this machine.
	 * @template Result
	 * @param {Setting} setting
	 * @param {(peer: Peer) => Omit<import('./limit/loop.mjs').LoopOrder, 'url' | 'authorization'>} orderOf
	 * @param {(taken: Taken) => Promise<Result>} use
	 * @returns {Promise<Result>}
	 */
	async limit(setting, orderOf, use) {
		return await this.#against(setting, async (peer) => {
			await this.#proxy.set({ ...setting.proxy, target: peer.url });
			const before = [0, processorTime(peer.pid)];
			const order = {
				...orderOf(peer),
				url: `${this.url}${peer.entities}`,
				authorization: peer.authorization,
			};
			const { took, cpu } = loopSchema.parse(await this.#loop.ask(order));
			const seen = await this.#proxy.seen();
			return await use({
				took,
				seen,
				peer,
				cpu: shareOf(before, [cpu, processorTime(peer.pid)], seen),
			});
		});
	}

	/** The next workflow runs in an n8n of its own: what another benchmark has left in its memory, it would have to clear away. */
	async renew() {
		await this.#end();
	}

	async stop() {
		await this.#end();
		this.#proxy.stop();
		this.#loop.stop();
	}

	async #end() {
		await this.#stage?.stop();
		this.#stage = undefined;
		this.#brought.clear();
	}

	/**
	 * @template Result
	 * @param {Setting} setting
	 * @param {(peer: Peer) => Promise<Result>} work
	 */
	async #against({ rows }, work) {
		const peer = await startPeer(rows);
		try {
			return await work(peer);
		} finally {
			await peer.stop();
		}
	}
}

/**
 * @template T
 * @param {import('../scripts/setup/n8n.mjs').N8nInstall} install
 * @param {{ quick: boolean, times: number, say: (line: string) => void }} options
 * @param {(bench: Bench) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withBench(install, options, use) {
	const bench = new Bench(await startProxy(), await startWorker('limit/loop.mjs'), install, options);
	try {
		return await use(bench);
	} finally {
		await bench.stop();
	}
}

/** Milliseconds of processor time that a process has taken so far. @param {number} pid */
function processorTime(pid) {
	const fields =
		readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
			.split(') ')[1]
			?.split(' ') ?? [];
	// The kernel counts in hundredths of a second.
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * @param {readonly number[]} before
 * @param {readonly number[]} after
 * @param {ProxySeen} seen
 * @returns {Share}
 */
function shareOf([client = 0, service = 0], [clientAfter = 0, serviceAfter = 0], { cpu }) {
	return { client: clientAfter - client, proxy: cpu, service: serviceAfter - service };
}

/** @param {readonly number[]} values */
export function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = sorted[middle] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
