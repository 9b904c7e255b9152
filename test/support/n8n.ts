import 'reflect-metadata';
import {
	BinaryDataConfig,
	BinaryDataService,
	CredentialTestContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	LoadOptionsContext,
	PollContext,
	WorkflowExecute,
} from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import { Container } from '@n8n/di';
import {
	Workflow,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IPollFunctions,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Grid } from '../../nodes/Grid/Grid.node';
import { Form } from '../../nodes/Form/Form.node';
import { GridTrigger } from '../../nodes/GridTrigger/GridTrigger.node';
import { Space } from '../../nodes/Space/Space.node';
import { TestCredentials, type CredentialData } from './n8nCredentials';

/** The nodes of the package under the type names that users' workflows have. */
const nodeTypesByName = new Map<string, INodeType>(
	Object.entries({
		'n8n-nodes-datagrid.entity': new Entity(),
		'n8n-nodes-datagrid.grid': new Grid(),
		'n8n-nodes-datagrid.form': new Form(),
		'n8n-nodes-datagrid.gridTrigger': new GridTrigger(),
		'n8n-nodes-datagrid.space': new Space(),
	}),
);

/** Where a test workflow begins: it puts out the items that the test gives. */
function itemsSource(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Items',
			name: 'items',
			group: ['trigger'],
			version: 1,
			description: 'Puts out the items of a test',
			defaults: { name: 'Items' },
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		execute: () => Promise.resolve([items]),
	};
}

