import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { FieldChange } from '../../../client/resources/fields';
import { jsonObject } from '../../shared/inputs/json';
import { operation } from '../../shared/runner/operation';
import { nothingToChange, parameter as input } from '../../shared/inputs/parameter';
import { changeableField } from './chosenField';
import {
	ENUM_TYPES,
	optionsProperty,
	optionsSchema,
	otherTypeProperty,
	typeName,
	typeNameOf,
	typeProperty,
} from './fieldTypes';
import { dropsValues, dropUsedOptions, replaceOptions, typeAfter } from './optionChange';

const text = z.string().trim().min(1, 'it is empty').optional();

const changes = input(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'The properties to change; all others stay unchanged',
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
			{
				displayName: 'Key',
				name: 'key',
				type: 'string',
				default: '',
				placeholder: 'e.g. status',
				description: 'A stable key for integrations',
			},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Status',
				description: 'The name that people see at the top of the column',
			},
			{
				...optionsProperty,
				description:
					'The options of a choice column, separated by commas, or as a JSON list if an option contains a comma. They are added to the options of the column; see Replace Options.',
			},
			replaceOptions.property,
			typeProperty,
			{
				displayName: 'Type Details (JSON)',
				name: 'typeDetails',
				type: 'json',
				default: '',
				placeholder: 'e.g. { "currency": "EUR" }',
				description: 'Further properties of the type as a JSON object',
			},
			// In a collection, display options cannot refer to another member.
			{
				...otherTypeProperty,
				displayOptions: {},
				description: 'The name of the type, if Type is Other',
			},
		],
	},
	z.object({
		name: text,
		key: text,
		description: z
			.string()
			.transform((given) => given.trim() || null)
			.nullish(),
		type: typeName.optional(),
		otherTypeName: z.string().optional(),
		options: optionsSchema,
		replaceOptions: z.boolean().default(false),
		dropUsedOptions: z.boolean().default(false),
		typeDetails: jsonObject,
	}),
);

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update column',
	description: 'Change the name, key, description or type of a column (field) in one request',
	whenRejected:
		'If the name or key is in use by another column, choose another one. Otherwise check the type and its details.',
	hintsBeforeRun: [
		dropsValues(
			'$parameter.updateFields?.replaceOptions === true && $parameter.updateFields?.dropUsedOptions === true',
		),
	],
	on: changeableField,
	fields: [changes],
	async run({ client, grid, field, parameter }) {
		const given = parameter(changes);
		const { type: chosen, otherTypeName, options: entered, typeDetails, ...rest } = given;
		const { replaceOptions: replaces, dropUsedOptions: dropsUsed, ...plain } = rest;
		const type = chosen === undefined ? undefined : typeNameOf(chosen, otherTypeName);
		const retyped = type !== undefined || entered.length > 0 || typeDetails !== undefined;
		const name = type ?? field.type.name;
		if (entered.length > 0 && !ENUM_TYPES.includes(name))
			throw new InvalidInput(
				`"Options" is set, but "${field.name}" has the type ${name}, which has no options`,
				'Remove "Options", or choose the type Choice or Several Choices.',
			);
		const all: FieldChange = {
			...plain,
			...(retyped
				? {
						type: await typeAfter(
							client,
							{ grid, field },
							{ name, entered, details: typeDetails, replaces, dropsUsed },
						),
					}
				: {}),
		};
		const change = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
		if (Object.keys(change).length === 0) throw nothingToChange();
		await client.fields.update(grid, field, change);
		return { id: field.id, name: field.name, key: field.key ?? null, ...change };
	},
});
