import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { jsonObjectOr } from '../../../client/formats/json';
import { jsonOrText } from '../../shared/inputs/json';
import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import { accountlessOperation } from '../../shared/runner/operation';
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
			'The values to write, keyed according to "Name Columns By". Other columns keep their values; null clears a column.',
	},
	z.preprocess(jsonOrText, jsonObjectOr('it is not a JSON object')),
);

export const updateRow = accountlessOperation({
	value: 'updateRow',
	name: 'Update Row',
	action: 'Update row by edit link',
	description: 'Change values of the row behind an edit link; needs no account',
	fields: [...linkFields, rowValues, simplify, columnNaming],
	async run({ node, parameter: read }) {
		const values = read(rowValues);
		if (Object.keys(values).length === 0)
			throw new InvalidInput('There is nothing to change', 'Enter at least one column in "Values (JSON)".');
		const rows = await chosenPublicRows(node, read);
		return linkedRow(await rows.update(values, layoutFor[read(columnNaming)]), read(simplify));
	},
});
