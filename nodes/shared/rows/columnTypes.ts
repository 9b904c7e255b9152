import type { FieldType, INodePropertyOptions } from 'n8n-workflow';
import type { FieldTypeName, ValueTypeName } from '../../../client';
import type { Convert } from './conversion';
import * as to from './conversions';
import { decimal, integer } from './numbers';

/**
 * Labels of the types of columns, with descriptions of those that a person may choose: §2.5 does
 * not say how a formula or a lookup is computed.
 */
const LABELS: Readonly<Record<FieldTypeName, readonly [label: string, description?: string]>> = {
	string: ['Text', 'A text without formatting'],
	richText: ['Rich Text', 'Text with formatting'],
	integer: ['Whole Number', 'A number without decimal places'],
	decimal: ['Decimal Number', 'A number with decimal places'],
	currency: ['Currency', 'An amount of money'],
	boolean: ['Yes or No', 'True or false'],
	date: ['Date', 'A date without a time, such as 2026-03-01'],
	'date-time': ['Date and Time', 'A date and time with its offset from UTC'],
	enum: ['Choice', 'One of the options given'],
	enumcollection: ['Several Choices', 'Any of the options given'],
	stringcollection: ['Several Texts', 'A list of texts'],
	email: ['Email', 'An email address'],
	phoneNumber: ['Phone Number', 'A phone number'],
	uri: ['Link', 'A web address'],
	address: ['Address', 'Lines, city, state, country and post code'],
	geolocation: ['Geolocation', 'Latitude and longitude'],
	attachments: ['Attachments', 'Links to files'],
	signature: ['Signature', 'A drawn signature'],
	user: ['User', 'A person with an account'],
	createdby: ['Created By', 'Who created the row; set by the service'],
	createdat: ['Created At', 'When the row was created; set by the service'],
	reference: ['Linked Row', 'Another row'],
	references: ['Linked Rows', 'Several other rows'],
	lookup: ['Lookup'],
	formula: ['Formula'],
	resource: ['Resource', 'Another resource of the service'],
};

/** How values of a type are entered, converted and compared. */
export interface ValueType {
	/** Input in n8n's mapper. */
	input: FieldType;
	/** Whether `$eq` can find the values (§2.8). */
	isKey: boolean;
	convert: Convert;
	/** Whether `""` is a value, not a way to write null. */
	hasEmptyText: boolean;
	/** Whether values are lists: services differ in whether an empty one is a value. */
	isList: boolean;
	/** Whether values are chosen from options. */
	hasOptions: boolean;
	/** Members that make up an object's value; the service derives others (labels, thumbnails). */
	members: readonly string[];
	/** What equal values have in common, if not their JSON. */
	equality: 'value' | 'moment' | 'place' | 'set' | 'user' | 'link';
	/** Whether equal values are spelled alike, so that every service compares them alike. */
	hasOneSpelling: boolean;
	/** Form of the values that have an order; that of texts depends on the service. */
	order: 'number' | 'boolean' | 'date' | 'date-time' | 'text' | 'none';
	/** Rules of "Compare As" that fit. */
	rules: 'texts' | 'numbers' | 'none';
}

const VALUE: ValueType = {
	input: 'string',
	isKey: false,
	convert: to.anything,
	hasEmptyText: false,
	isList: false,
	hasOptions: false,
	members: [],
	equality: 'value',
	hasOneSpelling: false,
	order: 'none',
	rules: 'none',
};
const TEXT: ValueType = {
	...VALUE,
	isKey: true,
	convert: to.text,
	hasOneSpelling: true,
	order: 'text',
	rules: 'texts',
};
const NUMBER: ValueType = {
	...VALUE,
	input: 'number',
	isKey: true,
	convert: decimal,
	order: 'number',
	rules: 'numbers',
};
const DAY: ValueType = { ...VALUE, input: 'dateTime', isKey: true, convert: to.date, order: 'date' };
const LIST: ValueType = { ...VALUE, input: 'array', convert: to.collection, isList: true };
const RECORD: ValueType = { ...VALUE, input: 'object', convert: to.object };
/** A link is an address, or a text that identifies a linked row. */
const LINK: ValueType = { ...VALUE, convert: to.addressed('uri'), members: ['uri'], equality: 'link' };

/** §2.5. */
const VALUE_TYPES: Readonly<Record<ValueTypeName, ValueType>> = {
	string: { ...TEXT, hasEmptyText: true },
	richText: { ...TEXT, hasEmptyText: true, isKey: false, hasOneSpelling: false },
	integer: { ...NUMBER, convert: integer, hasOneSpelling: true },
	decimal: NUMBER,
	currency: NUMBER,
	boolean: { ...DAY, input: 'boolean', convert: to.boolean, hasOneSpelling: true, order: 'boolean' },
	date: DAY,
	'date-time': { ...DAY, convert: to.dateTime, equality: 'moment', order: 'date-time' },
	enum: { ...TEXT, input: 'options', convert: to.option, hasOptions: true, order: 'none' },
	enumcollection: { ...LIST, convert: to.options, hasOptions: true, equality: 'set' },
	stringcollection: LIST,
	email: TEXT,
	phoneNumber: TEXT,
	uri: TEXT,
	address: RECORD,
	geolocation: { ...RECORD, convert: to.geolocation, equality: 'place' },
	attachments: { ...LIST, convert: to.listOf(to.attachment), members: ['name', 'url'] },
	signature: VALUE,
	user: { ...VALUE, isKey: true, members: ['id'], equality: 'user' },
	reference: LINK,
	references: { ...LINK, convert: to.listOf(LINK.convert), isList: true },
	resource: { ...RECORD, convert: to.addressed('href'), members: ['href'] },
	any: { ...VALUE, isKey: true, hasEmptyText: true, rules: 'texts' },
	array: { ...LIST, isList: false },
	object: RECORD,
};

const valueTypes = new Map<string, ValueType>(Object.entries(VALUE_TYPES));

const UNLISTED: ValueType = { ...VALUE, hasEmptyText: true };

/** How values of a type are treated; those of an unlisted one (§2.5) pass through. */
export const valueType = (name: string): ValueType => valueTypes.get(name) ?? UNLISTED;

/** Whether values of the type can be written. */
export const isWrittenType = (name: string): boolean => valueTypes.has(name);

/** The names of the types with a property. */
export const typesWith = (property: (type: ValueType) => boolean): string[] =>
	[...valueTypes].flatMap(([name, type]) => (property(type) ? name : []));

const labels = new Map<string, readonly [string, string?]>(Object.entries(LABELS));

/** The types of §2.5 that a person may choose for a column, by their labels. */
export const COLUMN_TYPES: readonly INodePropertyOptions[] = [...labels]
	.flatMap(([value, [name, description]]) =>
		description === undefined ? [] : [{ name, value, description }],
	)
	.sort((one, other) => (one.name < other.name ? -1 : 1));

const types = new Map([...labels].map(([type, [label]]) => [label.toLowerCase(), type]));

/** What a person reads for a type of column; an unlisted type (§2.5) has its own name. */
export const typeLabel = (type: string): string => labels.get(type)?.[0] ?? type;

/** The type with a name or a label, such as `Whole Number`; an unlisted one as it is written. */
export const typeNamed = (text: string): string =>
	labels.has(text) ? text : (types.get(text.toLowerCase()) ?? text);

/** Whether §2.5 lists the type. */
export const isListedType = (type: string): boolean => labels.has(type);
