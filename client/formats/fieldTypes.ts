/** The types of columns (§2.5), and whether the service computes their values. It may have more. */
const FIELD_TYPES = {
	string: 'written',
	richText: 'written',
	integer: 'written',
	decimal: 'written',
	currency: 'written',
	boolean: 'written',
	date: 'written',
	'date-time': 'written',
	enum: 'written',
	enumcollection: 'written',
	stringcollection: 'written',
	email: 'written',
	phoneNumber: 'written',
	uri: 'written',
	address: 'written',
	geolocation: 'written',
	attachments: 'written',
	signature: 'written',
	user: 'written',
	createdby: 'computed',
	createdat: 'computed',
	reference: 'written',
	references: 'written',
	lookup: 'computed',
	formula: 'computed',
	resource: 'written',
} as const;

type FieldTypes = typeof FIELD_TYPES;
export type FieldTypeName = keyof FieldTypes;

/** Types whose values can be written, and those that only a schema shows (§4.4). */
export type ValueTypeName =
	| { [Name in FieldTypeName]: FieldTypes[Name] extends 'written' ? Name : never }[FieldTypeName]
	| 'any'
	| 'array'
	| 'object';

const COMPUTED = new Set(
	Object.entries(FIELD_TYPES).flatMap(([name, by]) => (by === 'computed' ? name : [])),
);

/** Whether the service computes the values of a type, so that nobody writes them. */
export const isComputedType = (name: string): boolean => COMPUTED.has(name.toLowerCase());
