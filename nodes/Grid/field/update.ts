import { z } from 'zod/v4';
import { type Client, type Field, type FieldChange, InvalidInput } from '../../../client';
import { typeLabel } from '../../shared/rows/columnTypes';
import { collection, notice, nothingToChange, optionalInput, textInput } from '../../shared/inputs/parameter';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { withoutUndefined } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { changeableField } from './chosenField';
import { chosenTypeChange, ENUM_TYPES, typeChangeFields, typeDetails, whenRetyped } from './fieldTypes';
import { dropsValues, dropUsedOptions, replaceOptions, typeAfter } from './optionChange';

const newName = optionalInput({
	displayName: 'New Name',
	name: 'newName',
	placeholder: 'e.g. Delivery Status',
	description: 'The new name that people see at the top of the column. If empty, it stays unchanged.',
});

const newKey = optionalInput({
	displayName: 'New Key',
	name: 'newKey',
	placeholder: 'e.g. delivery_status',
	description:
		'The new key, unique in the grid. Integrations that use the present key must be changed, too. If empty, it stays unchanged.',
});

const newDescription = textInput(
	{
		displayName: 'Description',
		name: 'description',
		placeholder: 'e.g. Progress of the order',
		description: 'What the column is for. Leave empty to remove the description.',
	},
	z
		.string()
		.transform((given) => given.trim() || null)
		.nullish(),
);

const further = collection(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		placeholder: 'Add property',
		description: 'Further changes; properties that are not added stay unchanged',
	},
	[newDescription, dropUsedOptions, replaceOptions, typeDetails],
);

const retyping = notice('notice', 'Values that do not fit the new type may be lost.');

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update column',
	description: 'Change the name, key, type, options or description of a column',
	whenRejected:
		'If the name or key is in use by another column, choose another one. Otherwise check the type and its details; values that do not fit the new type may have to be corrected first.',
	hintsBeforeRun: [
		dropsValues(
			'$parameter.additionalFields?.replaceOptions === true && $parameter.additionalFields?.dropUsedOptions === true',
		),
	],
	on: changeableField,
	fields: [
		newName,
		newKey,
		...typeChangeFields,
		{ ...retyping, property: { ...retyping.property, displayOptions: whenRetyped } },
		further,
	],
	async run({ client, grid, fields, field, parameter }) {
		const added = parameter(further);
		const details = added(typeDetails);
		const { name: typeName, entered } = chosenTypeChange(parameter);
		const isRetyped = typeName !== undefined || entered.length > 0 || details !== undefined;
		const name = typeName ?? field.type.name;
		if (entered.length > 0 && !ENUM_TYPES.includes(name))
			throw new InvalidInput(
				`"Options" is set, but "${field.name}" has the type ${typeLabel(name)}, which has no options`,
				'Remove "Options", or choose the type Choice or Several Choices.',
			);
		const replaces = added(replaceOptions) ?? false;
		const retyped = { name, entered, details, replaces, dropsUsed: added(dropUsedOptions) ?? false };
		const change: FieldChange = withoutUndefined({
			name: parameter(newName),
			key: parameter(newKey),
			description: added(newDescription),
			type: isRetyped ? await typeAfter(client, { grid, field }, retyped) : undefined,
		});
		if (Object.keys(change).length === 0)
			throw nothingToChange('"New Name", "New Key", "New Type", "Options" or "Additional Fields"');
		await send(client, { grid, fields, field }, change);
		const before = { name: field.name, key: field.key, description: field.description, type: field.type };
		const old = Object.entries(before).filter(([member]) => Object.hasOwn(change, member));
		const present = { id: field.id, name: field.name, key: field.key ?? null };
		return {
			...present,
			...change,
			before: Object.fromEntries(old.map(([member, value]) => [member, value ?? null])),
		};
	},
});

/** §4.4: one change has a request of its own, except of a description; several are one PATCH. */
async function send(
	client: Client,
	{ grid, fields, field }: ChosenGrid & { field: Field },
	change: FieldChange,
): Promise<void> {
	const { name, key, type } = change;
	const isSingle = Object.keys(change).length === 1;
	// ColumnRename identifies the column by its name, which may not be unique.
	const isUnique = fields.filter((other) => other.name === field.name).length === 1;
	if (isSingle && name !== undefined && isUnique) await client.fields.rename(grid, field.name, name);
	else if (isSingle && key !== undefined) await client.fields.changeKey(grid, field.id, key);
	else if (isSingle && type !== undefined) await client.fields.changeType(grid, field.id, type);
	else await client.fields.update(grid, field, change);
}
