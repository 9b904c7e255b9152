import { z } from 'zod/v4';
import { type Field, InvalidInput, oncePer } from '../../../client';
import { choice, type Choice } from '../../shared/inputs/choice';
import { rowsInput } from '../../shared/inputs/parameter';
import { columnChoice } from '../../shared/inputs/selection/conditions';
import { ColumnNames, requireOnce } from '../../shared/rows/columnNames';

const always = { name: 'Always', description: 'As without a rule' };
const ifEmpty = { name: 'Only If Empty', description: 'Keep a value that the row has' };
const ifValue = {
	name: 'Only If the Item Has a Value',
	description: 'Keep the value of the row where the input has none',
};
const never = { name: 'Only in New Rows', description: 'The grid owns the column' };
const further = {
	default: 'ifEmpty',
	description: 'When to write the column to a row that exists',
} as const;

/** @param cost what the description says in addition */
function rulesOf<Write extends string>(write: Choice<Write | 'ifEmpty'>, cost: string) {
	return rowsInput(
		{
			displayName: 'Column Rules',
			name: 'columnRules',
			placeholder: 'Add column',
			description: `Columns that are not always written to rows that exist. Add it so that an import does not overwrite what a colleague has corrected. ${cost}`,
		},
		{ displayName: 'Column', name: 'rule', values: [columnChoice, write.property] },
		z.object({ column: z.string().min(1), write: write.schema.default('ifEmpty') }),
	);
}

/** Which columns of rows that exist are written. */
export const columnRules = rulesOf(
	choice('write', 'Write', { always, ifEmpty, ifValue, never }, further),
	'New rows get all values.',
);

/** The same for an operation that creates no rows. */
export const columnRulesOfUpdate = rulesOf(
	choice('write', 'Write', { always, ifEmpty, ifValue }, further),
	'Takes one more request per row; none with Key Columns.',
);

/** By field id; columns without a rule are always written. */
export type ColumnRules = ReadonlyMap<string, 'ifEmpty' | 'ifValue' | 'never'>;

type Given = ReturnType<typeof columnRules.read>;

/** By field id, the same map for all items. @throws InvalidInput if a column is unknown */
export const rulesById = (given: Given, fields: readonly Field[]): ColumnRules =>
	rulesOfColumns(given)(fields);

const rulesOfColumns = oncePer((given: Given) =>
	oncePer((fields: readonly Field[]): ColumnRules => {
		const label = columnRules.property.displayName;
		const columns = given.map(({ column }) => ColumnNames.of(fields).get(column, label));
		requireOnce(columns, label);
		return new Map(
			given.flatMap(({ write }, at) => {
				const id = columns[at]?.id;
				return write === 'always' || id === undefined ? [] : [[id, write] as const];
			}),
		);
	}),
);

/** @throws InvalidInput if differences are to be reported, but the grid owns no column */
export function requireOwnedColumn(rules: ColumnRules): void {
	if (![...rules.values()].includes('never'))
		throw new InvalidInput(
			'"Output" has differences, but no column belongs to the grid',
			`Add a column with the rule "${never.name}" to "${columnRules.property.displayName}".`,
		);
}
