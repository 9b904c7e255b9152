import type { INodeParameters, ResourceMapperValue } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { Form } from '../../../nodes/Form/Form.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { PublicLink } from '../../../nodes/PublicLink/PublicLink.node';
import { Space } from '../../../nodes/Space/Space.node';
import { columnOf } from '../../../nodes/shared/inputs/columns/columnMapper';
import { fieldSchema } from '../../../client/resources/fields';
import { escapedName, escapedValue, unescaped } from '../../../nodes/shared/display/expressionEscape';
import { WITH_OPTIONS } from '../../../nodes/shared/inputs/selection/valueFrom';
import { loadOptionsContext, runNode } from '../../../testbed/engine/engine';
import { makeGrid } from '../../../testbed/world/makeGrid';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/**
 * Names and values of the service that n8n would evaluate as expressions in a parameter.
 */
const EVIL = '={{ JSON.stringify($json) }}';
const ITEM = { private: 'content of the item' };

const world = SampleWorld.forTests();
afterEach(() => {
	world.listen();
});

/** Texts within a value that n8n would evaluate in a parameter. */
function evaluated(value: unknown): string[] {
	if (typeof value === 'string') return value.startsWith('=') ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, member]) => [...evaluated(name), ...evaluated(member)]);
}

const lists = {
	...new Entity().methods.listSearch,
	...new Space().methods.listSearch,
	...new Form().methods.listSearch,
	...new Grid().methods.listSearch,
	...new EntityTrigger().methods.listSearch,
};
const options = { ...new Entity().methods.loadOptions, ...new EntityTrigger().methods.loadOptions };
const mappers = {
	...new Entity().methods.resourceMapping,
	...new Form().methods.resourceMapping,
	...new PublicLink().methods.resourceMapping,
};

/** Editor context with all choices that a list may depend on. */
const context = (type = 'entity') => {
	const form = { __rl: true, mode: 'id', value: world.formId };
	const link = { resource: 'form', access: 'none', link: world.links.none };
	const board = { __rl: true, mode: 'id', value: EVIL };
	const conditions = { condition: [{ column: escapedValue(`${EVIL}${WITH_OPTIONS}`), operator: '$eq' }] };
	const parameters = { ...world.inGrid, form, board, ...link, conditions };
	return loadOptionsContext(
		{ type: `n8n-nodes-datagrid.${type}`, parameters, credentials: world.credentials() },
		'parameters.conditions.condition[0].value',
	);
};

/** Makes all names and IDs of the service expressions. */
const hostile = () => {
	const own = world.orders.grid.address;
	const item = {
		id: EVIL, _id: EVIL, name: EVIL, key: EVIL, role: EVIL, displayValue: EVIL, type: EVIL, f1: EVIL, label: EVIL,
		fields: [
			{ id: EVIL, name: EVIL, key: EVIL, type: { name: 'enum', options: [EVIL, { name: EVIL, value: EVIL }] } },
			{ id: 'f2', name: EVIL, key: EVIL, type: { name: EVIL } },
			{ id: '=f3', name: EVIL, key: EVIL, type: { name: 'reference' } },
		],
		_links: Object.fromEntries(['self', 'entities', 'virtualGrids', 'update', 'remove', 'addGrid', 'addEntity', 'shares'].map((rel) => [rel, { href: `/api/x/${rel}`, method: 'get' }])),
		children: [{ metaType: 'formInput', type: 'textInput', formKey: EVIL, textInput: { label: EVIL } }],
	}; // prettier-ignore
	const page = { ...item, items: [item, { ...item, id: 'second', _id: 'second' }], page: 1, pageSize: 50, size: 2, numberOfItems: 2, numberOfPages: 1 }; // prettier-ignore
	world.listen(({ path }) => {
		if (path.endsWith('/users/me')) return undefined;
		const id = path.endsWith(`/grids/${own.gridId}`) ? own.gridId : path.endsWith(`/spaces/${own.spaceId}`) ? own.spaceId : EVIL;
		return { kind: 'response', status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...page, id }) };
	}); // prettier-ignore
};

