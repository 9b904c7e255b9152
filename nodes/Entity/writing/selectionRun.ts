import type { Entity, Field, Grid, Outcome } from '../../../client';
import { dryRun } from '../../shared/inputs/options';
import type { Parameter } from '../../shared/inputs/parameter';
import { prepareAll, resultsOf, markNotTried } from '../../shared/runner/bulk';
import type { ItemContext, ItemsContext, Result } from '../../shared/runner/context';
import { invalidRow, affectsAllItems } from './items';
import { carryOut } from './carryOut';
import { checkChanges } from './checks';
import { stepResults, type RowStep } from './rowSteps';
import { changeLimit, refuseTooMany } from './changeLimits';
import { countRows, selectedRows, type Selection } from '../reading/selectedRows';
import { addMissingOptionsOrThrow, type Writing } from './unknownOptions';

/** What one item does to each selected row. */
interface ItemPlan {
	grid: Grid;
	fields: readonly Field[];
	/** Whether to add options that the columns lack. */
	addsOptions?: boolean;
	selection: Selection;
	/** IDs of the columns whose present values decide what is written. */
	needs?: readonly string[];
	/**
	 * Called for the selected rows in the order of the items; undefined if a preceding item handles
	 * the row.
	 */
	step: (entity: Entity) => RowStep | undefined;
}

interface SelectionLimits {
	limit: Parameter<number>;
	/** Past participle for the message, such as `deleted`. */
	verb: string;
}

/**
 * Reads the rows selected by all items, plans every change, checks the limits, and only then
 * writes.
 * @param plan prepares an item; throws if the item is invalid
 */
export async function runOnSelection(
	context: ItemsContext,
	{ limit, verb }: SelectionLimits,
	plan: (item: ItemContext) => Promise<ItemPlan>,
): Promise<Array<Result | Error>> {
	const { client, node } = context;
	const { parameter, option } = context.at(0);
	const most = parameter(changeLimit);
	const isDry = parameter(dryRun);
	const readings = new Map<string, Entity[]>();
	const prepared = await prepareAll(context, async (item) => {
		const itemPlan = await plan(item);
		const { grid, selection, needs } = itemPlan;
		const read = item.parameter;
		const key = JSON.stringify([grid.address, selection, needs]);
		// One row more than allowed is enough to know that there are too many.
		const limited = isDry ? {} : { limit: most + 1 };
		const rows =
			readings.get(key) ?? (await selectedRows(client, itemPlan, { selection, read, needs, ...limited }));
		readings.set(key, rows);
		const count = async () => await countRows(client, itemPlan, { selection, read });
		return { ...itemPlan, rows, count };
	});
	const bad = prepared.some(({ state }) => state !== 'done');
	const isStopped = isDry ? affectsAllItems(prepared) : bad && !node.continueOnFail();
	if (isStopped) return resultsOf(node, markNotTried(prepared));
	const rowsByGrid = new Map<Grid, Set<string>>();
	const steps: RowStep[] = [];
	const writings: Writing[] = [];
	for (const outcome of prepared) {
		if (outcome.state !== 'done') continue;
		const { grid, fields, addsOptions = false, rows, step } = outcome.value;
		const ids = rowsByGrid.get(grid) ?? new Set();
		rowsByGrid.set(grid, ids);
		for (const entity of rows) {
			ids.add(entity._id);
			const planned = step(entity);
			if (!planned) continue;
			steps.push(planned);
			writings.push({ grid, fields, values: planned.values, addsOptions });
		}
	}
	const run = { isDryRun: isDry, hint: context.hint };
	// Rows that several selections share are counted once only if all of them are read.
	const [first] = prepared;
	const count = readings.size === 1 && first?.state === 'done' ? first.value.count : undefined;
	await refuseTooMany(client, rowsByGrid, { most, percent: option(limit), verb, run, count });
	await checkChanges(context, steps, isDry);
	await addMissingOptionsOrThrow(context, writings, isDry);
	const outcomes = isDry ? undefined : await carryOut(client, steps);
	const withoutSteps = prepared.map((outcome): Outcome<object[]> => {
		if (outcome.state === 'done') return { state: 'done', value: [] };
		const isInvalid = isDry && outcome.state === 'failed';
		return isInvalid ? { state: 'done', value: [invalidRow(node, outcome.error)] } : outcome;
	});
	return stepResults(context, steps, outcomes, resultsOf(node, withoutSteps));
}
