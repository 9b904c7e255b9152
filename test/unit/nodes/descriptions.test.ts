import { NodeHelpers, type INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { nodeTypeNamed, ownNodes } from '../../../testbed/engine/nodeTypes';
import { evaluateNodeExpression } from '../../fixtures/nodeExpression';

const named = ownNodes.map(({ description }) => [description.displayName, description] as const);
const types = ownNodes.map(({ description: { name } }) => `n8n-nodes-datagrid.${name}`);

test.each(named)(
	'%s has a hint for the AI builder, and related nodes of this package',
	(_name, { name, builderHint }) => {
		expect(builderHint?.searchHint.length).toBeGreaterThan(50);
		const related = builderHint?.relatedNodes.map(({ nodeType }) => nodeType) ?? [];
		expect(related.length).toBeGreaterThan(0);
		expect(types).toEqual(expect.arrayContaining(related));
		expect(related).not.toContain(`n8n-nodes-datagrid.${name}`);
	},
);

test.each(named)('%s is a trigger for the editor if it polls', (_name, { group, polling = false }) => {
	expect(group.includes('trigger')).toBe(polling);
});

test('the secret of a new access key is marked as sensitive output', () => {
	expect(nodeTypeNamed('n8n-nodes-datagrid.space').description.sensitiveOutputFields).toEqual(['secret']);
});

const conditionsSchema = z.record(z.string(), z.array(z.string()));

test.each(named)(
	'the editor hides no input of %s as a choice of authentication',
	(_name, { credentials = [], properties }) => {
		expect(credentials.length).toBeGreaterThan(0);
		const shownFor = new Map<string, Set<unknown>>();
		for (const { displayOptions } of credentials)
			for (const [name, values] of Object.entries(conditionsSchema.parse(displayOptions?.show ?? {})))
				shownFor.set(name, new Set([...(shownFor.get(name) ?? []), ...values]));
		// The editor hides an input if all its options are in the conditions of credentials.
		const hidden = properties.filter(({ name, options = [] }) => {
			const values = shownFor.get(name);
			return values && options.every((option) => !('value' in option) || values.has(option.value));
		});
		expect(hidden.map(({ name }) => name)).toEqual([]);
	},
);

/** The rule `single-credential-per-node` of n8n's main branch, which no released plugin has yet. */
test.each(named)('%s asks for one credential at a time', (_name, { credentials = [] }) => {
	expect(credentials.filter(({ displayOptions }) => displayOptions?.hide)).toEqual([]);
	const always = credentials.filter(({ displayOptions }) => !displayOptions?.show);
	expect(always).toHaveLength(credentials.length > 1 ? 0 : 1);
});

/** What the editor would show without a name: inputs and their choices. */
function unlabeledIn(part: object, path: string): string[] {
	const own =
		'displayName' in part ? [part.displayName] : 'value' in part && 'name' in part ? [part.name] : [];
	const missing = own.filter((label) => label === '').map(() => path);
	const inner = Object.entries(part).flatMap(([name, member]: [string, unknown]) =>
		typeof member === 'object' && member !== null ? unlabeledIn(member, `${path}.${name}`) : [],
	);
	return [...missing, ...inner];
}

test.each(named)('each input and choice of %s has a label', (_name, { properties }) => {
	expect(properties.length).toBeGreaterThan(0);
	expect(unlabeledIn(properties, '')).toEqual([]);
});

const MEMBERS = new Map(
	Object.entries({
		searchListMethod: 'listSearch',
		loadOptionsMethod: 'loadOptions',
		resourceMapperMethod: 'resourceMapping',
	} as const),
);

/** The methods that a description names, by kind. */
function methodsIn(value: unknown): Array<{ kind: string; method: unknown }> {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
		const kind = MEMBERS.get(name);
		return kind === undefined ? methodsIn(member) : [{ kind, method: member }];
	});
}

test('each list of a node has a method that fills it', () => {
	let lists = 0;
	for (const node of ownNodes) {
		const found = methodsIn(node.description.properties);
		lists += found.length;
		const methods = new Map<string, object>(Object.entries(node.methods ?? {}));
		const missing = found.filter(
			({ kind, method }) => !Object.hasOwn(methods.get(kind) ?? {}, String(method)),
		);
		expect([node.description.name, missing]).toEqual([node.description.name, []]);
	}
	expect(lists).toBeGreaterThan(ownNodes.length);
});

const picked = (cachedResultName: string) => ({ __rl: true, mode: 'list', value: 's1/g1', cachedResultName });
const grid = picked('Orders');
const space = picked('Operations');
const byId = { __rl: true, mode: 'id', value: 's1/g1' };

