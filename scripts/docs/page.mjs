import { choicesOf, groupMembers, membersOf } from './description.mjs';

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
		resourceMapper: 'columns',
		string: 'text',
	}),
);

const UNDER_OPTIONS = 'Options → ';

/** Text for a cell of a table. @param {string | undefined} text */
const cell = (text) =>
	(text ?? '').replaceAll('|', '\\|').replaceAll('{{', '`{{').replaceAll('}}', '}}`').replace(/\s+/g, ' ');

/** @param {Property} property */
function valuesOf(property) {
	if (property.type !== 'options' && property.type !== 'multiOptions') return '';
	const names = choicesOf(property).map(({ name }) => name);
	return names.length === 0 ? '' : ` One of: ${names.join(', ')}.`;
}

/**
 * Display name of the type of an input; of a resource locator, its modes.
 * @param {Property} property
 */
function kindOf({ type, modes = [] }) {
	if (type !== 'resourceLocator') return KINDS.get(type) ?? type;
	const names = modes.map(({ displayName }) =>
		displayName === 'From List'
			? 'from a list'
			: displayName.replace(/^By (?:[A-Z](?=[a-z]))?/, (text) => text.toLowerCase()),
	);
	return names.join(', ').replace(/, ([^,]*)$/, ' or $1');
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

/** A line of a table of inputs. @typedef {{ name: string, line: string }} Input */

/** @param {Property} property @param {string} under @returns {Input[]} */
function inputsOf(property, under = '') {
	if (property.type === 'notice') return [];
	const name = under ? `${under} → ${property.displayName}` : property.displayName;
	if (property.type === 'collection')
		return membersOf(property).flatMap((member) => inputsOf(member, property.displayName));
	const inGroup = groupMembers(property);
	if (inGroup.length > 0) return inGroup.flatMap((member) => inputsOf(member, name));
	const description = [property.description, property.placeholder]
		.filter(Boolean)
		.map((text) => text?.replace(/\.?$/, '.'))
		.join(' ');
	const line = `| ${cell(name)}${property.required ? ' (required)' : ''} | ${kindOf(property)} | ${cell(`${description}${valuesOf(property)}`)} | ${cell(defaultOf(property))} |`;
	return [{ name: cell(name), line }];
}

/** @param {readonly Input[]} inputs @returns {string[]} */
function tableOf(inputs) {
	if (inputs.length === 0) return [];
	const lines = inputs.map(({ line }) => line);
	return ['| input | kind | what it is | default |', '| --- | --- | --- | --- |', ...lines, ''];
}

/** Number of operations from which on an input is described once for the whole page. */
const SHARED_BY = 3;

/**
 * The inputs that several operations have in the same form: of each name the most frequent one.
 * @param {readonly (readonly Input[])[]} operations the inputs of each operation
 * @returns {Input[]} in the order of their first appearance
 */
function sharedInputs(operations) {
	/** @type {Map<string, { input: Input, times: number }>} */
	const byLine = new Map();
	for (const input of operations.flat()) {
		const { times } = byLine.get(input.line) ?? { times: 0 };
		byLine.set(input.line, { input, times: times + 1 });
	}
	/** @type {Map<string, { input: Input, times: number }>} */
	const byName = new Map();
	for (const one of byLine.values()) {
		const most = byName.get(one.input.name)?.times ?? SHARED_BY - 1;
		if (one.times > most) byName.set(one.input.name, one);
	}
	return [...byName.values()].map(({ input }) => input);
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

/**
 * @typedef {{ title: string, value: unknown, description: string, inputs: Input[],
 *   options: string[] }} Operation
 * @typedef {{ title: string, value: unknown, operations: Operation[] }} Section
 */

/**
 * @param {Described} node
 * @param {{ name: string, value?: unknown }} resource
 * @returns {Section}
 */
function sectionOf(node, resource) {
	const operations = propertyNamed(node, 'operation')
		.filter((property) => shownFor(property, 'resource', resource.value))
		.flatMap(choicesOf)
		.map(({ name, value, description = '' }) => {
			const properties = node.properties.filter(
				(property) =>
					shownFor(property, 'resource', resource.value) &&
					shownFor(property, 'operation', value) &&
					!(shownFor(property, '@tool', true) && hasToolVariant(node, property)),
			);
			const collections = properties.filter(({ type }) => type === 'collection');
			return {
				title: name,
				value,
				description,
				inputs: properties.flatMap((property) => inputsOf(property)),
				options: collections.flatMap(membersOf).map(({ displayName }) => displayName),
			};
		});
	return { title: resource.name, value: resource.value, operations };
}

/**
 * `npm run screens` names a picture after the node and, if it has several, the operation in it.
 * @param {Described} node
 * @param {Set<string>} files in docs/images that the page does not show yet
 * @param {string} [operation]
 * @returns {string[]} lines with the picture, if there is one
 */
function pictureOf({ name, displayName }, files, operation) {
	const suffix = operation === undefined ? '' : `-${operation.toLowerCase().replaceAll(' ', '-')}`;
	const file = `node-${name}${suffix}.png`;
	// History has a Get Many, too.
	if (!files.delete(file)) return [];
	const caption = operation === undefined ? displayName : `${displayName}, ${operation}`;
	return [`![${caption}, in the editor](../images/${file})`, ''];
}

/**
 * One item in and one item out, from a run of the operation.
 * @typedef {{ input?: object | undefined, output: object }} Sample
 * @typedef {Readonly<Record<string, Sample>>} Samples by node, resource and operation
 */

/** @param {Sample | undefined} sample */
function itemsOf(sample) {
	if (!sample) return [];
	const json = (/** @type {object} */ item) => ['```json', JSON.stringify(item), '```', ''];
	const input = sample.input ? ['One item in:', '', ...json(sample.input)] : [];
	return [...input, 'One item out:', '', ...json(sample.output)];
}

/**
 * @param {Section} section
 * @param {readonly Input[]} shared
 * @param {(operation: Operation) => string[]} shown picture and items
 * @returns {string[]}
 */
function linesOf({ title, operations }, shared, shown) {
	const sharedLines = new Set(shared.map(({ line }) => line));
	return [
		`## ${title}`,
		'',
		...operations.flatMap((operation) => {
			const { title, description, inputs } = operation;
			const usual = inputs.filter(({ line }) => sharedLines.has(line)).map(({ name }) => name);
			const options = usual.filter((name) => name.startsWith(UNDER_OPTIONS));
			const also = [
				...usual.filter((name) => !name.startsWith(UNDER_OPTIONS)),
				...(options.length > 0
					? [`Options → ${options.map((name) => name.slice(UNDER_OPTIONS.length)).join(', ')}`]
					: []),
			].join(', ');
			return [
				`### ${title}`,
				'',
				description.replace(/\.?$/, '.'),
				'',
				...shown(operation),
				...tableOf(inputs.filter(({ line }) => !sharedLines.has(line))),
				...(also ? [`[Shared inputs](#shared-inputs): ${also}.`, ''] : []),
			];
		}),
	];
}

/**
 * Which options each operation has, and how many.
 * @param {readonly Section[]} sections
 * @returns {string[]}
 */
function optionsTable(sections) {
	const lines = sections.flatMap((section) =>
		section.operations
			.filter(({ options }) => options.length > 0)
			.map(
				({ title, options }) =>
					`| ${section.title}: ${title} | ${options.length} | ${cell(options.join(', '))} |`,
			),
	);
	if (lines.length < SHARED_BY) return [];
	return [
		'## Options by operation',
		'',
		'| operation | number | options |',
		'| --- | --: | --- |',
		...lines,
		'',
	];
}

/**
 * The trigger and the node of the rows have one entry, thus one description, in the nodes panel.
 * @param {Described} node
 */
const aboutOf = ({ polling, description, builderHint }) =>
	polling === true ? (builderHint?.searchHint ?? description) : description;

/**
 * The page of one node, in Markdown.
 * @param {Described} node
 * @param {readonly string[]} pictures files in docs/images
 * @param {Samples} samples
 */
export function pageOf(node, pictures, samples) {
	const unseen = new Set(pictures);
	const head = [
		'<!-- Made from the node by `npm run docs`: change the node, not this page. -->',
		'',
		`# ${node.displayName}`,
		'',
		`${aboutOf(node).replace(/\.?$/, '.')} Its type in a workflow is \`n8n-nodes-datagrid.${node.name}\`.`,
		'',
		...pictureOf(node, unseen),
	];
	const sections = propertyNamed(node, 'resource')
		.flatMap(choicesOf)
		.map((resource) => sectionOf(node, resource));
	if (sections.length === 0) {
		const inputs = node.properties.flatMap((property) => inputsOf(property));
		return [...head, '## Inputs', '', ...tableOf(inputs)].join('\n');
	}
	const shared = sharedInputs(sections.flatMap(({ operations }) => operations.map(({ inputs }) => inputs)));
	return [
		...head,
		...sections.flatMap((section) =>
			linesOf(section, shared, ({ title, value }) => [
				...pictureOf(node, unseen, title),
				...itemsOf(samples[`${node.name}/${String(section.value)}/${String(value)}`]),
			]),
		),
		...(shared.length > 0 ? ['## Shared inputs', '', ...tableOf(shared)] : []),
		...optionsTable(sections),
	].join('\n');
}
