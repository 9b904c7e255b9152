import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { fieldOptions } from '../shared/inputs/pickers/field';
import { listSearch } from '../shared/inputs/pickers/listSearch';
import { triggerSubtitle, builderHint } from '../shared/runner/description';
import { credentialTest } from '../shared/connection/testConnection';
import { runPoll } from './run';
import { properties } from './settings';

export class EntityTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'DataGrid Trigger',
		name: 'entityTrigger',
		icon: { light: 'file:../../icons/entityTrigger.svg', dark: 'file:../../icons/entityTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle('events'),
		// The nodes panel shows one entry, with this text, for the trigger and the node of the rows.
		description: 'Read, write and sync rows of a grid, or start the workflow when they change',
		eventTriggerDescription: 'Waiting for a row of the grid to change',
		activationMessage: 'From now on, each change of the grid starts this workflow once.',
		builderHint: builderHint(
			'Emits one item for each created, updated or deleted row of a grid. One trigger covers all kinds of change: choose them in Events.',
			['entity'],
		),
		defaults: { name: 'DataGrid Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataGridApi', required: true, testedBy: 'testConnection' }],
		properties,
	};

	methods = { listSearch, loadOptions: fieldOptions, credentialTest };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await runPoll(this);
	}
}