test.each<[string, string, INodeParameters]>([
	['Any Change · Orders', 'entityTrigger', { events: ['created', 'updated', 'deleted'], space, grid }],
	['Created, Deleted · Orders', 'entityTrigger', { events: ['created', 'deleted'], space, grid }],
	['Updated', 'entityTrigger', { events: ['updated'], grid: byId }],
	['Create or Update · Orders', 'entity', { resource: 'entity', operation: 'upsert', space, grid }],
	['Import From File · Orders', 'entity', { resource: 'entity', operation: 'importFile', space, grid }],
	['History: Restore · Orders', 'entity', { resource: 'history', operation: 'restore', space, grid }],
	['Create · Operations', 'grid', { resource: 'grid', operation: 'create', space }],
	['Delete · Operations', 'space', { resource: 'space', operation: 'delete', space }],
	['Form: Submit', 'publicLink', { resource: 'form', operation: 'submit' }],
	['New order', 'pushNotification', { title: 'New order' }],
])('the subtitle is "%s"', (subtitle, name, parameters) => {
	const node = nodeTypeNamed(`n8n-nodes-datagrid.${name}`);
	expect(evaluateNodeExpression(node, parameters, node.description.subtitle ?? '')).toBe(subtitle);
});

/** More than these are a list in which nobody finds one. */
const MAX_OPTIONS = 12;

test.each(named)('no operation of %s has more options than a person can survey', (_name, { properties }) => {
	const counts = properties
		.filter(({ type, displayOptions }) => type === 'collection' && displayOptions?.show?.operation)
		.map(({ displayOptions, options = [] }) => [displayOptions?.show?.operation, options.length] as const);
	expect(counts.filter(([, count]) => count > MAX_OPTIONS)).toEqual([]);
});

test('nor has the trigger for one kind of event, or the changes of rows', () => {
	const { description } = nodeTypeNamed('n8n-nodes-datagrid.entityTrigger');
	const offered = (events: string[]) =>
		(description.properties.find(({ name }) => name === 'options')?.options ?? []).filter(
			(option) =>
				'type' in option &&
				NodeHelpers.displayParameterPath({ events, options: {} }, option, 'options', null, description),
		);
	for (const events of [['created', 'updated', 'deleted'], ['entered'], ['left'], ['entered', 'left']])
		expect([events, offered(events).length > MAX_OPTIONS]).toEqual([events, false]);
	expect(offered(['deleted']).map(({ name }) => name)).toContain('includeDeleted');
	expect(offered(['entered']).map(({ name }) => name)).toContain('checkViewEvery');
});

/**
 * n8n 1 and 2 give a pattern of a display option 250 ms, and refuse to save or activate a workflow
 * when a busy machine needs longer.
 */
test.each(named)('no display option of %s is a pattern', (_name, description) => {
	expect(JSON.stringify(description)).not.toContain('"_cnd":{"regex"');
});

const withGrid = ownNodes.flatMap(({ description }) => {
	const spaces = description.properties.filter(
		({ name, displayOptions }) => name === 'space' && displayOptions?.hide?.['grid'],
	);
	return spaces.map((space) => [description, space] as const);
});

test('Space is shown beside a grid that may be in any space', () => {
	expect(withGrid.length).toBeGreaterThan(10);
	for (const [description, space] of withGrid) {
		const chosen = Object.entries(space.displayOptions?.show ?? {}).map(([name, values]) => [
			name,
			values?.[0],
		]);
		const shownBeside = (grid: unknown) =>
			NodeHelpers.displayParameter(
				{ ...Object.fromEntries(chosen), grid } as INodeParameters,
				space,
				null,
				description,
			);
		const value = (text: unknown) => ({ __rl: true, mode: 'list', value: text });
		expect(['', 'orders', '={{ $json.grid }}'].map((text) => shownBeside(value(text)))).toEqual([
			true,
			true,
			true,
		]);
		expect(['http://service/s/g', 'shop/orders'].map((text) => shownBeside(value(text)))).toEqual([
			false,
			false,
		]);
		// A workflow by hand: nothing throws.
		expect([value(7), value(null), undefined].map(shownBeside)).toEqual([false, false, false]);
	}
});

test('a mapper for rows that may exist begins without columns', () => {
	// n8n stores `false` for a switch that is shown and never touched: it would overwrite a `true`.
	const { properties } = nodeTypeNamed('n8n-nodes-datagrid.entity').description;
	const begins = properties
		.filter(({ name, type }) => name === 'columns' && type === 'resourceMapper')
		.flatMap(({ displayOptions, typeOptions }) =>
			(displayOptions?.show?.operation ?? []).map((operation) => [
				operation,
				typeOptions?.resourceMapper?.addAllFields,
			]),
		);
	expect(Object.fromEntries(begins)).toEqual({
		create: true,
		sync: false,
		update: false,
		updateMany: false,
		upsert: false,
	});
});
