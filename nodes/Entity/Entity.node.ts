import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { resourceMapping } from '../shared/inputs/columns/columnMapper';
import { fieldOptions } from '../shared/inputs/pickers/field';
import { listSearch } from '../shared/inputs/pickers/listSearch';
import { describeOperations, hintsBeforeRun, subtitleOf, builderHint } from '../shared/runner/description';
import { runOperations } from '../shared/runner/run';
import { credentialTest } from '../shared/connection/testConnection';
import { resources } from './operations';

export class Entity implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'DataGrid',
		name: 'entity',
		icon: { light: 'file:../../icons/entity.svg', dark: 'file:../../icons/entity.dark.svg' },
		group: ['input', 'output'],
		version: 1,
		subtitle: subtitleOf(resources, 'entity'),
		description: 'Read, write and sync rows of a grid, or start the workflow when they change',
		builderHint: builderHint(
			'Rows of a grid (table). To write rows by key, use Create or Update; to make a grid equal to the items, use Sync; to change rows by condition, use Update Many with Dry Run first. One node writes all items: no loop is needed.',
			['entityTrigger', 'grid'],
		),
		defaults: { name: 'DataGrid' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataGridApi', required: true, testedBy: 'testConnection' }],
		hints: hintsBeforeRun(resources),
		properties: describeOperations(resources),
	};

	methods = { listSearch, loadOptions: fieldOptions, resourceMapping, credentialTest };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, resources);
	}
}
