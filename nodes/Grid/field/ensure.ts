import { type Client, InvalidInput } from '../../../client';
import {
	changeableGridFields,
	chosenReference,
	openGridWithFields,
} from '../../shared/inputs/pickers/chosenGrid';
import type { ReadParameter } from '../../shared/inputs/parameter';
import type { ItemsContext } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { dryRun } from '../../shared/inputs/options';
import type { WantedField } from './linkedGrids';
import { columnFieldsOrInput, columnsOrInput, creatable } from './columnDefinitions';
import { addColumns } from '../../shared/rows/addColumns';
import { columnsOf, planColumns } from './ensurePlan';

export const ensure = batchOperation({
	value: 'ensure',
	name: 'Add Missing',
	action: 'Add missing columns',
	description:
		'Add columns that a grid does not have yet, from a list or from the input items. Existing columns stay unchanged. Returns one item per grid.',
	fields: [...changeableGridFields, ...columnFieldsOrInput, dryRun],
	async runAll(context) {
		const results = context.items.map((): object[] | Error => []);
		for (const group of groupsOf(context, results)) {
			const outcome = await ensureGroup(context.client, group).then(
				(row) => [row],
				(error: unknown) => (error instanceof Error ? error : new Error(String(error))),
			);
			const [first, ...others] = group.entries;
			if (first) results[first.index] = outcome;
			// A failure is reported for every item of the grid, a success once.
			if (outcome instanceof Error) for (const { index } of others) results[index] = outcome;
		}
		return results;
	},
});

/** An input item and the columns it defines. */
interface Entry {
	index: number;
	json: object;
	defined: WantedField[] | 'input';
}

/** The input items of one grid, handled together. */
interface Group {
	parameter: ReadParameter;
	entries: Entry[];
}

/** The items by grid. An item whose inputs cannot be read gets its error in `results`. */
function groupsOf({ items, at }: ItemsContext, results: Array<object[] | Error>): Group[] {
	const groups = new Map<string, Group>();
	for (const [index, { json }] of items.entries()) {
		const { parameter } = at(index);
		const entry = readEntry(parameter);
		if (entry instanceof Error) {
			results[index] = entry;
			continue;
		}
		const group = groups.get(entry.grid) ?? { parameter, entries: [] };
		group.entries.push({ index, json, defined: entry.defined });
		groups.set(entry.grid, group);
	}
	return [...groups.values()];
}

function readEntry(parameter: ReadParameter): { grid: string; defined: Entry['defined'] } | Error {
	try {
		return { grid: JSON.stringify(chosenReference(parameter)), defined: columnsOrInput(parameter) };
	} catch (error) {
		return error instanceof Error ? error : new Error(String(error));
	}
}

async function ensureGroup(client: Client, { parameter, entries }: Group): Promise<object> {
	const { grid, fields } = await openGridWithFields(client, parameter);
	const wanted = entries.flatMap(({ defined }) => (defined === 'input' ? [] : defined));
	const listed = await creatable(client, wanted, grid.address.spaceId);
	const fromInput = entries.filter(({ defined }) => defined === 'input').map(({ json }) => json);
	const { columns, skipped } = columnsOf(fromInput, fields);
	if (listed.length + columns.length + skipped.length === 0)
		throw fromInput.length > 0
			? new InvalidInput(
					'There are no columns to add: the input items have no members',
					'Check the node before this one, or enter the columns here.',
				)
			: new InvalidInput(
					'There are no columns to add: neither "Columns" nor "Columns (JSON)" has one',
					'Add at least one column.',
				);
	const { missing, existing, different } = planColumns([...listed, ...columns], fields);
	const isDry = parameter(dryRun);
	const added = isDry
		? missing.map((column) => ({ ...column, type: column.type.name }))
		: await addColumns(client, grid, missing, undefined);
	return { gridId: grid.id, gridName: grid.name, dryRun: isDry, added, existing, different, skipped };
}
