import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import { Entity } from '../../../nodes/Entity/Entity.node';
import entityCodex from '../../../nodes/Entity/Entity.node.json';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { Form } from '../../../nodes/Form/Form.node';
import formCodex from '../../../nodes/Form/Form.node.json';
import { Grid } from '../../../nodes/Grid/Grid.node';
import gridCodex from '../../../nodes/Grid/Grid.node.json';
import { PublicLink } from '../../../nodes/PublicLink/PublicLink.node';
import publicLinkCodex from '../../../nodes/PublicLink/PublicLink.node.json';
import { PushNotification } from '../../../nodes/PushNotification/PushNotification.node';
import pushCodex from '../../../nodes/PushNotification/PushNotification.node.json';
import { Space } from '../../../nodes/Space/Space.node';
import spaceCodex from '../../../nodes/Space/Space.node.json';

/**
 * Search in the nodes panel of n8n 2.41. It uses names and aliases, and lists a trigger under the
 * node whose type has its name without "Trigger", so the aliases of that node must find both.
 */
const panel = [
	{ node: new Entity(), codex: entityCodex },
	{ node: new Form(), codex: formCodex },
	{ node: new Grid(), codex: gridCodex },
	{ node: new PublicLink(), codex: publicLinkCodex },
	{ node: new PushNotification(), codex: pushCodex },
	{ node: new Space(), codex: spaceCodex },
].map(({ node, codex }) => ({ properties: { displayName: node.description.displayName, codex } }));

const found = (phrase: string) => sublimeSearch(phrase, panel).map(({ item }) => item.properties.displayName);

test.each([
	['update a row in my grid', 'DataGrid'],
	['update a row', 'DataGrid'],
	['add a row', 'DataGrid'],
	['insert row', 'DataGrid'],
	['append record', 'DataGrid'],
	['upsert', 'DataGrid'],
	['delete many', 'DataGrid'],
	['look up', 'DataGrid'],
	['find row', 'DataGrid'],
	['count rows', 'DataGrid'],
	['spreadsheet database', 'DataGrid'],
	['sync spreadsheet', 'DataGrid'],
	['when a record changes', 'DataGrid'],
	['when a row changes', 'DataGrid'],
	['grid trigger', 'DataGrid'],
	['row created', 'DataGrid'],
	['watch rows', 'DataGrid'],
	['csv', 'DataGrid'],
	['import', 'DataGrid'],
	['rows', 'DataGrid'],
	['table', 'DataGrid'],
	['spreadsheet', 'DataGrid'],
	['grid row', 'DataGrid'],
	['sync rows', 'DataGrid'],
	['create grid', 'DataGrid Grid'],
	['board', 'DataGrid Grid'],
	['add a column', 'DataGrid Grid'],
	['export csv', 'DataGrid'],
	['invite people', 'DataGrid Space'],
	['submit a form', 'DataGrid Form'],
	['public link', 'DataGrid Public Link'],
	['shared form', 'DataGrid Public Link'],
	['push notification', 'DataGrid Push Notification'],
])('"%s" finds %s', (phrase, node) => {
	expect(found(phrase)[0]).toBe(node);
});

test('"datagrid" finds all nodes, that of the rows first, and an unknown word none', () => {
	expect(found('datagrid')[0]).toBe('DataGrid');
	expect(found('datagrid').sort()).toEqual([
		'DataGrid',
		...['DataGrid Form', 'DataGrid Grid', 'DataGrid Public Link', 'DataGrid Push Notification'],
		'DataGrid Space',
	]);
	expect(found('gmail')).toEqual([]);
});

test('the node of the rows and the trigger, one entry in the panel, have one description', () => {
	const { name, description } = new EntityTrigger().description;
	expect(name.replace('Trigger', '')).toBe(new Entity().description.name);
	expect(description).toBe(new Entity().description.description);
});
