import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { describeOperations, hintsBeforeRun, subtitleOf, builderHint } from '../shared/runner/description';
import { runOperations } from '../shared/runner/run';
import { searchBoardColumns, searchBoards } from '../shared/inputs/pickers/board';
import { fieldOptions } from '../shared/inputs/pickers/field';
import { listSearch } from '../shared/inputs/pickers/listSearch';
import { searchBoardShares } from '../shared/inputs/pickers/share';
import { credentialTest } from '../shared/connection/testConnection';
import { resources } from './operations';

export class Grid implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'DataGrid Grid',
		name: 'grid',
		icon: { light: 'file:../../icons/grid.svg', dark: 'file:../../icons/grid.dark.svg' },
		group: ['input', 'output'],
		version: 1,
		subtitle: subtitleOf(resources, 'grid'),
		description: 'Create and change grids (tables), their columns and views in the Data-Grid Service',
		builderHint: builderHint(
			'Structure of a table: its columns, views, boards and CSV files. For its rows, use the node DataGrid.',
			['entity', 'space'],
		),
		defaults: { name: 'DataGrid Grid' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataGridApi', required: true, testedBy: 'testConnection' }],
		hints: hintsBeforeRun(resources),
		properties: describeOperations(resources),
	};

	methods = {
		listSearch: { ...listSearch, searchBoardColumns, searchBoards, searchBoardShares },
		loadOptions: fieldOptions,
		credentialTest,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, resources);
	}
}
