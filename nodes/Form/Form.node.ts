import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { describeOperations } from '../shared/runner/description';
import { runOperations } from '../shared/runner/run';
import { searchForms } from '../shared/inputs/pickers/form';
import { searchGrids, searchWritableGrids } from '../shared/inputs/pickers/grid';
import { searchSpaces } from '../shared/inputs/pickers/space';
import { subtitleOf } from '../shared/runner/subtitle';
import { credentialTest } from '../shared/connection/testConnection';
import { builderHint } from '../shared/display/builderHints';
import { formMapping } from './form/chosenForm';
import { resources } from './operations';
import { linkCredentialTest, publicFormMapping } from './publicForm/link';

export class Form implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'DataGrid Form',
		name: 'form',
		icon: { light: 'file:../../icons/form.svg', dark: 'file:../../icons/form.dark.svg' },
		group: ['input', 'output'],
		version: 1,
		subtitle: subtitleOf(resources, 'form'),
		description: 'Read and submit forms of the Data-Grid Service, including those behind public links',
		builderHint: builderHint(
			'Submit starts from a form of a grid; Public Link needs only the address of a shared form, and no account.',
			['entity'],
		),
		defaults: { name: 'DataGrid Form' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'dataGridApi',
				required: true,
				testedBy: 'testConnection',
				// Forms of a grid have no link protection. With `show`, the editor would treat the input
				// as the choice of authentication and hide it together with Resource and Operation.
				displayOptions: { hide: { linkProtection: ['link', 'none'] } },
			},
			{
				name: 'dataGridLinkApi',
				required: true,
				testedBy: 'testLink',
				displayOptions: { show: { linkProtection: ['link'] } },
			},
		],
		properties: describeOperations(resources),
	};

	methods = {
		listSearch: { searchForms, searchGrids, searchSpaces, searchWritableGrids },
		resourceMapping: { ...formMapping, ...publicFormMapping },
		credentialTest: { ...credentialTest, ...linkCredentialTest },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, resources);
	}
}
