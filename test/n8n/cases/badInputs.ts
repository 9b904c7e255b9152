import type { INodeParameters, INodeProperties, NodeParameterValueType } from 'n8n-workflow';
import type { Offered } from '.';
import { byId } from '../../../testbed/world/parameters';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

/** Kinds of mistakes. */
type Mistake =
	| 'empty'
	| 'of the wrong type'
	| 'an expression without a value'
	| 'of something else'
	| 'far too long';

/** An input of an operation with a wrong value. */
export interface BadInput {
	mistake: Mistake;
	/** Whether the input is only shown in a tool of an AI agent. */
	isOfTool: boolean;
	/** The input and its enclosing inputs, outermost first. */
	path: INodeProperties[];
	/** Values that make the editor show the input. */
	shownBy: INodeParameters;
	/** The outermost input, with the wrong value in it. */
	parameters: INodeParameters;
}

const UNDEFINED = '={{ $json.nothing }}';
const OBJECT = '={{ ({ not: "this" }) }}';
const LONG = 'x'.repeat(5000);

/** Valid rows of nested inputs; one member at a time gets a wrong value. */
const ROWS: Record<string, INodeParameters> = {
	matchBy: { column: 'Order', value: 'A' },
	conditions: { column: 'Order', operator: '$eq', value: 'A' },
	onlyRowsWhere: { column: 'Order', operator: '$eq', value: 'A' },
	compareAs: { column: 'Order', rule: 'ignoreCaseAndSpaces', decimals: 2 },
	columnRules: { column: 'Order', write: 'never' },
	columnsToSet: { column: 'Order', value: 'A' },
	sort: { column: 'Order', direction: 'ascending' },
	columns: { name: 'Colour', type: 'enum', options: 'red, green', key: 'colour', description: 'Its colour' },
	translations: { language: 'de', title: 'Neu', text: 'Bereit' },
};

/** Adds the rows that refer to the sample world. */
const rowsOf = (world: SampleWorld): Record<string, INodeParameters> => ({
	...ROWS,
	findLinkedRowsBy: { column: 'Customer', linkedGrid: byId(world.orders.grid.id), linkedColumn: 'Order' },
	expandLinkedRows: { column: 'Customer', linkedColumns: 'Order' },
});

type Values = Partial<Record<Mistake, NodeParameterValueType>>;

const TEXT: Values = {
	empty: '',
	'of the wrong type': OBJECT,
	'an expression without a value': UNDEFINED,
	'far too long': LONG,
};

const BY_TYPE: Record<string, Values> = {
	string: TEXT,
	color: TEXT,
	dateTime: { ...TEXT, 'of something else': 'soon' },
	number: {
		empty: '',
		'of the wrong type': 'many',
		'an expression without a value': UNDEFINED,
		'of something else': '={{ [5] }}',
		'far too long': -1e15,
	},
	boolean: { empty: '', 'of the wrong type': 'perhaps', 'an expression without a value': UNDEFINED },
	options: {
		empty: '',
		'of the wrong type': OBJECT,
		'an expression without a value': UNDEFINED,
		'of something else': 'no such choice',
	},
	multiOptions: {
		empty: [],
		'of the wrong type': '={{ 7 }}',
		'an expression without a value': UNDEFINED,
		'of something else': ['no such choice'],
		'far too long': [LONG],
	},
	json: {
		empty: '',
		'of the wrong type': '"text"',
		'an expression without a value': UNDEFINED,
		'of something else': '{"cut": ',
		'far too long': `"${LONG}"`,
	},
	resourceLocator: {
		empty: byId('={{ "" }}'),
		'of the wrong type': byId(OBJECT),
		'an expression without a value': byId(UNDEFINED),
		'far too long': byId(LONG),
	},
};

/** Wrong values of a mapper, by the ID of a column or form field. */
function mapperValues(world: SampleWorld): Values {
	const mapped = (value: INodeParameters) => ({
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [world.orders.id('Order')],
		schema: [],
	});
	return {
		empty: mapped({}),
		'of the wrong type': mapped({ [world.orders.id('Order')]: 'A', [world.orders.id('Quantity')]: 'many' }),
		'an expression without a value': mapped({ [world.orders.id('Order')]: UNDEFINED }),
		'of something else': mapped({ [world.orders.grid.id]: 'A' }),
		'far too long': mapped({ [world.orders.id('Order')]: `${world.fresh('L')} ${LONG}` }),
	};
}

