import { z } from 'zod/v4';
import type { Bench } from '../bench';
import { figureOf, Runs } from '../figures';
import { startProxy, startWorker } from '../target/control';
import { startTargetService } from '../target/service';
import { NARROW, WIDE } from '../target/shapes';
import { CAUSES } from './causes';
import type { FloorOrder } from './worker';

const turnSchema = z.object({
	cpu: z.number(),
	wall: z.number(),
	items: z.number(),
	shares: z.record(z.enum(CAUSES), z.number()).optional(),
	error: z.string().optional(),
});
type Turn = z.infer<typeof turnSchema>;

const CONTENDERS = ['ours', 'plain', 'loop'] as const;

/** Goal: at most this multiple of the loop. */
const OVER_LOOP = 1.3;

/** Allows a garbage collection before each run, so that runs do not pay for earlier ones. */
const NODE_OPTIONS = ['--expose-gc'];

/**
 * Alternates between the node and a minimal loop in one process, in n8n's engine and the Node.js
 * that n8n requires, so that other load affects both equally.
 */
async function compare(
	{ times, say, install }: Bench,
	{ work, rows, columns, label }: Pick<FloorOrder, 'work' | 'rows' | 'columns'> & { label: string },
) {
	const target = await startTargetService(work === 'create' ? 0 : rows, columns === 10 ? NARROW : WIDE);
	const proxy = await startProxy();
	const worker = await startWorker('floor/worker.ts', { node: install.node, nodeOptions: NODE_OPTIONS });
	const once = async (contender: FloorOrder['contender'], isProfiled = false) => {
		await proxy.set({ target: target.url, delay: 20, takes: 64, standsIn: true });
		const { key, secret, spaceId, grid, entities } = target;
		const account = { key, secret, spaceId, gridId: grid.id, entities, baseUrl: proxy.url };
		const order: FloorOrder = {
			...{ work, contender, rows, columns, isProfiled, ceiling: 64, pageSize: 1000 },
			...account,
		};
		const turn = turnSchema.parse(await worker.ask(order));
		if (turn.error !== undefined || turn.items !== rows)
			throw new Error(`${work}, ${contender}: ${turn.items} of ${rows} rows ${turn.error ?? ''}`);
		return turn;
	};
	try {
		// Warm-up, so that JIT compilation is not measured.
		for (const contender of CONTENDERS) await once(contender);
		const contenders = Object.fromEntries(CONTENDERS.map((name) => [name, () => once(name)]));
		const perRow = ({ cpu }: Turn) => (cpu * 1000) / rows;
		const runs = await Runs.alternating(Math.max(3, times), contenders, (run, turn) => {
			const cpu = `${perRow(run).toFixed(1)} µs of processor time per row`;
			say(`  ${work} ${turn}: ${cpu}, ${Math.round(run.wall)} ms`);
		});
		// Shares of a profiled run, of the time of the others: the profiler takes time itself.
		const causes = [];
		for (const contender of CONTENDERS) {
			const { shares } = await once(contender, true);
			for (const cause of CAUSES)
				causes.push({ cause, contender, micros: (shares?.[cause] ?? 0) * runs.median(contender, perRow) });
		}
		const figure = (what: string, unit: string, of: (turn: Turn) => number, floor: 'plain' | 'loop') =>
			figureOf({
				name: `${rows.toLocaleString('en')} ${label} of ${columns} columns, in n8n's engine: ${what}`,
				ours: runs.median('ours', of),
				helper: runs.median(floor, of),
				unit,
				goal: OVER_LOOP * runs.median(floor, of),
			});
		return {
			figures: [
				figure('processor time per row', 'µs', perRow, 'loop'),
				figure('processor time per row, beside a plain node', 'µs', perRow, 'plain'),
				figure('time', 'ms', ({ wall }) => wall, 'loop'),
			],
			runs: { ...runs.byName, causes },
		};
	} finally {
		worker.stop();
		proxy.stop();
		await target.stop();
	}
}

/** The same with ten and with twenty columns. */
async function compareBoth(bench: Bench, order: Pick<FloorOrder, 'work' | 'rows'> & { label: string }) {
	const [narrow, wide] = [
		await compare(bench, { ...order, columns: 10 }),
		await compare(bench, { ...order, columns: 20 }),
	];
	return { figures: [...narrow.figures, ...wide.figures], runs: wide.runs };
}

/** Creates, relative to n8n's HTTP helper in a loop. */
export const createOverFloor = (bench: Bench) =>
	compareBoth(bench, { work: 'create', rows: bench.quick ? 1000 : 3000, label: 'creates' });

/** Reads, relative to a loop that only parses pages and passes on their values. */
export const readOverFloor = (bench: Bench) =>
	compareBoth(bench, { work: 'read', rows: bench.quick ? 10_000 : 30_000, label: 'rows read' });