test.each(Object.entries(lists))('the list of %s has no text that n8n evaluates', async (_name, search) => {
	hostile();
	const found = await search.call(context());
	expect(found.results.length).toBeGreaterThan(0);
	expect(evaluated(found)).toEqual([]);
	expect(JSON.stringify(found.results)).toContain(EVIL.slice(1, 10));
});

test.each(Object.entries(options))(
	'the options of %s have no text that n8n evaluates',
	async (_name, load) => {
		hostile();
		const found = await load.call(context());
		expect(found.length).toBeGreaterThan(0);
		expect(evaluated(found)).toEqual([]);
	},
);

test.each(Object.entries(mappers))('the schema of %s has no text that n8n evaluates', async (name, map) => {
	hostile();
	const found = await map.call(context(name === 'getPublicFormFields' ? 'form' : 'entity'));
	expect(found.fields.length).toBeGreaterThan(0);
	expect(evaluated(found)).toEqual([]);
});

test('an enum option that looks like an expression is written unchanged and not evaluated', async () => {
	const { grid, fields } = await makeGrid(world.client, world.spaceId, 'Options', { [EVIL]: 'string' });
	await world.client.fields.add(grid, { name: 'Status', type: { name: 'enum', options: [EVIL, 'other'] } });
	const inGrid = { space: { __rl: true, mode: 'list', value: world.spaceId, cachedResultName: escapedName(EVIL) }, grid: { __rl: true, mode: 'id', value: grid.id } }; // prettier-ignore
	const editor = loadOptionsContext({ type: 'n8n-nodes-datagrid.entity', parameters: inGrid, credentials: world.credentials() });
	const { fields: schema } = await mappers.getColumns.call(editor);
	const status = schema.find(({ displayName }) => displayName === 'Status');
	const chosen = String(status?.options?.[0]?.value);
	expect(fields.size).toBe(1);
	const columns: ResourceMapperValue = { mappingMode: 'defineBelow', value: { [status?.id ?? '']: chosen }, matchingColumns: [], schema, attemptToConvertTypes: false, convertFieldsToString: false }; // prettier-ignore
	const parameters: INodeParameters = { resource: 'entity', operation: 'create', ...inGrid, columns };
	const { error } = await runNode({ type: 'n8n-nodes-datagrid.entity', parameters, credentials: world.credentials() }, [{ json: ITEM }]);
	expect(error).toBeUndefined();
	const opened = await world.client.grids.open({ spaceId: world.spaceId, gridId: grid.id });
	const { items } = await world.client.entities.page(opened, { pageIndex: 1, pageSize: 10 });
	expect(Object.values(items[0] ?? {})).toContain(EVIL);
	expect(JSON.stringify(items)).not.toContain(ITEM.private);
}); // prettier-ignore

test('a value chosen from a list is read unchanged', async () => {
	const evil = { id: EVIL, name: EVIL, type: { name: 'string' } };
	expect(columnOf(fieldSchema.parse(evil), EVIL)).toMatchObject({ id: `\\${EVIL}`, displayName: `'${EVIL}` });
	const requested: string[] = [];
	world.listen(({ path }) => {
		requested.push(decodeURIComponent(path));
		return undefined;
	});
	const entity = { __rl: true, mode: 'list', value: escapedValue(EVIL), cachedResultName: escapedName(EVIL) };
	await world.run(
		{ node: 'entity', resource: 'entity', operation: 'get', parameters: { ...world.inGrid, entity } },
		{ input: [{ json: ITEM }] },
	);
	expect(requested.filter((url) => url.includes(`/entities/${EVIL}`)).length).toBeGreaterThan(0);
	expect(requested.filter((url) => url.includes(ITEM.private))).toEqual([]);
}); // prettier-ignore

test.each(['', 'f1', '=', EVIL, `\\${EVIL}`, `\\\\${EVIL}`, '\\', '\\x', ' =x'])(
	'%j is unescaped to the same text',
	(text) => {
		expect(unescaped(escapedValue(text))).toBe(text);
		expect(escapedValue(text).startsWith('=')).toBe(false);
	},
);

test.each(['f1', '\\', '\\x', '5f2b'])('a saved value without an escape, %j, is unchanged', (text) => {
	expect([escapedValue(text), unescaped(text)]).toEqual([text, text]);
});
