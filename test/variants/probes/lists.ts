import { z } from 'zod/v4';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { Difference, same } from '../difference';
import type { Probe } from './probe';
import { told, type Trial } from '../trial';
import { someRows } from './rows';

const entity = new Entity();
const VIEWS = 5;
/** Beside that of the trial. */
const GRIDS = 4;

const results = z.object({ results: z.array(z.object({ name: z.string() })), paginationToken: z.unknown() });

/** What a list of the editor shows, over all its pages. */
async function listed(trial: Trial, method: keyof typeof entity.methods.listSearch): Promise<string[]> {
	const names: string[] = [];
	let token: string | undefined;
	for (let pages = 0; pages < 50; pages++) {
		const context = trial.editor('entity', { resource: 'entity', operation: 'get', ...trial.inGrid });
		const page = results.parse(
			await entity.methods.listSearch[method].call(context, undefined, token).catch(fail),
		);
		names.push(...page.results.map(({ name }) => name));
		if (page.paginationToken === undefined) return names;
		token = z.string().or(z.number().transform(String)).parse(page.paginationToken);
	}
	throw new Difference(`${method}: has no end`);
}

function fail(error: unknown): never {
	throw new Difference(`a list of the editor: ${error instanceof Error ? told(error) : String(error)}`);
}

/** Lists show all that is there, and a summary without links hides nothing. */
async function lists(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 4);
	const fields = [trial.grid.fieldId('Article')];
	for (let index = 0; index < VIEWS; index++)
		await trial.trials.truth.post(`${trial.grid.path}/virtualgrids`, {
			name: `View ${index} of ${trial.grid.id}`,
			fields,
			filter: {},
		});
	for (let index = 0; index < GRIDS; index++)
		await trial.trials.truth.addGrid(trial.grid.spaceId, `Grid ${index}`, []);
	const names = (await trial.trials.truth.grids(trial.grid.spaceId)).sort();
	same('the list of grids', (await listed(trial, 'searchGrids')).sort(), names);
	same('the list of grids to change', (await listed(trial, 'searchWritableGrids')).sort(), names);
	same('the list of rows', (await listed(trial, 'searchEntities')).length, rows.length);
	same('the list of views', (await listed(trial, 'searchViews')).length, VIEWS);
	const mapper = await entity.methods.resourceMapping.getColumns
		.call(trial.editor('entity', { resource: 'entity', operation: 'create', ...trial.inGrid }))
		.catch(fail);
	same(
		'the columns of the mapper',
		mapper.fields.map(({ id }) => id),
		[...trial.grid.fieldIds.keys()].map((name) => trial.stored(name)),
	);
}

export const listProbes: Probe[] = [{ name: 'lists of the editor', every: 4, run: lists }];
