import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Client } from '../../client';
import type { Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import { paths } from '../../client/paths';
import { Account, byId } from './account';
import { startFaultProxy, type FaultPlan, type FaultProxy } from './faultProxy';
import { makeGrid, makeSpace, newId } from './gridFixture';
import { runNode, type NodeRun } from './n8n';
import type { CredentialData } from './n8nCredentials';

/** Which operation of which node, as a workflow names them. */
export interface OperationName {
	node: 'entity' | 'form' | 'grid' | 'space';
	resource: string;
	operation: string;
}

export type Credentials = Record<string, CredentialData>;

/** A push provider that takes everything, or refuses it. */
class PushProvider {
	status = 200;
	received = 0;

	private constructor(
		private readonly server: Server,
		readonly url: string,
	) {}

	static async start(): Promise<PushProvider> {
		const server = createServer((request, response) => {
			provider.received++;
			request.resume();
			response.writeHead(provider.status, { 'content-type': 'application/json' }).end('{"id":"n1"}');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const provider = new PushProvider(server, `http://127.0.0.1:${port}`);
		return provider;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

const COLUMNS = { Order: 'string', Quantity: 'integer', Due: 'date' };
const CSV = 'Order,Quantity\nA-1,2\n';

/** What every operation of the package needs to be tried: an account with one thing of each kind, behind a proxy that notes what is sent. */
export class Stage {
	private made = 0;
	/** Method and path of each request of the node under test, without reads of the way to a resource. */
	readonly sent: string[] = [];

	private constructor(
		readonly account: Account,
		readonly client: Client,
		readonly proxy: FaultProxy,
		readonly push: PushProvider,
		readonly spaceId: string,
		readonly grid: Grid,
		readonly fields: ReadonlyMap<string, Field>,
		readonly viewId: string,
		readonly formId: string,
		readonly links: Readonly<Record<'none' | 'link' | 'view' | 'edit', string>>,
	) {
		this.listen();
	}

	/** @param options of the embedded service, e.g. its clock */
	static async open(options: Parameters<typeof Account.open>[0] = {}): Promise<Stage> {
		const account = await Account.open(options);
		const client = account.fixture.client();
		const spaceId = await makeSpace(client, 'Operations');
		const { grid, fields } = await makeGrid(client, spaceId, 'Orders', COLUMNS);
		const ids = [...fields.values()].map(({ id }) => id);
		const view = await client.views.create(grid, { name: 'All', fields: ids, filter: {}, sorting: {} });
		const formId = (await client.forms.page(grid)).items[0]?.id ?? '';
		const proxy = await startFaultProxy(account.fixture.service.url);
		const link = async (body: object) => {
			const href = `${paths.grid(grid.address)}/links`;
			const made = await client.session.create({
				method: 'POST',
				href,
				body: { kind: 'form', ...body },
			});
			return `${proxy.url}${made.href}`;
		};
		const linked = await client.entities.create(grid, { [fields.get('Order')?.id ?? '']: 'Linked' });
		const links = {
			none: await link({ protection: 'none' }),
			link: await link({ protection: 'link', user: 'guest', password: 'open sesame' }),
			view: await link({ kind: 'view' }),
			edit: await link({ kind: 'edit', entityId: linked.id }),
		};
		return new Stage(
			account,
			client,
			proxy,
			await PushProvider.start(),
			spaceId,
			grid,
			fields,
			newId(view),
			formId,
			links,
		);
	}

	/** From now on requests are noted anew. @param faults what happens to them on their way */
	listen(faults: FaultPlan = () => undefined): void {
		this.sent.length = 0;
		this.proxy.setFaults((request, number) => {
			this.sent.push(`${request.method} ${request.url}`);
			return faults(request, number);
		});
	}

	/** Those of the requests that could have changed something. */
	get writes(): string[] {
		return this.sent.filter((line) => !line.startsWith('GET'));
	}

	async run(
		{ node, resource, operation }: OperationName,
		parameters: INodeParameters,
		credentials: Credentials = this.owner,
		input: Array<IDataObject | INodeExecutionData> = [{}],
		onError?: INode['onError'],
	): Promise<NodeRun> {
		return await runNode(
			{
				type: `n8n-nodes-datagrid.${node}`,
				parameters: { resource, operation, ...parameters },
				credentials,
				...(onError === undefined ? {} : { onError }),
			},
			input,
		);
	}

	/** All credentials of somebody who may do everything. */
	get owner(): Credentials {
		return this.credentials(this.account.owner);
	}

	/** The same with a key that may only read. */
	get reader(): Credentials {
		return this.credentials(this.account.reader);
	}

	/** The same with a key that nobody knows. */
	get stranger(): Credentials {
		return this.credentials({ ...this.account.owner, secret: 'wrong' });
	}

	private credentials(account: Record<string, string>): Credentials {
		return {
			dataGridApi: { ...account, baseUrl: this.proxy.url },
			dataGridPushApi: { url: this.push.url, appId: 'app-1', restApiKey: 'rest-key-1' },
			dataGridLinkApi: { link: this.links.link, user: 'guest', password: 'open sesame' },
		};
	}

	fieldId(column: keyof typeof COLUMNS): string {
		return this.fields.get(column)?.id ?? column;
	}

	get inSpace(): INodeParameters {
		return { space: byId(this.spaceId) };
	}

	get inGrid(): INodeParameters {
		return { ...this.inSpace, grid: byId(this.grid.id) };
	}

	/** A name that nothing on the stage has yet. */
	fresh(what: string): string {
		return `${what} ${++this.made}`;
	}

	/** A row of its own. */
	async row(order = this.fresh('A')): Promise<INodeParameters> {
		const made = await this.client.entities.create(this.grid, {
			[this.fieldId('Order')]: order,
			[this.fieldId('Quantity')]: 1,
		});
		return { entity: byId(newId(made)) };
	}

	/** A grid of its own with one column. */
	async ownGrid(): Promise<INodeParameters> {
		const { grid } = await makeGrid(this.client, this.spaceId, this.fresh('Grid'), { Title: 'string' });
		return { ...this.inSpace, grid: byId(grid.id) };
	}

	/** A column of its own. */
	async column(): Promise<INodeParameters> {
		const own = await makeGrid(this.client, this.spaceId, this.fresh('Grid'), { Title: 'string' });
		const id = own.fields.get('Title')?.id ?? '';
		return { ...this.inSpace, grid: byId(own.grid.id), field: byId(id) };
	}

	async view(): Promise<INodeParameters> {
		const fields = [this.fieldId('Order')];
		const made = await this.client.views.create(this.grid, {
			name: this.fresh('View'),
			fields,
			filter: {},
			sorting: {},
		});
		return { view: byId(newId(made)) };
	}

	async statefulView(): Promise<INodeParameters> {
		const made = await this.client.statefulViews.create(this.grid, {
			type: 'kanban',
			properties: {},
			slotProperties: {},
		});
		return { statefulView: byId(newId(made)) };
	}

	async accessKey(): Promise<INodeParameters> {
		const name = this.fresh('Key');
		await this.client.accessKeys.create({ name, role: 'reader' });
		const { items } = await this.client.accessKeys.many(Infinity);
		const made = items.find((key) => key['name'] === name);
		return { accessKey: byId(String(made?.id)) };
	}

	async ownSpace(): Promise<INodeParameters> {
		return { space: byId(await makeSpace(this.client, this.fresh('Space'))) };
	}

	/** Values for a column mapper, by the names of the columns. */
	mapped(
		values: Partial<Record<keyof typeof COLUMNS, string | number>>,
		keys: string[] = [],
	): INodeParameters {
		const value = Object.fromEntries(
			Object.entries(values).map(([name, cell]) => [this.fields.get(name)?.id ?? name, cell]),
		);
		return { columns: { mappingMode: 'defineBelow', value, matchingColumns: keys, schema: [] } };
	}

	/** An input item with a CSV file. */
	get csvItem(): INodeExecutionData {
		const data = Buffer.from(CSV).toString('base64');
		return { json: {}, binary: { data: { data, mimeType: 'text/csv', fileName: 'orders.csv' } } };
	}

	async close(): Promise<void> {
		await this.proxy.stop();
		await this.push.stop();
		await this.account.close();
	}
}
