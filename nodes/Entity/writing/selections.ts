import type { Entity, Grid, Outcome } from '../../../client';
import { toNodeError } from '../../shared/display/nodeError';
import { dryRun } from '../../shared/inputs/options';
import type { Parameter } from '../../shared/inputs/parameter';
import { NotTried } from '../../shared/runner/bulk';
import type { ItemContext, ItemsContext, Result } from '../../shared/runner/context';
import { countRows, selectedRows, type Selection } from '../reading/selectedRows';
import { changeLimit, refuseTooMany } from './changeLimits';
import { checkPermissions } from './checks';
import { writeItems, type ItemWork, type ItemWrite } from './items';
import { changeOf, type Rules } from './plan';
import type { RunCounts } from './runCounts';
import { failedRow, rowKey } from './steps';
import { selectedRow } from './targets';
import type { Write } from './write';

/** What one item writes to each row that it selects. */
interface ItemSelection extends Pick<Write, 'grid' | 'fields' | 'values' | 'addsOptions'> {
	selection: Selection;
}

/** A row of a selection. */
interface SelectedWrite extends ItemWrite {
	entity: Entity;
	kind: 'update' | 'delete';
}

interface SelectionRules {
	/** What happens to a selected row. */
	kind: 'update' | 'delete';
	limit: Parameter<number>;
	/** @throws if the item is invalid */
	select: (item: ItemContext) => Promise<ItemSelection>;
}

/** Writes to the rows that the items select. All are read, planned and checked first. */
export async function writeSelected(
	context: ItemsContext,
	rules: SelectionRules,
): Promise<Array<Result | Error>> {
	return await writeItems(context, new SelectionWork(context, rules));
}

class SelectionWork implements ItemWork<SelectedWrite> {
	/** Selected rows by what selects them, each read once. */
	private readonly readings = new Map<string, Entity[]>();
	private readonly idsByGrid = new Map<Grid, Set<string>>();
	/** Rows as preceding items leave them. */
	private readonly states = new Map<string, Entity>();
	/** Counts the rows of a selection. */
	private count: (() => Promise<number>) | undefined;

	constructor(
		private readonly context: ItemsContext,
		private readonly rules: SelectionRules,
	) {}

	prepare = async (item: ItemContext): Promise<SelectedWrite[]> => {
		const { client } = this.context;
		const { kind, select } = this.rules;
		const { grid, fields, values, addsOptions, selection } = await select(item);
		const read = item.parameter;
		const needs = Object.keys(values);
		const key = JSON.stringify([grid.address, selection, needs]);
		// One row more than allowed is enough to know that there are too many.
		const limited = read(dryRun) ? {} : { limit: read(changeLimit) + 1 };
		const rows =
			this.readings.get(key) ??
			(await selectedRows(client, { grid, fields }, { selection, read, needs, ...limited }));
		this.readings.set(key, rows);
		this.count = async () => await countRows(client, { grid, fields }, { selection, read });
		const ids = this.idsByGrid.get(grid) ?? new Set<string>();
		this.idsByGrid.set(grid, ids);
		// A row that a preceding item deletes is not deleted again.
		const remaining = rows.filter(({ _id }) => kind === 'update' || !ids.has(_id));
		for (const { _id } of rows) ids.add(_id);
		const shape = { row: item.rowWriter(fields), names: item.columnNames(fields) };
		const rules: Rules = { fields, names: shape.names, matched: kind };
		return remaining.map((entity) => ({
			...{ grid, fields, values, addsOptions, ...shape, rules, entity, kind },
			target: selectedRow(rowKey(grid, entity._id), entity, this.states),
		}));
	};

	async refuse(writes: readonly SelectedWrite[]): Promise<void> {
		const { client, at } = this.context;
		const { kind, limit } = this.rules;
		await refuseTooMany(at(0), this.idsByGrid, {
			...{ limit, verb: `${kind}d` },
			// Rows that several selections share are counted once only if all of them are read.
			count: this.readings.size === 1 ? this.count : undefined,
		});
		const changes = writes.map((write) => ({
			...changeOf(write, write.entity, write.rules),
			grid: write.grid,
		}));
		await checkPermissions(client, changes);
	}

	/** One row of output for each selected row, with a sentence that counts them. */
	report(
		prepared: ReadonlyArray<Outcome<readonly SelectedWrite[]>>,
		outcomes: ReadonlyArray<Outcome<Result>>,
		counts: RunCounts,
	): Array<Result | Error> {
		const { node, at } = this.context;
		const remaining = outcomes.values();
		const results = prepared.map((item, itemIndex) => {
			const writes: ReadonlyArray<SelectedWrite | undefined> =
				item.state === 'done' ? item.value : [undefined];
			const rows = writes.map((write) => {
				const outcome = remaining.next().value ?? { state: 'untried' };
				if (outcome.state === 'done') return outcome.value;
				const error = outcome.state === 'failed' ? outcome.error : new NotTried('another row failed');
				if (!write) return toNodeError(node, error, itemIndex);
				return failedRow(node, write, { row: write.row(write.entity), error });
			});
			return rows.find((row) => row instanceof Error) ?? rows.flat();
		});
		// Without a valid item, a dry run has not looked for rows.
		const isSelected = !at(0).parameter(dryRun) || prepared.some(({ state }) => state === 'done');
		const error = counts.conclude(this.context, '', isSelected ? this.rowsMet(prepared) : '');
		return error ? [error] : results;
	}

	/** How many rows met the conditions. A row that several items select counts once. */
	private rowsMet(prepared: ReadonlyArray<Outcome<readonly SelectedWrite[]>>): string {
		const rows = [...this.idsByGrid.values()].reduce((sum, { size }) => sum + size, 0);
		const met = `${rows} ${rows === 1 ? 'row' : 'rows'} met the conditions`;
		const counts = prepared.flatMap((item) =>
			item.state === 'done' && item.value.length > 0 ? [item.value.length] : [],
		);
		// The counts by outcome count each pair of row and item.
		return rows < counts.reduce((sum, count) => sum + count, 0) ? `${met} of ${counts.length} items` : met;
	}
}