function valuesOf(world: SampleWorld, property: INodeProperties): Values {
	if (property.type === 'resourceMapper') return mapperValues(world);
	const values = BY_TYPE[property.type];
	if (!values) throw new Error(`No bad inputs for the type ${property.type} of "${property.displayName}"`);
	if (property.type !== 'resourceLocator') return values;
	// An existing ID of another kind: a grid for a space, otherwise the space.
	const other = property.name === 'space' ? world.orders.grid.id : world.spaceId;
	return { ...values, 'of something else': byId(other) };
}

/** Values that show an input, besides resource and operation. */
function shownBy({ displayOptions }: INodeProperties): INodeParameters {
	const shown = Object.entries(displayOptions?.show ?? {}).filter(
		([name]) => !['resource', 'operation', '@tool'].includes(name),
	);
	return Object.fromEntries(
		shown.flatMap(([name, values]) => {
			const value = values?.[0];
			// A condition on a value, such as that the grid is a text, holds for the chosen one.
			if (typeof value === 'object' && value !== null && '_cnd' in value) return [];
			if (typeof value !== 'string' && typeof value !== 'boolean')
				throw new Error(`The display condition ${name} is neither text nor boolean`);
			return [[name, value] as const];
		}),
	);
}

const membersOf = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.flatMap((option) => ('type' in option ? [option] : []));

/** Bad inputs for one property, or for each of its members. */
function badInputsFor(world: SampleWorld, property: INodeProperties): BadInput[] {
	// These are not inputs.
	if (property.type === 'notice' || property.type === 'hidden') return [];
	const visible = shownBy(property);
	if (property.type === 'collection')
		return membersOf(property).flatMap((member) => {
			if (member.type !== 'fixedCollection')
				return withWrongValues(world, [property, member], visible, (value) => ({ [member.name]: value }));
			return badInputsFor(world, member).map(({ path, parameters, ...bad }) => ({
				...bad,
				path: [property, ...path],
				shownBy: visible,
				parameters: { [property.name]: parameters },
			}));
		});
	if (property.type !== 'fixedCollection')
		return withWrongValues(world, [property], visible, (value) => value);
	return (property.options ?? []).flatMap((group) => {
		if (!('values' in group)) return [];
		// A group of options has one row, which is no list.
		const isGroup = property.typeOptions?.multipleValues !== true;
		const row = isGroup ? {} : rowsOf(world)[property.name];
		if (!row) throw new Error(`ROWS has no row for "${property.displayName}"`);
		// A person cannot change what is hidden.
		const members = group.values.filter(({ type }) => type !== 'hidden');
		const inRow = (member: INodeProperties, value: NodeParameterValueType): INodeParameters => {
			const given = { ...row, ...shownBy(member), [member.name]: value };
			return { [group.name]: isGroup ? given : [given] };
		};
		return members.flatMap((member) =>
			member.type === 'collection'
				? membersOf(member).flatMap((inner) =>
						withWrongValues(world, [property, inner], visible, (value) =>
							inRow(member, { [inner.name]: value }),
						),
					)
				: withWrongValues(world, [property, member], visible, (value) => inRow(member, value)),
		);
	});
}

function withWrongValues(
	world: SampleWorld,
	path: [INodeProperties, ...INodeProperties[]],
	visible: INodeParameters,
	inPlace: (value: NodeParameterValueType) => NodeParameterValueType,
): BadInput[] {
	const innermost = path.at(-1) ?? path[0];
	return Object.entries(valuesOf(world, innermost))
		.filter(([, value]) => !(innermost.noDataExpression && isExpression(value)))
		.map(([mistake, value]) => ({
			mistake: mistake as Mistake,
			isOfTool: path.some(({ displayOptions }) => displayOptions?.show?.['@tool']?.includes(true)),
			path,
			shownBy: visible,
			parameters: { [path[0].name]: inPlace(innermost.noDataExpression ? value : asExpression(value)) },
		}));
}

/**
 * Wraps a value in an expression, because n8n validates literal values before a run.
 */
const asExpression = (value: NodeParameterValueType) =>
	isExpression(value) || (typeof value === 'object' && value !== null && '__rl' in value)
		? value
		: `={{ (${JSON.stringify(value)}) }}`;

const isExpression = (value: NodeParameterValueType) => typeof value === 'string' && value.startsWith('=');

/**
 * Returns all bad inputs of an operation: each input, option and member of a nested row with each
 * mistake of its type.
 */
export function badInputsOf(world: SampleWorld, { properties }: Offered): BadInput[] {
	return properties.flatMap((property) => badInputsFor(world, property));
}
