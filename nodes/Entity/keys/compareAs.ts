import { z } from 'zod/v4';
import { type Field, InvalidInput, oncePer } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { numeric, rowsInput } from '../../shared/inputs/parameter';
import { columnChoice } from '../../shared/inputs/selection/conditions';
import { ColumnNames, requireOnce } from '../../shared/rows/columnNames';
import { typeLabel } from '../../shared/rows/columnTypes';
import type { ComparedField } from '../../shared/rows/equality';
import { valueRulesOf } from '../../shared/rows/valueTypes';

const LABEL = 'Compare As';
const rule = choice(
	'rule',
	'Rule',
	{
		digitsOnly: { name: 'Digits Only', description: 'For phone and customer numbers' },
		exactly: { name: 'Exactly', description: 'As without a rule' },
		ignoreCaseAndSpaces: { name: 'Ignore Case and Spaces', description: 'For email addresses and names' },
		rounded: { name: 'Rounded', description: 'For numbers' },
	},
	{ default: 'ignoreCaseAndSpaces', description: 'Which values of the column are equal' },
);

const MAX_DECIMALS = 10;

/** How columns are compared. */
export const compareAs = rowsInput(
	{
		displayName: LABEL,
		name: 'compareAs',
		placeholder: 'Add column',
		description:
			'Columns whose values count as equal even if they are spelled differently. Add it if two systems spell e.g. an email address or a phone number differently. Equal values are not written. The service cannot search by a key column with a rule, so the whole grid is read once, and once more before rows are created.',
	},
	{
		displayName: 'Column',
		name: 'column',
		values: [
			columnChoice,
			rule.property,
			{
				displayName: 'Decimal Places',
				name: 'decimals',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: MAX_DECIMALS, numberPrecision: 0 },
				default: 2,
				displayOptions: { show: { rule: ['rounded'] } },
				description: 'The number of decimal places to round to',
			},
		],
	},
	z.object({
		column: z.string().min(1),
		rule: rule.schema.default('ignoreCaseAndSpaces'),
		decimals: numeric.pipe(z.number().int().min(0).max(MAX_DECIMALS)).default(2),
	}),
);
type Rules = ReturnType<typeof compareAs.read>;

const COMPARED = { ignoreCaseAndSpaces: 'texts', digitsOnly: 'texts', rounded: 'numbers' } as const;

/** The columns with their rules, the same list for all items. @throws InvalidInput */
export function comparedFields(rules: Rules, fields: Field[]): ComparedField[] {
	return rules.length === 0 ? fields : withRules(fields)(rules);
}

const withRules = oncePer((fields: readonly Field[]) =>
	oncePer((rules: Rules): ComparedField[] => {
		requireOnce(
			rules.map(({ column }) => ColumnNames.of(fields).get(column, LABEL)),
			LABEL,
		);
		const ruled = new Map(
			rules.map((one) => {
				const field = ColumnNames.of(fields).get(one.column, LABEL);
				const isFitting = one.rule === 'exactly' || COMPARED[one.rule] === valueRulesOf(field).rules;
				if (!isFitting)
					throw new InvalidInput(
						`"${LABEL}" cannot be used for "${field.name}", because its type is ${typeLabel(field.type.name)}`,
						'"Rounded" compares numbers, the other rules compare texts. Choose another rule, or remove the column.',
					);
				return [field.id, one];
			}),
		);
		return fields.map((field) => {
			const one = ruled.get(field.id);
			if (!one || one.rule === 'exactly') return field;
			return { ...field, compareAs: { rule: one.rule, decimals: one.decimals } };
		});
	}),
);
