import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { jsonObjectOr } from '../../../client/formats/json';
import { jsonOrText } from '../../shared/inputs/json';
import { columnNaming, simplify } from '../../shared/inputs/outputOptions';
import type { Operation } from '../../shared/runner/operation';
import { parameter } from '../../shared/inputs/parameter';
import { chosenPublicRows, linkFields } from './link';
import { layoutFor, linkedRow } from './rows';

const rowValues = parameter(
	{
		displayName: 'Values (JSON)',
		name: 'rowValues',
		type: 'json',
		default: '{}',
		required: true,
		placeholder: 'e.g. { "Status": "done", "Comment": null }',
		description:
			'The values to write, by what "Name Columns By" says. Columns that are left out keep their values; null clears one.',
	},
	z.preprocess(jsonOrText, jsonObjectOr('it is not a JSON object')),
);

export const updateRow: Operation = {
	value: 'updateRow',
	name: 'Update Row',
	action: 'Update a row by its edit link',
	description: 'Change the values of the row that an edit link leads to; needs no account',
	fields: [...linkFields, rowValues, simplify, columnNaming],
	async runWithoutAccount({ node, parameter: read }) {
		const values = read(rowValues);
		if (Object.keys(values).length === 0)
			throw new InvalidInput('There is no value to write', 'Enter at least one column in "Values (JSON)".');
		const rows = await chosenPublicRows(node, read);
		return linkedRow(await rows.update(values, layoutFor[read(columnNaming)]), read(simplify));
	},
};
