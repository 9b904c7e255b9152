import type { FieldTypeName } from './fieldTypeNames';
import { isComputed } from './fieldTypes';
import type { FormField } from './formDesign';

/** A block or form input of the blocks endpoint (§2.9). */
export interface Block {
	readonly type: string;
	readonly metaType: 'block' | 'formInput' | 'nestedFormInput';
	readonly has_children: boolean;
	readonly children: readonly Block[];
	readonly formKey: string | null;
	/** The member named after the type. */
	readonly [member: string]: unknown;
}

const blocks = [
	'paragraph',
	'header',
	'html',
	'page',
	'layout',
	'IFrame',
	'entityList',
	'resourceBlock',
] as const;

/**
 * Input types and the type of the value that each writes. The identifier of the script input
 * contains the service name.
 */
const inputs = {
	textInput: 'string', integerInput: 'integer', decimalInput: 'decimal', booleanInput: 'boolean', dateInput: 'date',
	dateAndTimeInput: 'date-time', enumInput: 'enum', enumCollectionInput: 'enumcollection', emailInput: 'email', uriInput: 'uri',
	signatureInput: 'signature', videoInput: 'uri', gridInput: 'references', resourceInput: 'resource', entityInput: 'reference',
	entityCollectionInput: 'references', mimeEntityInput: 'mimeEntity', mimeEntityCollectionInput: 'mimeEntities',
	attachmentInput: 'attachments', addressInput: 'address', geoLocationInput: 'geolocation', dataGridScriptInput: 'script',
} as const; // prettier-ignore
type InputType = keyof typeof inputs;

/** Input type for each field type. */
const inputOf: Record<FieldTypeName, InputType> = {
	string: 'textInput', richText: 'textInput', integer: 'integerInput', decimal: 'decimalInput', currency: 'decimalInput',
	boolean: 'booleanInput', date: 'dateInput', 'date-time': 'dateAndTimeInput', enum: 'enumInput', enumcollection: 'enumCollectionInput',
	stringcollection: 'textInput', email: 'emailInput', phoneNumber: 'textInput', uri: 'uriInput', address: 'addressInput',
	geolocation: 'geoLocationInput', attachments: 'attachmentInput', signature: 'signatureInput', user: 'textInput',
	createdby: 'textInput', createdat: 'dateAndTimeInput', reference: 'entityInput', references: 'entityCollectionInput',
	lookup: 'textInput', formula: 'textInput', resource: 'resourceInput',
}; // prettier-ignore

/** Parts of composite inputs: name and value type. */
const nested: Partial<Record<InputType, Readonly<Record<string, string>>>> = {
	addressInput: { line1: 'string', line2: 'string', city: 'string', state: 'string', country: 'string', postCode: 'string', geoLocation: 'geolocation' },
	geoLocationInput: { lat: 'decimal', lon: 'decimal' },
	attachmentInput: { name: 'string', url: 'uri', type: 'string', largeThumbnail: 'uri', smallThumbnail: 'uri' },
	mimeEntityInput: { fileName: 'string', mimeType: 'string', contents: 'string' },
	resourceInput: { href: 'uri' },
	entityInput: { uri: 'uri' },
}; // prettier-ignore

const inputMember = (
	label: string,
	valueType: string,
	{ readonly = false, required = false, description = '' } = {},
) => ({
	label,
	readonly,
	required,
	visible: true,
	viewType: 'default',
	annotations: {},
	properties: description === '' ? {} : { description },
	type: { name: valueType, access: readonly ? 'read' : 'write' },
});

function childrenOf(parts: Readonly<Record<string, string>>): Block[] {
	return Object.entries(parts).map(([name, valueType]) => {
		const children = name === 'geoLocation' ? childrenOf({ lat: 'decimal', lon: 'decimal' }) : [];
		const type =
			name === 'geoLocation'
				? 'geoLocationInput'
				: valueType === 'decimal'
					? 'decimalInput'
					: valueType === 'uri'
						? 'uriInput'
						: 'textInput';
		return {
			type,
			metaType: 'nestedFormInput',
			has_children: children.length > 0,
			children,
			formKey: name,
			[type]: inputMember(name, valueType),
		};
	});
}

interface Input {
	readonly label: string;
	readonly formKey: string;
	readonly valueType: string;
	readonly readonly?: boolean;
	readonly required?: boolean;
	readonly description?: string;
}

function input(type: InputType, { label, formKey, valueType, ...more }: Input): Block {
	const children = childrenOf(nested[type] ?? {});
	return {
		type,
		metaType: 'formInput',
		has_children: children.length > 0,
		children,
		formKey,
		[type]: inputMember(label, valueType, more),
	};
}

const isInputType = (name: string): name is InputType => name in inputs;

/** A sample definition of each type by name (§2.9, GET /api/blocks). */
export function blockSamples(): Record<string, Block> {
	const samples: Record<string, Block> = {};
	for (const type of blocks) {
		const hasChildren = type === 'page' || type === 'layout';
		samples[type] = {
			type,
			metaType: 'block',
			has_children: hasChildren,
			children: [],
			formKey: null,
			[type]: {},
		};
	}
	for (const type of Object.keys(inputs)) {
		if (!isInputType(type)) continue;
		const valueType = inputs[type];
		samples[type] = input(type, { label: type, formKey: type, valueType });
	}
	return samples;
}

/** Form input of a field; its `formKey` is the field's ID. */
export function inputFor({ field, ...more }: FormField): Block {
	const valueType = field.type.name;
	const readonly = isComputed(field);
	const block = input(inputOf[valueType], { ...more, formKey: field.id, valueType, readonly });
	const options = field.type.options ? { options: field.type.options } : {};
	return { ...block, ...options };
}

/** Flow node types (§2.9). */
export const nodeTypes = [
	'end', 'start', 'addEntity', 'editLink', 'flowInstanceLink', 'flowForm', 'listGridEntities', 'listViewEntities', 'sendEmail',
	'sendHttpRequest', 'updateEntity', 'andJoin', 'orJoin', 'simpleMerge', 'andSplit', 'exclusiveGateway', 'multiChoiceGateway',
	'parallelJoin', 'parallel',
] as const; // prettier-ignore
