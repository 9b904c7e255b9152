import { figureOf, runOf, type Run } from './figures';
import { byName, flow, httpCreate, ours, rows, type Step } from './n8n/workflows';
import { accountOf, ordersIn } from './target/account';
import type { TargetService } from './target/service';
import { rowOf } from './target/shapes';
import type { Bench } from './bench';

/**
 * Creates while the connections of 5 % of the POSTs are closed, half of them before and half of
 * them after the service has carried out the request.
 */
export async function createThroughCuts(bench: Bench) {
	const count = bench.quick ? 500 : 2000;
	const setting = { rows: 0, proxy: { delay: 20, cuts: 0.05 } };
	const wanted = Array.from({ length: count }, (_, n) => rowOf(n).Order);
	const goOn = { onError: 'continueRegularOutput' };

	const steps: Record<string, (target: TargetService) => Step> = {
		keyed: (target) =>
			ours(
				target,
				'entity',
				'create',
				{ columns: byName(), options: { avoidDuplicatesBy: [target.fieldIds['Order'] ?? ''] } },
				goOn,
			),
		plain: (target) => ours(target, 'entity', 'create', { columns: byName(), options: {} }, goOn),
		httpRequestNode: (target) => httpCreate(target, bench.url, {}, goOn),
	};

	const runs: Record<string, (Run & ReturnType<typeof accountOf> & { unnamed: number; unknown: number })[]> =
		{};
	const times = Math.min(3, bench.times);
	for (let time = 1; time <= times; time++) {
		for (const [name, step] of Object.entries(steps)) {
			const run = await bench.node(
				setting,
				(target) => flow(`recorded-cuts-${name}`, [rows(count), step(target)]),
				async (taken) => {
					const counts = await ordersIn(taken.target);
					const output = taken.note?.output ?? [];
					return { ...runOf(taken), ...accountOf(counts, wanted), ...namedIn(output, counts, wanted) };
				},
			);
			(runs[name] ??= []).push(run);
			bench.say(
				`  cuts ${String(time)}/${String(times)}, ${name}: ${String(run.written)} written, ${String(run.lost)} lost, ${String(run.doubled)} doubled, ${String(run.unknown)} reported as unknown, ${String(run.unnamed)} reported wrongly`,
			);
		}
	}

	const worst = (name: string, of: 'lost' | 'doubled' | 'unnamed') =>
		Math.max(...(runs[name] ?? []).map((run) => run[of]));
	const label = `${count.toLocaleString('en')} creates, 5 % of connections cut`;
	return {
		figures: [
			figureOf({
				name: `${label}, with key columns: rows lost`,
				ours: worst('keyed', 'lost'),
				httpRequestNode: worst('httpRequestNode', 'lost'),
				limit: null,
				unit: 'rows',
				goal: 0,
			}),
			figureOf({
				name: `${label}, with key columns: rows duplicated`,
				ours: worst('keyed', 'doubled'),
				httpRequestNode: worst('httpRequestNode', 'doubled'),
				limit: null,
				unit: 'rows',
				goal: 0,
			}),
			figureOf({
				name: `${label}, without: rows with a wrong outcome`,
				ours: worst('plain', 'unnamed'),
				httpRequestNode: worst('httpRequestNode', 'unnamed'),
				limit: null,
				unit: 'rows',
				goal: 0,
			}),
		],
		runs,
	};
}

/**
 * Compares the reported outcome of each item with the grid: "written" must exist once, "failed"
 * must not exist, "unknown" may be either.
 */
function namedIn(
	output: readonly Record<string, unknown>[],
	counts: ReadonlyMap<string, number>,
	wanted: readonly string[],
) {
	let unnamed = 0;
	let unknown = 0;
	for (const [index, order] of wanted.entries()) {
		const item = output[index];
		const times = counts.get(order) ?? 0;
		if (item?.['_outcome'] === 'unknown') {
			unknown++;
			if (times > 1) unnamed++;
		} else if (item === undefined || 'error' in item) unnamed += times > 0 || item === undefined ? 1 : 0;
		else if (times !== 1) unnamed++;
	}
	return { unnamed, unknown };
}
