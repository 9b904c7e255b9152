import { z } from 'zod/v4';
import { median, type Bench } from '../bench';
import { figureOf } from '../figures';
import { startProxy, startWorker } from '../target/control';
import { startTargetService } from '../target/service';
import { WIDE } from '../target/shapes';
import { CAUSES, type Cause } from './causes';
import type { FloorOrder } from './worker';

const turnSchema = z.object({
	cpu: z.number(),
	wall: z.number(),
	items: z.number(),
	shares: z.record(z.enum(CAUSES), z.number()).optional(),
	error: z.string().optional(),
});
type Turn = z.infer<typeof turnSchema>;

/** Processor time per row of one cause. */
interface Cost {
	cause: Cause;
	contender: FloorOrder['contender'];
	/** Microseconds. */
	micros: number;
}

const CONTENDERS = ['ours', 'plain', 'loop'] as const;

/** Allows a garbage collection before each run, so that runs do not pay for earlier ones. */
const NODE_OPTIONS = ['--expose-gc'];

/**
 * Alternates between the node and a minimal loop in one process, in n8n's engine and the Node.js
 * that n8n requires, so that other load affects both equally.
 */
async function inTurns(work: FloorOrder['work'], rows: number, { times, say, install }: Bench) {
	const target = await startTargetService(work === 'create' ? 0 : rows, WIDE);
	const proxy = await startProxy();
	const worker = await startWorker('floor/worker.ts', { node: install.node, nodeOptions: NODE_OPTIONS });
	const once = async (contender: FloorOrder['contender'], isProfiled = false) => {
		await proxy.set({ target: target.url, delay: 20, takes: 64, standsIn: true });
		const { key, secret, spaceId, grid, entities } = target;
		const account = { key, secret, spaceId, gridId: grid.id, entities, baseUrl: proxy.url };
		const order: FloorOrder = { work, contender, rows, isProfiled, ceiling: 64, pageSize: 1000, ...account };
		const turn = turnSchema.parse(await worker.ask(order));
		if (turn.error !== undefined || turn.items !== rows)
			throw new Error(`${work}, ${contender}: ${turn.items} of ${rows} rows ${turn.error ?? ''}`);
		return turn;
	};
	const taken: Record<FloorOrder['contender'], Turn[]> = { ours: [], plain: [], loop: [] };
	try {
		// Warm-up, so that JIT compilation is not measured.
		for (const contender of CONTENDERS) await once(contender);
		const turns = Math.max(3, times);
		for (let turn = 1; turn <= turns; turn++)
			for (const contender of CONTENDERS) {
				const found = await once(contender);
				taken[contender].push(found);
				const perRow = ((found.cpu * 1000) / rows).toFixed(1);
				say(
					`  ${work} ${turn}/${turns}, ${contender}: ${perRow} µs of processor time per row, ${Math.round(found.wall)} ms`,
				);
			}
		const per = (turns: readonly Turn[]) => (median(turns.map(({ cpu }) => cpu)) * 1000) / rows;
		// Shares of a profiled run, of the time of the others: the profiler takes time itself.
		const causes: Cost[] = [];
		for (const contender of CONTENDERS) {
			const { shares } = await once(contender, true);
			for (const cause of CAUSES)
				causes.push({ cause, contender, micros: (shares?.[cause] ?? 0) * per(taken[contender]) });
		}
		return { ...taken, causes };
	} finally {
		worker.stop();
		proxy.stop();
		await target.stop();
	}
}

async function compare(
	bench: Bench,
	{ work, rows, label, factor }: { work: FloorOrder['work']; rows: number; label: string; factor: number },
) {
	const runs = await inTurns(work, rows, bench);
	const cpu = (turns: readonly Turn[]) => (median(turns.map((turn) => turn.cpu)) * 1000) / rows;
	const wall = (turns: readonly Turn[]) => median(turns.map((turn) => turn.wall));
	const about = `${rows.toLocaleString('en')} ${label} of 20 columns, in n8n's engine`;
	return {
		figures: [
			figureOf({
				name: `${about}: processor time per row`,
				ours: cpu(runs.ours),
				helper: cpu(runs.loop),
				unit: 'µs',
				goal: factor * cpu(runs.loop),
			}),
			figureOf({
				name: `${about}: processor time per row, beside a plain node`,
				ours: cpu(runs.ours),
				helper: cpu(runs.plain),
				unit: 'µs',
				goal: factor * cpu(runs.plain),
			}),
			figureOf({
				name: `${about}: time`,
				ours: wall(runs.ours),
				helper: wall(runs.loop),
				unit: 'ms',
				goal: factor * wall(runs.loop),
			}),
		],
		runs,
	};
}

/** Creates, relative to n8n's HTTP helper in a loop. */
export async function createOverFloor(bench: Bench) {
	return await compare(bench, {
		work: 'create',
		rows: bench.quick ? 1000 : 3000,
		label: 'creates',
		factor: 1.3,
	});
}

/** Reads, relative to a loop that only parses pages. */
export async function readOverFloor(bench: Bench) {
	return await compare(bench, {
		work: 'read',
		rows: bench.quick ? 10_000 : 30_000,
		label: 'rows read',
		factor: 1.4,
	});
}
