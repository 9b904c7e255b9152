import { z } from 'zod/v4';
import { type Entity, type Field, ownMember, type Values } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { parameter } from '../../shared/inputs/parameter';
import { columnChoice } from '../../shared/inputs/selection/conditions';
import { ColumnNames } from '../../shared/rows/columnNames';
import { isBlank } from '../../shared/rows/values';

const write = choice(
	'write',
	'Write',
	{
		always: { name: 'Always', description: 'As without a rule' },
		ifEmpty: { name: 'Only If Empty', description: 'Keep a value that the row has' },
		never: { name: 'Only in New Rows', description: 'The grid owns the column' },
	},
	{ default: 'ifEmpty', description: 'When to write the column to a row that exists' },
);

/** Which columns of rows that exist are written. */
export const columnRules = parameter(
	{
		displayName: 'Column Rules',
		name: 'columnRules',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add column',
		default: {},
		description:
			'Columns that are not always written to rows that exist. Add it so that an import does not overwrite what a colleague has corrected. New rows get all values.',
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

/** The values of an item that may be written to a row that exists. */
export type WritableValues = (entity: Entity, values: Values) => Values;

/** @throws InvalidInput if a column is unknown */
export function writableValues(
	rules: ReadonlyArray<{ column: string; write: 'always' | 'ifEmpty' | 'never' }>,
	fields: readonly Field[],
): WritableValues {
	const ruled = new Map(
		rules.map((rule) => {
			const field = ColumnNames.of(fields).get(rule.column, columnRules.property.displayName);
			return [field.id, rule.write];
		}),
	);
	if (ruled.size === 0) return (_entity, values) => values;
	return (entity, values) =>
		Object.fromEntries(
			Object.entries(values).filter(([id]) => {
				const rule = ruled.get(id) ?? 'always';
				return rule === 'always' || (rule === 'ifEmpty' && isBlank(ownMember(entity, id)));
			}),
		);
}
