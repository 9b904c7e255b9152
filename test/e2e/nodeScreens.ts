import { z } from 'zod/v4';
import { VALUE_FROM, WITH_OPTIONS } from '../../nodes/shared/inputs/selection/valueFrom';
import { BY_KEY } from '../../nodes/shared/rows/columnNames';
import type { Demo } from '../../testbed/demo/session';

/** A picture of one node's panel. */
export interface Screen {
	/** The picture's name in docs/images/ */
	file: string;
	/** Of the node */
	name: string;
	/** Of the node */
	type: string;
	/** The name of the credential; "DataGrid demo" if omitted */
	credential?: string;
	/** A text that the panel has to show before the picture is taken */
	shows: string;
	parameters: Record<string, unknown>;
}

/** Credential of a push provider that is never called. */
export const PUSH = {
	name: 'Push provider',
	type: 'dataGridPushApi',
	data: { url: 'https://push.example.com/api', appId: 'packers', restApiKey: 'example' },
};

/** What the lists of the pickers would have put in. */
function picks({ grids: { space, orders } }: Pick<Demo, 'grids'>) {
	return {
		space: { __rl: true, mode: 'list', value: space.id, cachedResultName: space.name },
		grid: {
			__rl: true,
			mode: 'list',
			value: `${space.id}/${orders.id}`,
			cachedResultName: orders.name,
		},
	};
}

/** What the editor stores of the columns that can be mapped. */
async function mapperSchema({ rest, grids }: Demo): Promise<unknown[]> {
	const { grid } = picks({ grids });
	const { fields } = await rest.list(z.object({ fields: z.array(z.unknown()) }), 'resource-mapper-fields', {
		node: 'n8n-nodes-datagrid.entity',
		version: 1,
		path: 'parameters.columns',
		methodName: 'getColumns',
		parameters: { resource: 'entity', operation: 'upsert', grid },
		credential: await credentialOf(rest, 'DataGrid demo'),
	});
	return fields;
}

/** A credential of the demo by its name. */
export async function credentialOf(rest: Demo['rest'], name: string) {
	const credential = (await rest.credentials()).find((one) => one.name === name);
	if (!credential) throw new Error(`The demo has no credential "${name}"`);
	return credential;
}

/** What each picture shows. */
export async function screensOf(demo: Demo): Promise<Screen[]> {
	const { space, grid } = picks(demo);
	const schema = await mapperSchema(demo);
	const fields = new Map(
		(await demo.client.fields.of(demo.grids.orders)).map((field) => [field.name, field.key]),
	);
	/** What the list of columns stores for a column. */
	const listed = (name: string) => `${fields.get(name) ?? ''}${BY_KEY}`;
	const statusIs = (value: string) => ({
		condition: [
			{ column: `${listed('Status')}${WITH_OPTIONS}`, operator: '$eq', valueFrom: VALUE_FROM, value },
		],
	});
	return [
		{
			file: 'node-entity-create-or-update',
			name: 'Create or update orders',
			type: 'entity',
			shows: 'using to match',
			parameters: {
				resource: 'entity',
				operation: 'upsert',
				space,
				grid,
				columns: {
					mappingMode: 'defineBelow',
					value: { order: '={{ $json.number }}', status: 'shipped' },
					matchingColumns: ['order'],
					schema,
				},
			},
		},
		{
			file: 'node-entity-update',
			name: 'Update an order',
			type: 'entity',
			shows: 'Key Columns',
			parameters: {
				resource: 'entity',
				operation: 'update',
				space,
				grid,
				rowBy: 'keyColumns',
				matchBy: { key: [{ column: listed('Order'), value: '={{ $json.number }}' }] },
				columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema },
			},
		},
		{
			file: 'node-entity-sync',
			name: 'Sync orders',
			type: 'entity',
			shows: 'New Key Columns',
			parameters: {
				resource: 'entity',
				operation: 'sync',
				space,
				grid,
				columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['order'], schema },
				options: {
					compareAs: { column: [{ column: listed('Customer'), rule: 'ignoreCaseAndSpaces' }] },
					invalid: { values: { invalidRows: 'skip' } },
					missing: { values: { missingColumns: 'add', newKeyColumns: 'Shop' } },
				},
			},
		},
		{
			file: 'node-entity-get-many',
			name: 'Get shipped orders',
			type: 'entity',
			shows: 'Value Name or ID',
			parameters: {
				resource: 'entity',
				operation: 'getMany',
				space,
				grid,
				conditions: statusIs('shipped'),
			},
		},
		{
			file: 'node-entity-look-up',
			name: 'Look up the order',
			type: 'entity',
			shows: 'Key Columns',
			parameters: {
				resource: 'entity',
				operation: 'lookUp',
				space,
				grid,
				matchBy: { key: [{ column: listed('Order'), value: '={{ $json.number }}' }] },
				putResultIn: 'order',
			},
		},
		{
			file: 'node-entity-delete-many',
			name: 'Delete cancelled orders',
			type: 'entity',
			shows: 'Refuse Above',
			parameters: {
				resource: 'entity',
				operation: 'deleteMany',
				space,
				grid,
				conditions: statusIs('cancelled'),
				dryRun: true,
			},
		},
		{
			file: 'node-entity-export',
			name: 'Export orders',
			type: 'entity',
			shows: 'Put Output File in Field',
			parameters: { resource: 'entity', operation: 'export', space, grid },
		},
		{
			file: 'node-entity-import-from-file',
			name: 'Import orders from a file',
			type: 'entity',
			shows: 'Rows Not in the File',
			parameters: {
				resource: 'entity',
				operation: 'importFile',
				space,
				grid,
				keyColumns: [listed('Order')],
				rowsNotInInput: 'delete',
				options: { reading: { values: { delimiter: 'semicolon' } } },
			},
		},
		{
			file: 'node-grid',
			name: 'Create the grid',
			type: 'grid',
			shows: 'Add column',
			parameters: {
				resource: 'grid',
				operation: 'create',
				space,
				name: 'Deliveries',
				columns: {
					column: [
						{ name: 'Parcel', type: 'string', key: 'parcel' },
						{ name: 'Status', type: 'enum', options: 'packed, sent, delivered' },
					],
				},
			},
		},
		{
			file: 'node-space',
			name: 'Delete the space',
			type: 'space',
			shows: 'cannot be undone',
			parameters: { resource: 'space', operation: 'delete', space },
		},
		{
			file: 'node-pushNotification',
			name: 'Tell the packers',
			type: 'pushNotification',
			credential: PUSH.name,
			shows: 'Translations',
			parameters: {
				sendTo: 'people',
				userIds: '={{ $json.userId }}',
				title: 'New order',
				text: '=Order {{ $json.number }} is ready to be packed',
			},
		},
		{
			file: 'node-publicLink',
			name: 'Submit the order form',
			type: 'publicLink',
			shows: 'Specify Values',
			parameters: {
				resource: 'form',
				operation: 'submit',
				access: 'none',
				link: 'https://grids.example.com/api/a/u1/l1',
				valuesAs: 'json',
				valuesJson: '{\n  "Customer": "Alder & Finch",\n  "Quantity": 2\n}',
			},
		},
		{
			file: 'node-entityTrigger',
			name: 'When an order changes',
			type: 'entityTrigger',
			shows: 'Events',
			parameters: { space, grid, events: ['created', 'updated', 'deleted'] },
		},
	];
}
