import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Entity } from '../../../client';
import { gridFields, openGridWithFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnNaming, outputColumns } from '../../shared/inputs/output/outputOptions';
import { choice } from '../../shared/inputs/choice';
import { parameter as input } from '../../shared/inputs/parameter';
import { RowWithFiles, type RowWriter } from '../../shared/rows/output';
import { runConcurrently } from '../../shared/runner/bulk';
import type { ItemContext, Row } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { compareAs, comparedFields } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { KeyedGrids, readAllAhead, type KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { keyValuesOf, matchBy } from '../keys/keyValues';
import { unsharedRow } from '../reading/sharedObjects';
import { planRow, type Rules } from '../writing/plan';

const whenUnmatched = choice(
	'whenUnmatched',
	'When No Row Matches',
	{
		drop: { name: 'Drop Item', description: 'The item is not output' },
		fail: { name: 'Fail', description: 'The item goes to the error output, if the node has one' },
		keep: { name: 'Keep Item', description: 'The item is output with null instead of a row' },
	},
	{ default: 'keep', description: 'What to do with an item if no row is found' },
);
const whenSeveral = choice(
	'whenSeveral',
	'When Several Rows Match',
	{
		fail: { name: 'Fail', description: 'The error lists the rows' },
		all: { name: 'Output All', description: 'Output one item per row' },
		first: { name: 'Use First', description: 'The first row in the order of the grid' },
	},
	{ default: 'fail', description: 'What to do with an item if several rows are found' },
);
const putResultIn = input(
	{
		displayName: 'Put Result In',
		name: 'putResultIn',
		type: 'string',
		default: 'row',
		placeholder: 'e.g. customer',
		description:
			'The field of the item to put the row in. Leave it empty to add the columns to the fields of the item.',
	},
	z
		.string()
		.trim()
		.refine((name) => name !== '__proto__', 'no field of an item can have this name'),
);

export const lookUp = batchOperation({
	value: 'lookUp',
	name: 'Look Up',
	action: 'Look up rows',
	description: 'Add to each item the row of a grid that belongs to it',
	fields: [...gridFields, matchBy, putResultIn, whenUnmatched, whenSeveral],
	options: [compareAs, findRows, columnNaming, outputColumns],
	async runAll(context) {
		const keyed = new KeyedGrids(context.client);
		let unmatched = 0;
		const result = (lookup: Lookup, matches: readonly Entity[]) => {
			const { key, row, rules, dropsItem } = lookup;
			const plans = planRow({ values: {}, key }, matches, rules);
			if (matches.length === 0) unmatched++;
			return (matches.length === 0 && dropsItem ? [] : plans).map(({ entity }) =>
				joined(lookup, entity && unsharedRow(entity, row)),
			);
		};
		const results = await runConcurrently(context, {
			prepare: async (item) => await lookupOf(item, keyed),
			begin: async (all) => {
				await readAllAhead(
					all.filter(({ hasKey }) => hasKey),
					context.at(0).option(findRows),
				);
			},
			resultWithoutRequest: (lookup) => {
				const matches = lookup.rows.known(lookup.key);
				return matches?.length === 1 ? result(lookup, matches) : undefined;
			},
			perform: async (lookup) => result(lookup, lookup.hasKey ? await lookup.rows.matching(lookup.key) : []),
		});
		if (unmatched > 0) context.hint(`Items without a matching row: ${unmatched} of ${context.items.length}`);
		return results;
	},
});

/** One item, read and checked. */
interface Lookup {
	item: INodeExecutionData;
	rows: KeyedRows;
	key: RowKey;
	/** An item without a value in a key column matches no row. */
	hasKey: boolean;
	row: RowWriter;
	/** The field to put the row in; empty to merge the row into the item. */
	member: string;
	/** Whether an item without a row is not output. */
	dropsItem: boolean;
	rules: Rules;
}

async function lookupOf(context: ItemContext, keyed: KeyedGrids): Promise<Lookup> {
	const { client, item, parameter, option, rowWriter } = context;
	const { grid, fields: all } = await openGridWithFields(client, parameter);
	const fields = comparedFields(option(compareAs), all);
	const { rows, values } = keyValuesOf(context, { grid, fields }, keyed);
	const hasKey = rows.keys.emptyKeyOf(values) === undefined;
	const unmatched = parameter(whenUnmatched);
	const several = parameter(whenSeveral);
	const rules: Rules = {
		...{ fields, names: new Map(), keys: rows.keys, matched: 'keep' },
		unmatched: unmatched === 'fail' ? { advice: 'Add the row, or change "When No Row Matches".' } : 'skip',
		several:
			several === 'fail'
				? { advice: 'Add a column that tells them apart, or change "When Several Rows Match".' }
				: several,
	};
	return {
		...{ item, rows, rules, hasKey, key: hasKey ? rows.keys.keyOf(values) : { text: '', values } },
		...{ row: rowWriter(fields), member: parameter(putResultIn), dropsItem: unmatched === 'drop' },
	};
}

/** An item with the row that was found for it. */
function joined({ item, member }: Lookup, row: object | undefined): Row {
	const json = member === '' ? { ...item.json, ...row } : { ...item.json, [member]: row ?? null };
	return item.binary ? new RowWithFiles(json, item.binary) : json;
}
