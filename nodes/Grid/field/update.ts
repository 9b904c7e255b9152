import { z } from 'zod/v4';
import { type Client, type Field, type FieldChange, InvalidInput } from '../../../client';
import { typeLabel } from '../../shared/rows/columnTypes';
import { jsonObject } from '../../shared/inputs/json';
import { notice, nothingToChange, parameter as input, unchangedIfEmpty } from '../../shared/inputs/parameter';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { operation } from '../../shared/runner/operation';
import { changeableField } from './chosenField';
import {
	chosenTypeChange,
	ENUM_TYPES,
	typeChangeFields,
	typeDetailsProperty,
	whenRetyped,
} from './fieldTypes';
import { dropsValues, dropUsedOptions, replaceOptions, typeAfter } from './optionChange';

const newName = input(
	{
		displayName: 'New Name',
		name: 'newName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Delivery Status',
		description: 'The new name that people see at the top of the column. If empty, it stays unchanged.',
	},
	unchangedIfEmpty,
);

const newKey = input(
	{
		displayName: 'New Key',
		name: 'newKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. delivery_status',
		description:
			'The new key, unique in the grid. Integrations that use the present key must be changed, too. If empty, it stays unchanged.',
	},
	unchangedIfEmpty,
);

const further = input(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'Further changes; properties that are not added stay unchanged',
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				placeholder: 'e.g. Progress of the order',
				description: 'What the column is for. Leave empty to remove the description.',
			},
			dropUsedOptions.property,
			replaceOptions.property,
			typeDetailsProperty,
		],
	},
	z.object({
		description: z
			.string()
			.transform((given) => given.trim() || null)
			.nullish(),
		replaceOptions: z.boolean().default(false),
		dropUsedOptions: z.boolean().default(false),
		typeDetails: jsonObject,
	}),
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
		const { description, typeDetails, ...options } = parameter(further);
		const { name: typeName, entered } = chosenTypeChange(parameter);
		const isRetyped = typeName !== undefined || entered.length > 0 || typeDetails !== undefined;
		const name = typeName ?? field.type.name;
		if (entered.length > 0 && !ENUM_TYPES.includes(name))
			throw new InvalidInput(
				`"Options" is set, but "${field.name}" has the type ${typeLabel(name)}, which has no options`,
				'Remove "Options", or choose the type Choice or Several Choices.',
			);
		const { replaceOptions: replaces, dropUsedOptions: dropsUsed } = options;
		const retyped = { name, entered, details: typeDetails, replaces, dropsUsed };
		const all: FieldChange = {
			name: parameter(newName),
			key: parameter(newKey),
			description,
			type: isRetyped ? await typeAfter(client, { grid, field }, retyped) : undefined,
		};
		const change = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
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
