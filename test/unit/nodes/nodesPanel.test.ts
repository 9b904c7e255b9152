import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import { Entity } from '../../../nodes/Entity/Entity.node';
import entityCodex from '../../../nodes/Entity/Entity.node.json';
import { Form } from '../../../nodes/Form/Form.node';
import formCodex from '../../../nodes/Form/Form.node.json';
import { Grid } from '../../../nodes/Grid/Grid.node';
import gridCodex from '../../../nodes/Grid/Grid.node.json';
import { Space } from '../../../nodes/Space/Space.node';
import spaceCodex from '../../../nodes/Space/Space.node.json';

/**
 * Search in the nodes panel of n8n 2.41. It uses names and aliases, and lists a trigger under the
 * node of the same name without "Trigger", so the aliases of Grid must find both.
 */
const panel = [
	{ node: new Entity(), codex: entityCodex },
	{ node: new Form(), codex: formCodex },
	{ node: new Grid(), codex: gridCodex },
	{ node: new Space(), codex: spaceCodex },
].map(({ node, codex }) => ({ properties: { displayName: node.description.displayName, codex } }));

const found = (phrase: string) => sublimeSearch(phrase, panel).map(({ item }) => item.properties.displayName);

test.each([
	['update a row in my grid', 'DataGrid Entity'],
	['update a row', 'DataGrid Entity'],
	['add a row', 'DataGrid Entity'],
	['insert row', 'DataGrid Entity'],
	['append record', 'DataGrid Entity'],
	['upsert', 'DataGrid Entity'],
	['delete many', 'DataGrid Entity'],
	['look up', 'DataGrid Entity'],
	['find row', 'DataGrid Entity'],
	['count rows', 'DataGrid Entity'],
	['spreadsheet database', 'DataGrid Entity'],
	['sync spreadsheet', 'DataGrid Entity'],
	['when a record changes', 'DataGrid Grid'],
	['when a row changes', 'DataGrid Grid'],
	['grid trigger', 'DataGrid Grid'],
	['row created', 'DataGrid Grid'],
	['watch rows', 'DataGrid Grid'],
	['add a column', 'DataGrid Grid'],
	['export csv', 'DataGrid Grid'],
	['invite people', 'DataGrid Space'],
	['submit a form', 'DataGrid Form'],
])('"%s" finds %s', (phrase, node) => {
	expect(found(phrase)[0]).toBe(node);
});

test('"datagrid" finds all nodes, and an unknown word none', () => {
	expect(found('datagrid').sort()).toEqual([
		'DataGrid Entity',
		'DataGrid Form',
		'DataGrid Grid',
		'DataGrid Space',
	]);
	expect(found('gmail')).toEqual([]);
});
