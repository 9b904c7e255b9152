import { type Field, type NewField } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { placeMembers } from '../../shared/inputs/columns/members';
import { addColumns } from '../../shared/rows/addColumns';
import { ColumnNames, ROW_MEMBERS } from '../../shared/rows/columnNames';
import { typeLabel } from '../../shared/rows/columnTypes';
import { InferredType } from '../../shared/rows/inferType';
import type { ItemContext } from '../../shared/runner/context';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import type { RowFile } from './fileRows';

/** What to do with columns of the file that the grid lacks. */
export const missingColumns = choice(
	'missingColumns',
	'Missing Columns',
	{
		add: {
			name: 'Add',
			description:
				'They are added first, with the type that fits all their values, which requires permission to change columns',
		},
		leaveOut: { name: 'Leave Out', description: 'They are not written; a hint names them' },
	},
	{
		default: 'leaveOut',
		description:
			'What to do with columns of the file that the grid does not have. Add also fills a grid without columns: enter the names of the key columns as an expression. A column without values is never added.',
	},
);

/** The columns of a file that a grid lacks. @param hasOnlyTexts whether it is a CSV file */
export async function missingIn(
	file: RowFile,
	fields: readonly Field[],
	hasOnlyTexts: boolean,
): Promise<NewField[]> {
	const cells = Object.fromEntries(file.columns.map((name, index) => [name, index]));
	const { unknown } = placeMembers(cells, ColumnNames.of(fields));
	const missing = unknown
		.filter((name) => name !== '' && !ROW_MEMBERS.has(name) && !file.repeated.has(name))
		.map((name) => ({ name, index: file.columns.indexOf(name), inferred: new InferredType(hasOnlyTexts) }));
	if (missing.length === 0) return [];
	for await (const row of file.rows())
		for (const { index, inferred } of missing) inferred.add(row.cells[index]);
	return missing.flatMap(({ name, inferred: { type } }) =>
		type === undefined ? [] : [{ name, type: { name: type } }],
	);
}

/** The grid as it would be with further columns, for a plan. */
export function withColumns<Context extends ChosenGrid>(
	context: Context,
	added: readonly NewField[],
): Context {
	const further = added.map(
		({ name, type }): Field => ({
			...{ id: name, name, key: null, description: null, schema: undefined, required: undefined },
			type: { name: type.name, options: undefined },
			_links: new Map(),
		}),
	);
	return { ...context, fields: [...context.fields, ...further] };
}

/** Adds the columns. @returns the grid with them @throws LinkMissing, PartlyDone */
export async function addTo<Context extends ItemContext & ChosenGrid>(
	context: Context,
	columns: readonly NewField[],
): Promise<Context> {
	const { client, grid, hint } = context;
	await addColumns(client, grid, columns, undefined);
	hint(`Added to "${grid.name}": ${listOf(columns)}`);
	const { spaceId, gridId } = grid.address;
	const changed = await client.grids.open({ spaceId, gridId });
	return { ...context, grid: changed, fields: await client.fields.of(changed) };
}

/** E.g. `Size (Whole Number), Colour (Text)`. */
export const listOf = (columns: readonly NewField[]): string =>
	columns.map(({ name, type }) => `${name} (${typeLabel(type.name)})`).join(', ');
