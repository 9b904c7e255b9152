import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { jsonObject, oncePer } from '../../../client';
import { parameter, type ReadParameter, type Parameter, toggle } from './parameter';

const collectionSchema = jsonObject.nullish();
const groupSchema = z.looseObject({ values: collectionSchema });

/** Several options under one name, each of which is read like an option of its own. */
export interface OptionGroup {
	property: INodeProperties;
	members: ReadonlyArray<Parameter<unknown>>;
}

/** An option, or several under one name. */
export type Option = Parameter<unknown> | OptionGroup;

/** Options that are shown together, so that the list of options stays short. */
export function optionGroup(
	shown: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	...members: ReadonlyArray<Parameter<unknown>>
): OptionGroup {
	const { displayName } = shown;
	const values = sorted(members.map(({ property }) => property));
	return {
		property: {
			...shown,
			type: 'fixedCollection',
			// The editor then shows the members at once.
			default: { values: {} },
			options: [{ displayName, name: 'values', values }],
		},
		members,
	};
}

/** The options of a list, with the members of groups instead of the groups. */
export const singleOptions = (options: readonly Option[]): Array<Parameter<unknown>> =>
	options.flatMap((option) => ('members' in option ? option.members : [option]));

const sorted = (properties: INodeProperties[]) =>
	properties.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));

/** Its value is a function that reads one option; one that was not added has its default. */
export function optionsOf(...options: readonly Option[]): Parameter<ReadParameter> {
	const property: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: sorted(options.map((option) => option.property)),
	};
	const groups = options.filter((option) => 'members' in option);
	const groupOf = new Map(
		groups.flatMap(({ property: { name }, members }) =>
			members.map((member) => [member.property.name, name] as const),
		),
	);
	const names = new Set(singleOptions(options).map((option) => option.property.name));
	const raw = parameter(property, collectionSchema);
	// Without expressions, thousands of items have the same object.
	const readerOf = oncePer((members: Readonly<Record<string, unknown>>): ReadParameter => {
		const membersOf = new Map(
			groups.map(({ property: { name: group } }) => {
				const { values } = groupSchema.catch({ values: {} }).parse(members[group]);
				return [group, values ?? {}];
			}),
		);
		return ({ property: { name, displayName, default: unset }, read }) => {
			if (!names.has(name)) throw new Error(`This operation has no option "${displayName}"`);
			const from = membersOf.get(groupOf.get(name) ?? '') ?? members;
			// If the default is an expression, it stands for an option that was not added.
			const isAdded = Object.hasOwn(from, name) && String(unset).startsWith('=');
			return read(from[name] ?? (isAdded ? null : unset));
		};
	});
	return { property, read: (value) => readerOf(raw.read(value) ?? {}) };
}

/** Names as a list, or as a text with commas between them. */
export const namesSchema = z.union([
	z.array(z.string().trim().min(1)),
	z.string().transform((text) =>
		text
			.split(',')
			.map((name) => name.trim())
			.filter((name) => name !== ''),
	),
]);

/** Lists columns of the chosen grid; an expression may also return names, keys or ids. */
export function columnsOption(of: {
	displayName: string;
	name: string;
	description: string;
}): Parameter<string[]> {
	const property: INodeProperties = {
		...of,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getFields', loadOptionsDependsOn: ['space.value', 'grid.value'] },
		default: [],
	};
	return parameter(property, namesSchema);
}

/** An option that takes names as text, separated by commas. */
export const namesOption = (
	of: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
): Parameter<string[]> => parameter({ ...of, type: 'string', default: '' }, namesSchema);

/** Whether rows are created in the order of the input. */
export const keepOrder = toggle({
	displayName: 'Keep Order',
	name: 'keepOrder',
	description:
		'Whether to create new rows in the order of the input. Each row waits for the one before it, which takes much longer. If off, rows are created simultaneously, in any order, unless the credential allows one request at a time.',
});

/** Columns whose values are removed. */
export const columnsToClear = columnsOption({
	displayName: 'Columns to Clear',
	name: 'columnsToClear',
	description:
		'Columns whose values are removed (null is written). An input value of 0, false or, in text columns, an empty text does not clear a column.',
});

/** Whether to plan a write without carrying it out. */
export const dryRun = toggle({
	displayName: 'Dry Run',
	name: 'dryRun',
	builderHint: { propertyHint: 'Switch it on for the first run of a write that acts on many rows.' },
	description: 'Whether to return what would be done without writing anything',
});
