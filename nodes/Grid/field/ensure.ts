import { z } from 'zod/v4';
import type { Client } from '../../../client';
import type { NewField } from '../../../client/resources/fields';
import { chosenGrid, writableGridFields } from '../../shared/inputs/chosenGrid';
import type { ItemsContext, Operation } from '../../shared/runner/operation';
import { parameter as input, type ReadParameter } from '../../shared/inputs/parameter';
import { gridPicker, gridReference } from '../../shared/inputs/pickers/grid';
import { gridSpacePicker } from '../../shared/inputs/pickers/space';
import { columnFieldsOrInput, columnsOrInput } from './columnDefinitions';
import { addColumns } from './addColumns';
import { columnsOf, planColumns } from './ensurePlan';

const dryRun = input(
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description: 'Whether to answer only what would be added, and to add nothing',
	},
	z.boolean(),
);

export const ensure: Operation = {
	value: 'ensure',
	name: 'Add Missing',
	action: 'Add the columns that a grid lacks',
	description:
		'Add the columns (fields) that a grid lacks, from a list or from the input items with types told from their values; what is there is left as it is. Answers once for each grid.',
	fields: [...writableGridFields, ...columnFieldsOrInput, dryRun],
	async runAll(context) {
		const results = context.items.map((): object[] | Error => []);
		for (const group of groupsOf(context, results)) {
			const outcome = await ensureGroup(context.client, group).then(
				(row) => [row],
				(error: unknown) => (error instanceof Error ? error : new Error(String(error))),
			);
			const [first, ...others] = group.entries;
			if (first) results[first.index] = outcome;
			// Each item of a grid that failed says so; one that went well is told once.
			if (outcome instanceof Error) for (const { index } of others) results[index] = outcome;
		}
		return results;
	},
};

/** An input item, and the columns that it asks for. */
interface Entry {
	index: number;
	json: object;
	wanted: NewField[] | 'input';
}

/** The input items of one grid: its columns are ensured together. */
interface Group {
	parameter: ReadParameter;
	entries: Entry[];
}

/** The items by their grid. An item whose inputs cannot be read gets its error in `results`. */
function groupsOf({ items, parameter }: ItemsContext, results: Array<object[] | Error>): Group[] {
	const groups = new Map<string, Group>();
	for (const [index, { json }] of items.entries()) {
		const own: ReadParameter = (of) => parameter(of, index);
		const asked = readEntry(own);
		if (asked instanceof Error) {
			results[index] = asked;
			continue;
		}
		const group = groups.get(asked.grid) ?? { parameter: own, entries: [] };
		group.entries.push({ index, json, wanted: asked.wanted });
		groups.set(asked.grid, group);
	}
	return [...groups.values()];
}

function readEntry(parameter: ReadParameter): { grid: string; wanted: Entry['wanted'] } | Error {
	try {
		const reference = gridReference(parameter(gridPicker), parameter(gridSpacePicker));
		return { grid: JSON.stringify(reference), wanted: columnsOrInput(parameter) };
	} catch (error) {
		return error instanceof Error ? error : new Error(String(error));
	}
}

async function ensureGroup(client: Client, { parameter, entries }: Group): Promise<object> {
	const { grid, fields } = await chosenGrid(client, parameter);
	const listed = entries.flatMap(({ wanted }) => (wanted === 'input' ? [] : wanted));
	const fromInput = entries.filter(({ wanted }) => wanted === 'input').map(({ json }) => json);
	const { columns, skipped } = columnsOf(fromInput, fields);
	const { missing, existing, different } = planColumns([...listed, ...columns], fields);
	const isDry = parameter(dryRun);
	const added = isDry ? missing : await addColumns(client, grid, missing, undefined);
	return { gridId: grid.id, gridName: grid.name, dryRun: isDry, added, existing, different, skipped };
}
