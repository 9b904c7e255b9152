import { InvalidInput } from '../../../client';
import { sendable } from '../../shared/inputs/formValues';
import { jsonValues } from '../../shared/inputs/json';
import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import { accountlessOperation } from '../../shared/runner/operation';
import { chosenPublicRows, linkFields } from '../link';
import { layoutFor, linkedRow } from '../rows';

const rowValues = jsonValues({
	displayName: 'Values (JSON)',
	name: 'rowValues',
	placeholder: 'e.g. { "Status": "done", "Comment": null }',
	description:
		'The values to write, keyed according to "Name Columns By". Other columns keep their values; null clears a column.',
});

export const update = accountlessOperation({
	value: 'update',
	name: 'Update',
	action: 'Update row behind link',
	description: 'Change values of the row that an edit link leads to',
	fields: [...linkFields, rowValues, simplify, columnNaming],
	async run({ node, parameter }) {
		// Sent as JSON, NaN would become null, which clears a column.
		const values = sendable(parameter(rowValues));
		if (Object.values(values).every((value) => value === undefined))
			throw new InvalidInput('There is nothing to change', 'Enter at least one column in "Values (JSON)".');
		const rows = await chosenPublicRows(node, parameter);
		return linkedRow(await rows.update(values, layoutFor[parameter(columnNaming)]), parameter(simplify));
	},
});
