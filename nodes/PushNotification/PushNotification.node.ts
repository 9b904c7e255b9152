import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { builderHint } from '../shared/runner/description';
import { runOperation } from '../shared/runner/run';
import { pushCredentialTest } from './provider';
import { send } from './send';

export class PushNotification implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'DataGrid Push Notification',
		name: 'pushNotification',
		icon: { light: 'file:../../icons/push.svg', dark: 'file:../../icons/push.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter.title }}',
		description: 'Send a push notification to users of the app, or to everyone who has a space open',
		builderHint: builderHint(
			'Notifies users of the app by their user IDs, e.g. those in "changedBy" of the trigger. Needs the credential of a push provider, and no account.',
			['entityTrigger'],
		),
		defaults: { name: 'DataGrid Push Notification' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataGridPushApi', required: true, testedBy: 'testPush' }],
		properties: send.fields.map(({ property }) => property),
	};

	methods = { credentialTest: pushCredentialTest };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperation(this, send);
	}
}
