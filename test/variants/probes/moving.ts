import type { INodeParameters } from 'n8n-workflow';
import { holds, same } from '../difference';
import { endpointOf } from '../exchange';
import { meaningOf } from '../aspects/links';
import { told, type Trial } from '../trial';
import { entity, type Probe } from './probe';
import { newCells, rowOf, someRows } from './rows';

/** Pages after which somebody else changes the grid. */
const CHANGES = 3;

type Change = (trial: Trial, ids: string[]) => Promise<void>;

/** Of one kind in each run: a row that goes and one that comes at once leave all counts alike. */
const KINDS: readonly Change[] = [
	async (trial, ids) => {
		const [id] = ids.splice(trial.random.below(ids.length), 1);
		if (id !== undefined) await trial.grid.remove(id);
	},
	async (trial) => void (await trial.grid.fill([trial.kept({ ...newCells(trial), Size: 500 })])),
	async (trial, ids) => {
		const id = ids[trial.random.below(ids.length)];
		if (id !== undefined) await trial.grid.change(id, { Size: trial.random.below(1000) });
	},
];

/** While a list is read, rows move from page to page: none may be lost or doubled in silence. */
async function readMoving(trial: Trial): Promise<void> {
	const { random, trials } = trial;
	const rows = await someRows(trial, 10 + random.below(20));
	const ids = rows.map(({ id }) => id);
	const change = KINDS[random.below(KINDS.length)];
	let pages = 0;
	trials.service.intercept = async ({ method, path }) => {
		const isPage = endpointOf(method, meaningOf(path)) === 'entities';
		if (isPage && ++pages <= CHANGES) await change?.(trial, ids);
		return undefined;
	};
	const sort: INodeParameters = random.chance(0.5)
		? { sort: { by: [{ column: 'Size', direction: 'ascending' }] } }
		: {};
	const run = await trial.run(entity('getMany'), { ...trial.inGrid, ...sort, returnAll: true });
	trials.service.intercept = () => undefined;
	holds('rows that move: an error', run.error === undefined, run.error && told(run.error));
	const found = trial.inward(run.rows).map((row) => rowOf(trial, row).id);
	same('rows that move: rows of output are different', new Set(found).size, found.length);
	const isTold = run.hints.some((hint) => hint.includes('changed while it was read'));
	const lost = ids.filter((id) => !found.includes(id));
	holds('rows that move: lost without a hint', isTold || lost.length === 0, lost);
}

export const movingProbes: Probe[] = [{ name: 'entity.getMany, rows that move', every: 3, run: readMoving }];
