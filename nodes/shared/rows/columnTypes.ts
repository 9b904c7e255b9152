import type { INodePropertyOptions } from 'n8n-workflow';

/** The types of §2.5 that a person may choose for a column, by their labels. */
export const COLUMN_TYPES: readonly INodePropertyOptions[] = [
	{ name: 'Address', value: 'address', description: 'Lines, city, state, country and post code' },
	{ name: 'Attachments', value: 'attachments', description: 'Links to files' },
	{ name: 'Choice', value: 'enum', description: 'One of the options given' },
	{ name: 'Created At', value: 'createdat', description: 'When the row was created; set by the service' },
	{ name: 'Created By', value: 'createdby', description: 'Who created the row; set by the service' },
	{ name: 'Currency', value: 'currency', description: 'An amount of money' },
	{ name: 'Date', value: 'date', description: 'A date without a time, such as 2026-03-01' },
	{ name: 'Date and Time', value: 'date-time', description: 'A date and time with its offset from UTC' },
	{ name: 'Decimal Number', value: 'decimal', description: 'A number with decimal places' },
	{ name: 'Email', value: 'email', description: 'An email address' },
	{ name: 'Geolocation', value: 'geolocation', description: 'Latitude and longitude' },
	{ name: 'Link', value: 'uri', description: 'A web address' },
	{ name: 'Linked Row', value: 'reference', description: 'Another row' },
	{ name: 'Linked Rows', value: 'references', description: 'Several other rows' },
	{ name: 'Phone Number', value: 'phoneNumber', description: 'A phone number' },
	{ name: 'Resource', value: 'resource', description: 'Another resource of the service' },
	{ name: 'Rich Text', value: 'richText', description: 'Text with formatting' },
	{ name: 'Several Choices', value: 'enumcollection', description: 'Any of the options given' },
	{ name: 'Several Texts', value: 'stringcollection', description: 'A list of texts' },
	{ name: 'Signature', value: 'signature', description: 'A drawn signature' },
	{ name: 'Text', value: 'string', description: 'A text without formatting' },
	{ name: 'User', value: 'user', description: 'A person with an account' },
	{ name: 'Whole Number', value: 'integer', description: 'A number without decimal places' },
	{ name: 'Yes or No', value: 'boolean', description: 'True or false' },
];

/** §2.5 does not say how a column is computed, so these two cannot be chosen for a new one. */
const COMPUTED: ReadonlyArray<[string, string]> = [
	['formula', 'Formula'],
	['lookup', 'Lookup'],
];

const labels = new Map([
	...COLUMN_TYPES.map(({ name, value }): [string, string] => [String(value), name]),
	...COMPUTED,
]);

const types = new Map([...labels].map(([type, label]) => [label.toLowerCase(), type]));

/** What a person reads for a type of column; an unlisted type (§2.5) has its own name. */
export const typeLabel = (type: string): string => labels.get(type) ?? type;

/** The type with a name or a label, such as `Whole Number`; an unlisted one as it is written. */
export const typeNamed = (text: string): string =>
	labels.has(text) ? text : (types.get(text.toLowerCase()) ?? text);

/** Whether §2.5 lists the type. */
export const isListedType = (type: string): boolean => labels.has(type);
