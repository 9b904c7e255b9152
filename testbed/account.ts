import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { ServiceFixture } from '../test/fixtures/gridFixture';
import { runNode, type NodeRun, type NodeSettings } from '../test/fixtures/n8n';

/** An account of the embedded service for tests of a node: its owner's credential, and one that may only read. */
export class Account {
	private constructor(
		readonly fixture: ServiceFixture,
		readonly owner: Record<string, string>,
		readonly reader: Record<string, string>,
	) {}

	static async open(options: Parameters<typeof ServiceFixture.start>[0] = {}): Promise<Account> {
		const fixture = await ServiceFixture.start(options);
		const { url, key, secret } = fixture.service;
		const made = await fixture.client().accessKeys.create({ name: 'Reader', role: 'reader' });
		const credential = { baseUrl: url, authentication: 'apiKey' };
		return new Account(
			fixture,
			{ ...credential, key, secret },
			{ ...credential, key: made.key, secret: made.secret },
		);
	}

	/** Runs one operation with the owner's credential, unless others are given. */
	async run(
		type: string,
		[resource, operation]: [resource: string, operation: string],
		parameters: INodeParameters = {},
		{
			input = [{}],
			...extra
		}: Partial<NodeSettings> & { input?: Array<IDataObject | INodeExecutionData> } = {},
	): Promise<NodeRun> {
		const settings: NodeSettings = {
			type: `n8n-nodes-datagrid.${type}`,
			parameters: { resource, operation, ...parameters },
			credentials: { dataGridApi: this.owner },
			...extra,
		};
		return await runNode(settings, input);
	}

	async close(): Promise<void> {
		await this.fixture.stop();
	}
}

/** A picker's value, chosen by id. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A member of an output row that has to be a text. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	throw new Error(`Not a text: ${JSON.stringify(value)}`);
}
