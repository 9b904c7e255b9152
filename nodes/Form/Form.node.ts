import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { describeOperations, subtitleOf, builderHint } from '../shared/runner/description';
import { runOperations } from '../shared/runner/run';
import { searchForms } from '../shared/inputs/pickers/form';
import { searchGrids, searchWritableGrids } from '../shared/inputs/pickers/grid';
import { searchSpaces } from '../shared/inputs/pickers/space';
import { credentialTest } from '../shared/connection/testConnection';
import { formMapping } from './form/chosenForm';
import { resources } from './operations';

export class Form implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'DataGrid Form',
		name: 'form',
		icon: { light: 'file:../../icons/form.svg', dark: 'file:../../icons/form.dark.svg' },
		group: ['input', 'output'],
		version: 1,
		subtitle: subtitleOf(resources, 'form'),
		description: 'Read and submit forms of grids in the Data-Grid Service',
		builderHint: builderHint(
			'Submitting a form of a grid adds a row, with the labels and required fields of the form. For shared forms use DataGrid Public Link.',
			['entity', 'publicLink'],
		),
		defaults: { name: 'DataGrid Form' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataGridApi', required: true, testedBy: 'testConnection' }],
		properties: describeOperations(resources),
	};

	methods = {
		listSearch: { searchForms, searchGrids, searchSpaces, searchWritableGrids },
		resourceMapping: formMapping,
		credentialTest,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, resources);
	}
}
