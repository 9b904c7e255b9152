import { z } from 'zod/v4';
import { type Entity, type Field, InvalidInput, ownMember, type Values } from '../../../client';
import { choice, type Choice } from '../../shared/inputs/choice';
import { parameter } from '../../shared/inputs/parameter';
import { columnChoice } from '../../shared/inputs/selection/conditions';
import { ColumnNames } from '../../shared/rows/columnNames';
import { isEmptyCell } from '../../shared/rows/values';

const always = { name: 'Always', description: 'As without a rule' };
const ifEmpty = { name: 'Only If Empty', description: 'Keep a value that the row has' };
const never = { name: 'Only in New Rows', description: 'The grid owns the column' };
const further = {
	default: 'ifEmpty',
	description: 'When to write the column to a row that exists',
} as const;

/** @param cost what the description says in addition */
function rulesOf<Write extends string>(write: Choice<Write | 'ifEmpty'>, cost: string) {
	return parameter(
		{
			displayName: 'Column Rules',
			name: 'columnRules',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add column',
			default: {},
			description: `Columns that are not always written to rows that exist. Add it so that an import does not overwrite what a colleague has corrected. ${cost}`,
			options: [{ displayName: 'Column', name: 'rule', values: [columnChoice, write.property] }],
		},
		z
			.looseObject({
				rule: z
					.array(z.object({ column: z.string().min(1), write: write.schema.default('ifEmpty') }))
					.default([]),
			})
			.transform(({ rule }) => rule),
	);
}

/** Which columns of rows that exist are written. */
export const columnRules = rulesOf(
	choice('write', 'Write', { always, ifEmpty, never }, further),
	'New rows get all values.',
);

/** The same for an operation that creates no rows. */
export const columnRulesOfUpdate = rulesOf(
	choice('write', 'Write', { always, ifEmpty }, further),
	'Takes one more request per row; none with Key Columns.',
);

export const reportDifferences = parameter(
	{
		displayName: 'Report Differences',
		name: 'reportDifferences',
		type: 'boolean',
		default: false,
		description:
			'Whether to also output each row that differs from its item in a column with the rule Only in New Rows. Add it to send the values of the grid to the other system.',
	},
	z.boolean(),
);

type Rules = ReadonlyArray<{ column: string; write: 'always' | 'ifEmpty' | 'never' }>;

/** The rules by field id. @throws InvalidInput if a column is unknown */
const rulesById = (rules: Rules, fields: readonly Field[]) =>
	new Map(
		rules.map((rule) => {
			const field = ColumnNames.of(fields).get(rule.column, columnRules.property.displayName);
			return [field.id, rule.write];
		}),
	);

/** The values of an item that may be written to a row that exists. */
export type WritableValues = (entity: Entity, values: Values) => Values;

/** @throws InvalidInput if a column is unknown */
export function writableValues(rules: Rules, fields: readonly Field[]): WritableValues {
	const ruled = rulesById(rules, fields);
	if (ruled.size === 0) return (_entity, values) => values;
	return (entity, values) =>
		Object.fromEntries(
			Object.entries(values).filter(([id]) => {
				const rule = ruled.get(id) ?? 'always';
				return rule === 'always' || (rule === 'ifEmpty' && isEmptyCell(ownMember(entity, id)));
			}),
		);
}

/** @throws InvalidInput if the grid owns no column, or a column is unknown */
export function gridOwnedValues(rules: Rules, fields: readonly Field[]): (values: Values) => Values {
	const ruled = rulesById(rules, fields);
	if (!rules.some(({ write }) => write === 'never'))
		throw new InvalidInput(
			`"${reportDifferences.property.displayName}" is on, but no column belongs to the grid`,
			`Add a column with the rule "${never.name}" to "${columnRules.property.displayName}".`,
		);
	return (values) => Object.fromEntries(Object.entries(values).filter(([id]) => ruled.get(id) === 'never'));
}
