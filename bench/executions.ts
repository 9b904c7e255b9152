import { median, type Bench } from './bench';
import { figureOf, runOf, type Run } from './figures';
import { byName, flow, MEASURED, ours, rows } from './n8n/workflows';
import { accountOf, ordersIn } from './target/account';
import { rowOf } from './target/shapes';

const EXECUTIONS = 10;
const TAKES = 64;
/** Goal: at most this multiple of the time of one execution with all rows. */
const OVER_ONE = 1.2;

/** Creates by ten concurrent executions and by one; the service allows 64 concurrent requests. */
export async function createTogether(bench: Bench) {
	const count = bench.quick ? 2000 : 10_000;
	const times = Math.min(3, bench.times);
	const wanted = Array.from({ length: count }, (_, n) => rowOf(n).Order);
	const setting = { rows: 0, proxy: { delay: 20, takes: TAKES } };
	const once = async (executions: number) =>
		await bench.together(
			setting,
			(target) =>
				Array.from({ length: executions }, (_, index) => {
					const each = count / executions;
					const create = ours(target, 'entity', 'create', { columns: byName(), options: {} });
					return flow(`executions-${executions}-${index}`, [rows(each, '', index * each), create]);
				}),
			async (taken) => {
				const failed = taken.notes.flatMap(({ nodes }) =>
					nodes.flatMap(({ name, error }) => (name === MEASURED && error ? [error] : [])),
				);
				if (failed[0] !== undefined) throw new Error(`${executions} executions: ${failed[0]}`);
				return { ...runOf(taken), ...accountOf(await ordersIn(taken.target), wanted) };
			},
		);
	const runs: Record<'one' | 'ten', Array<Run & ReturnType<typeof accountOf>>> = { one: [], ten: [] };
	// Warm-up, so that JIT compilation is not measured.
	await once(1);
	for (let time = 1; time <= times; time++)
		for (const [name, executions] of [
			['one', 1],
			['ten', EXECUTIONS],
		] as const) {
			const run = await once(executions);
			runs[name].push(run);
			const { took, lost, doubled, refused, highest } = run;
			bench.say(
				`  executions ${time}/${times}, ${name}: ${took} ms, ${lost} lost, ${doubled} doubled, ${refused} times 503, at most ${highest} at a time`,
			);
		}
	const took = (name: 'one' | 'ten') => median(runs[name].map((run) => run.took));
	const title = `${EXECUTIONS} executions of ${(count / EXECUTIONS).toLocaleString('en')} creates each at once, 64 at a time and 503 past that`;
	const none = { httpRequestNode: null, limit: null };
	return {
		figures: [
			figureOf({
				...none,
				name: `${title}: time over that of one execution of ${count.toLocaleString('en')}`,
				ours: took('ten') / took('one'),
				unit: 'times',
				goal: OVER_ONE,
			}),
			figureOf({
				...none,
				name: `${title}: rows lost or doubled`,
				ours: Math.max(...runs.ten.map(({ lost, doubled }) => lost + doubled)),
				unit: 'rows',
				goal: 0,
			}),
		],
		runs,
	};
}
