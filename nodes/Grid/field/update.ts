import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { FieldChange } from '../../../client/resources/fields';
import { jsonObject } from '../../shared/inputs/json';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { chosenField, changeableFieldFields } from './chosenField';
import {
	ENUM_TYPES,
	optionsProperty,
	optionsSchema,
	otherTypeProperty,
	typeName,
	typeNameOf,
	typeOf,
	typeProperty,
} from './fieldTypes';

const text = z.string().trim().min(1, 'it is empty').optional();

const changes = input(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What to change; what is not added here stays as it is',
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				placeholder: 'e.g. How far the order has come',
				description: 'What the column is for; an empty one removes the description',
			},
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
				description: 'What people see at the head of the column',
			},
			{
				...optionsProperty,
				description:
					'The values to choose from in an enum column, separated by commas; a JSON list where one of them has a comma. They replace the present ones.',
			},
			typeProperty,
			{
				displayName: 'Type Details (JSON)',
				name: 'typeDetails',
				type: 'json',
				default: '',
				placeholder: 'e.g. { "currency": "EUR" }',
				description: 'Further properties of the type as a JSON object',
			},
			// Within a collection nothing can be shown for one type only.
			{
				...otherTypeProperty,
				displayOptions: {},
				description: 'The name of the type, where Type is "Other"',
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
		typeDetails: jsonObject,
	}),
);

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a column',
	description: 'Change the name, key, description or type of a column (field) in one go',
	fields: [...changeableFieldFields, changes],
	async run({ client, parameter }) {
		const { type: chosen, otherTypeName, options, typeDetails, ...plain } = parameter(changes);
		const type = chosen === undefined ? undefined : typeNameOf(chosen, otherTypeName);
		const { grid, field } = await chosenField(client, parameter);
		const retyped = type !== undefined || options.length > 0 || typeDetails !== undefined;
		const present = type === undefined || type === field.type.name ? { ...field.type } : {};
		const typeAfter = type ?? field.type.name;
		if (options.length > 0 && !ENUM_TYPES.includes(typeAfter))
			throw new InvalidInput(
				`"Options" are given, but "${field.name}" is of the type ${typeAfter}, which has none`,
				'Remove "Options", or choose the type enum or enumcollection.',
			);
		const details = { ...present, ...typeDetails };
		const all: FieldChange = {
			...plain,
			...(retyped ? { type: typeOf(field.name, typeAfter, options, details) } : {}),
		};
		const change = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
		if (Object.keys(change).length === 0)
			throw new InvalidInput('There is nothing to change', 'Add what to change under "Update Fields".');
		await client.fields.update(grid, field, change);
		return { id: field.id, ...change };
	},
};
