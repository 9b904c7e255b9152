import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { credentialTest } from '../shared/connection/testConnection';
import { builderHint, describeOperations, subtitleOf } from '../shared/runner/description';
import { runOperations } from '../shared/runner/run';
import { linkCredentialTest, publicFormMapping } from './link';
import { resources } from './operations';

export class PublicLink implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'DataGrid Public Link',
		name: 'publicLink',
		icon: { light: 'file:../../icons/publicLink.svg', dark: 'file:../../icons/publicLink.dark.svg' },
		group: ['input', 'output'],
		version: 1,
		subtitle: subtitleOf(resources),
		description:
			'Open a public link of the Data-Grid Service: submit its form, read its rows, change its row',
		builderHint: builderHint(
			'Needs only the address of a shared form, view or row, and no account. For forms of your own grids use DataGrid Form.',
			['form'],
		),
		defaults: { name: 'DataGrid Public Link' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'dataGridApi',
				required: true,
				testedBy: 'testConnection',
				displayOptions: { show: { access: ['internal'] } },
			},
			{
				name: 'dataGridLinkApi',
				required: true,
				testedBy: 'testLink',
				displayOptions: { show: { access: ['link'] } },
			},
		],
		properties: describeOperations(resources),
	};

	methods = {
		resourceMapping: publicFormMapping,
		credentialTest: { ...credentialTest, ...linkCredentialTest },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, resources);
	}
}
