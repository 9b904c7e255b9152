import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { describeOperations, subtitleOf, builderHint } from '../shared/runner/description';
import { runOperations } from '../shared/runner/run';
import { searchAccessKeys } from '../shared/inputs/pickers/accessKey';
import { searchShares } from '../shared/inputs/pickers/share';
import { searchSpaces, searchSpacesForGrids, searchSpacesToShare } from '../shared/inputs/pickers/space';
import { credentialTest } from '../shared/connection/testConnection';
import { resources } from './operations';

export class Space implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'DataGrid Space',
		name: 'space',
		icon: { light: 'file:../../icons/space.svg', dark: 'file:../../icons/space.dark.svg' },
		group: ['input', 'output'],
		version: 1,
		subtitle: subtitleOf(resources, 'space'),
		description: 'Manage spaces, shares and access keys of the Data-Grid Service',
		builderHint: builderHint(
			'Spaces contain grids. Manages spaces, who may use them, and access keys. For tables use DataGrid Grid, for rows the node DataGrid.',
			['grid'],
		),
		defaults: { name: 'DataGrid Space' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataGridApi', required: true, testedBy: 'testConnection' }],
		sensitiveOutputFields: ['secret'],
		properties: describeOperations(resources, 'space'),
	};

	methods = {
		listSearch: {
			searchAccessKeys,
			searchShares,
			searchSpaces,
			searchSpacesForGrids,
			searchSpacesToShare,
		},
		credentialTest,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, resources);
	}
}
