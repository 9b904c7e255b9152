import { choicesOf, membersOf } from './description.mjs';

/** @import { Described, Property } from './description.mjs' */

/** Display names of n8n's input types. */
const KINDS = new Map(
	Object.entries({
		boolean: 'on or off',
		collection: 'options',
		dateTime: 'moment',
		fixedCollection: 'rows',
		json: 'JSON',
		multiOptions: 'choices',
		number: 'number',
		options: 'choice',
		resourceLocator: 'from a list, by URL or by ID',
		resourceMapper: 'columns',
		string: 'text',
	}),
);

/** Text for a cell of a table. @param {string | undefined} text */
const cell = (text) =>
	(text ?? '').replaceAll('|', '\\|').replaceAll('{{', '`{{').replaceAll('}}', '}}`').replace(/\s+/g, ' ');

/** @param {Property} property */
function valuesOf(property) {
	if (property.type !== 'options' && property.type !== 'multiOptions') return '';
	const names = choicesOf(property).map(({ name }) => name);
	return names.length === 0 ? '' : ` One of: ${names.join(', ')}.`;
}

/** Default value of an input, as the editor shows it. @param {Property} property */
function defaultOf(property) {
	const { default: value, type } = property;
	if (type === 'number' || type === 'boolean') return String(value);
	const chosen = new Set(Array.isArray(value) ? value : [value]);
	return choicesOf(property)
		.filter((choice) => chosen.has(choice.value))
		.map(({ name }) => name)
		.join(', ');
}

/** @param {Property} property @param {string} under @returns {string[]} */
function rowsOf(property, under = '') {
	if (property.type === 'notice') return [];
	const name = under ? `${under} → ${property.displayName}` : property.displayName;
	const members = property.type === 'collection' ? membersOf(property) : [];
	const description = [property.description, property.placeholder]
		.filter(Boolean)
		.map((text) => text?.replace(/\.?$/, '.'))
		.join(' ');
	const own = `| ${cell(name)}${property.required ? ' (required)' : ''} | ${KINDS.get(property.type) ?? property.type} | ${cell(`${description}${valuesOf(property)}`)} | ${cell(defaultOf(property))} |`;
	return members.length > 0 ? members.flatMap((member) => rowsOf(member, property.displayName)) : [own];
}

/** @param {Property[]} properties @returns {string[]} */
function tableOf(properties) {
	const rows = properties.flatMap((property) => rowsOf(property));
	if (rows.length === 0) return [];
	return ['| input | kind | what it is | default |', '| --- | --- | --- | --- |', ...rows, ''];
}

/**
 * Whether a property is shown for a choice of resource and operation.
 * @param {Property} property
 * @param {string} name
 * @param {unknown} value
 */
const shownFor = (property, name, value) => property.displayOptions?.show?.[name]?.includes(value) ?? false;

/** @param {Described} node @param {string} name */
const propertyNamed = (node, name) => node.properties.filter((property) => property.name === name);

/**
 * Whether a property has a second variant for AI agent tools.
 * @param {Described} node
 * @param {Property} property
 */
const hasToolVariant = (node, { name, displayOptions }) =>
	propertyNamed(node, name).some(
		(other) =>
			!shownFor(other, '@tool', true) &&
			(displayOptions?.show?.['operation'] ?? []).every((value) => shownFor(other, 'operation', value)),
	);

/** @param {Described} node @param {{ name: string, value?: unknown }} resource */
function sectionOf(node, resource) {
	const operations = propertyNamed(node, 'operation').filter((property) =>
		shownFor(property, 'resource', resource.value),
	);
	const lines = [`## ${resource.name}`, ''];
	for (const operation of operations.flatMap(choicesOf)) {
		const fields = node.properties.filter(
			(property) =>
				shownFor(property, 'resource', resource.value) &&
				shownFor(property, 'operation', operation.value) &&
				!(shownFor(property, '@tool', true) && hasToolVariant(node, property)),
		);
		lines.push(
			`### ${operation.name}`,
			'',
			(operation.description ?? '').replace(/\.?$/, '.'),
			'',
			...tableOf(fields),
		);
	}
	return lines;
}

/**
 * The page of one node, in Markdown.
 * @param {Described} node
 * @param {readonly string[]} pictures files in docs/images
 */
export function pageOf(node, pictures) {
	const head = [
		'<!-- Made from the node by `npm run docs`: change the node, not this page. -->',
		'',
		`# ${node.displayName}`,
		'',
		`${node.description.replace(/\.?$/, '.')} Its type in a workflow is \`n8n-nodes-datagrid.${node.name}\`.`,
		'',
	];
	// `npm run screens` names a picture after the node and its content.
	const own = pictures.filter(
		(file) => file === `node-${node.name}.png` || file.startsWith(`node-${node.name}-`),
	);
	head.push(...own.flatMap((file) => [`![${node.displayName} in the editor](../images/${file})`, '']));
	const resources = propertyNamed(node, 'resource').flatMap(choicesOf);
	const body =
		resources.length > 0
			? resources.flatMap((resource) => sectionOf(node, resource))
			: ['## Inputs', '', ...tableOf(node.properties)];
	return [...head, ...body].join('\n');
}