function typesWith(items: INodeExecutionData[]): INodeTypes {
	const find = (name: string): INodeType => {
		if (name === 'test.items') return itemsSource(items);
		const type = nodeTypesByName.get(name);
		if (!type) throw new Error(`No node type ${name}: add it to test/support/n8n.ts`);
		return type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

export interface NodeSettings {
	/** e.g. `n8n-nodes-datagrid.entity` */
	type: string;
	parameters: INodeParameters;
	/** A credential's values by its type name; `dataGridApi` is what most nodes take. */
	credentials: Record<string, CredentialData>;
	onError?: INode['onError'];
	retryOnFail?: boolean;
	/** Of the workflow; n8n's own where it is left out. */
	timezone?: string;
}

const NODE_ID = '6d1f4d2e-0000-4000-8000-000000000001';

function workflowOf(settings: NodeSettings, items: INodeExecutionData[], staticData?: IDataObject) {
	const node: INode = {
		id: NODE_ID,
		name: 'DataGrid',
		type: settings.type,
		typeVersion: 1,
		position: [200, 0],
		parameters: settings.parameters,
		credentials: Object.fromEntries(
			Object.keys(settings.credentials).map((type) => [type, { id: type, name: type }]),
		),
		...(settings.onError === undefined ? {} : { onError: settings.onError }),
		...(settings.retryOnFail === undefined ? {} : { retryOnFail: settings.retryOnFail, waitBetweenTries: 0 }),
	};
	const source: INode = {
		id: 'items',
		name: 'Items',
		type: 'test.items',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const workflow = new Workflow({
		id: 'test-workflow',
		name: 'Test',
		nodes: [source, node],
		connections: { Items: { main: [[{ node: 'DataGrid', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes: typesWith(items),
		settings: {
			executionOrder: 'v1',
			...(settings.timezone === undefined ? {} : { timezone: settings.timezone }),
		},
		...(staticData === undefined ? {} : { staticData }),
	});
	return { workflow, node: workflow.getNode('DataGrid') ?? node, source };
}

/** What n8n's server adds to an execution. Members that no node of this package may need refuse to work. */
function additionalDataOf(settings: NodeSettings, mode: WorkflowExecuteMode): IWorkflowExecuteAdditionalData {
	const refuse = (name: string) => () => Promise.reject(new Error(`${name} is not part of these tests`));
	return {
		credentialsHelper: new TestCredentials(settings.credentials),
		executeWorkflow: refuse('executeWorkflow'),
		getRunExecutionData: refuse('getRunExecutionData'),
		startRunnerTask: refuse('startRunnerTask'),
		currentNodeExecutionIndex: 0,
		currentNodeParameters: settings.parameters,
		restApiUrl: '',
		instanceBaseUrl: '',
		formWaitingBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: '',
		webhookTestBaseUrl: '',
		variables: {},
		externalSecretsProxy: new ExternalSecretsProxy(),
		logAiEvent: () => undefined,
		hooks: new ExecutionLifecycleHooks(mode, 'test-execution', {
			id: 'test-workflow',
			name: 'Test',
			active: false,
			isArchived: false,
			activeVersionId: null,
			createdAt: new Date(),
			updatedAt: new Date(),
			nodes: [],
			connections: {},
		}),
	};
}

/** Files of a test stay in memory, as n8n's default mode keeps them. */
async function prepareBinaryData(): Promise<void> {
	Container.get(BinaryDataConfig).mode = 'default';
	await Container.get(BinaryDataService).init();
}

// n8n's contexts start a timer for SSH connections, which would keep a test process alive for ever.
afterAll(() => {
	Container.get(SSHClientsManager).onShutdown();
});

/** What a run of one node came to. */
export interface NodeRun {
	run: IRun;
	/** The items of each output; the second is the error branch. */
	outputs: INodeExecutionData[][];
	items: INodeExecutionData[];
	rows: IDataObject[];
	error: Error | undefined;
	hints: string[];
}

/** Runs one node in n8n's own engine, after a node that puts out `input`. @param onStart is given what stops the execution */
export async function runNode(
	settings: NodeSettings,
	input: Array<IDataObject | INodeExecutionData> = [{}],
	onStart: (cancel: () => void) => void = () => undefined,
): Promise<NodeRun> {
	await prepareBinaryData();
	const items = input.map((item): INodeExecutionData => (isItem(item) ? item : { json: item }));
	const { workflow, source } = workflowOf(settings, items);
	const execution = new WorkflowExecute(additionalDataOf(settings, 'manual'), 'manual').run(workflow, source);
	onStart(() => {
		execution.cancel();
	});
	const run = await execution;
	const data = run.data.resultData.runData.DataGrid?.at(-1);
	const outputs = (data?.data?.main ?? []).map((output) => output ?? []);
	const main = outputs[0] ?? [];
	return {
		run,
		outputs,
		items: main,
		rows: main.map(({ json }) => json),
		error: run.data.resultData.error ?? data?.error,
		hints: (data?.hints ?? []).map(({ message }) => message),
	};
}

function isItem(item: IDataObject | INodeExecutionData): item is INodeExecutionData {
	return typeof item.json === 'object' && item.json !== null && !Array.isArray(item.json);
}

// n8n-core declares a workflow's name as optional and n8n-workflow as given; in these tests it always is.
class EditorContext extends LoadOptionsContext {
	override getWorkflow() {
		return { ...super.getWorkflow(), id: 'test-workflow', name: 'Test' };
	}
}

class TriggerPollContext extends PollContext {
	override getWorkflow() {
		return { ...super.getWorkflow(), id: 'test-workflow', name: 'Test' };
	}
}

/** n8n's own context for lists and column mappers, with the node's parameters as the editor holds them. */
export function loadOptionsContext(settings: NodeSettings): ILoadOptionsFunctions {
	const { workflow, node } = workflowOf(settings, []);
	return new EditorContext(workflow, node, additionalDataOf(settings, 'internal'), '');
}

/** n8n's own context for a poll. `staticData` is what n8n kept of the workflow; look at it again in `workflow`. */
export function pollContext(
	settings: NodeSettings,
	options: { mode?: WorkflowExecuteMode; activation?: WorkflowActivateMode; staticData?: IDataObject } = {},
): { context: IPollFunctions; workflow: Workflow } {
	const { mode = 'trigger', activation = 'activate', staticData } = options;
	const { workflow, node } = workflowOf(settings, [], staticData);
	return {
		workflow,
		context: new TriggerPollContext(workflow, node, additionalDataOf(settings, mode), mode, activation),
	};
}

/** Runs the credential test that a node offers, in n8n's own context for it. */
export async function testCredential(
	type: string,
	method: string,
	data: CredentialData,
): Promise<INodeCredentialTestResult> {
	const test = nodeTypesByName.get(type)?.methods?.credentialTest?.[method];
	if (!test) throw new Error(`${type} has no credential test ${method}`);
	return await test.call(new CredentialTestContext(), { id: '1', name: 'Test', type: 'dataGridApi', data });
}
