/** The names of §2.5. */
export const fieldTypeNames = [
	'string', 'richText', 'integer', 'decimal', 'currency', 'boolean', 'date', 'date-time', 'enum', 'enumcollection',
	'stringcollection', 'email', 'phoneNumber', 'uri', 'address', 'geolocation', 'attachments', 'signature', 'user', 'createdby',
	'createdat', 'reference', 'references', 'lookup', 'formula', 'resource',
] as const; // prettier-ignore
export type FieldTypeName = (typeof fieldTypeNames)[number];

/** What the service knows of a type, besides the schema of its values. */
interface FieldTypeTraits {
	/** JSON form of the values; `texts`: a list of texts, `address`: a text or an object with one. */
	readonly form: 'text' | 'number' | 'boolean' | 'texts' | 'list' | 'object' | 'address';
	/** Whether the service computes the values, so that nobody writes them. */
	readonly isComputed: boolean;
	/** Whether the values are addresses, e.g. of rows. */
	readonly isLink: boolean;
	readonly hasOptions: boolean;
	/** Types that accept every value unchanged. */
	readonly wider: readonly FieldTypeName[];
}

const text: FieldTypeTraits = {
	form: 'text',
	isComputed: false,
	isLink: false,
	hasOptions: false,
	wider: [],
};
const computed: FieldTypeTraits = { ...text, isComputed: true };
const address: FieldTypeTraits = { ...text, form: 'address', isLink: true };

export const traitsOf: Readonly<Record<FieldTypeName, FieldTypeTraits>> = {
	string: { ...text, wider: ['richText'] },
	richText: text,
	integer: { ...text, form: 'number', wider: ['decimal', 'currency'] },
	decimal: { ...text, form: 'number', wider: ['currency'] },
	currency: { ...text, form: 'number', wider: ['decimal'] },
	boolean: { ...text, form: 'boolean' },
	date: text,
	'date-time': text,
	enum: { ...text, hasOptions: true },
	enumcollection: { ...text, form: 'texts', hasOptions: true },
	stringcollection: { ...text, form: 'texts' },
	email: text,
	phoneNumber: text,
	uri: { ...text, isLink: true },
	address: { ...text, form: 'object' },
	geolocation: { ...text, form: 'object' },
	attachments: { ...text, form: 'list' },
	signature: text,
	user: text,
	createdby: computed,
	createdat: computed,
	reference: address,
	references: { ...address, form: 'list' },
	lookup: computed,
	formula: computed,
	resource: address,
};
