import { operation } from '../../shared/runner/operation';
import { changeableField } from './chosenField';
import { chosenTypeParts, ENUM_TYPES, typeFields } from './fieldTypes';
import { notice } from '../../shared/inputs/notice';
import { dropsValues, dropUsedOptions, replaceOptions, typeAfter } from './optionChange';

const isChoice = { show: { type: ENUM_TYPES } };
/** Applies to columns that already have options. */
const replaces = {
	...replaceOptions,
	property: { ...replaceOptions.property, displayOptions: isChoice },
};
const dropsUsed = {
	...dropUsedOptions,
	property: {
		...dropUsedOptions.property,
		displayOptions: { show: { ...isChoice.show, replaceOptions: [true] } },
	},
};

export const changeType = operation({
	value: 'changeType',
	name: 'Change Type',
	action: 'Change type of column',
	description: 'Change the type of a column (field); values that do not fit the new type may be lost',
	whenRejected:
		'Check the type and its details. If the values of the column do not fit the new type, correct them first.',
	hintsBeforeRun: [dropsValues('$parameter.replaceOptions === true && $parameter.dropUsedOptions === true')],
	on: changeableField,
	notice: notice('notice', 'Values that do not fit the new type may be lost.'),
	fields: [...typeFields, replaces, dropsUsed],
	async run({ client, grid, field, parameter }) {
		const type = await typeAfter(
			client,
			{ grid, field },
			{ ...chosenTypeParts(parameter), replaces: parameter(replaces), dropsUsed: parameter(dropsUsed) },
		);
		await client.fields.changeType(grid, field.id, type);
		return { id: field.id, name: field.name, type, oldType: field.type };
	},
});
