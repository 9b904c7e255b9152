import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { ServiceOptions } from '../../service/server';
import type { NodeSettings } from '../engine/engine';
import { startFaultProxy, type FaultProxy, type Rule } from '../proxy/faultProxy';
import type { Identity } from './call';
import { makeSpace, newId } from './makeGrid';
import { fileItem } from './fileItem';
import { byId } from './parameters';
import { makePublicLink } from './publicLink';
import { startPushProvider, type PushProvider } from './pushProvider';
import { World } from './world';
import type { WorldGrid } from './worldGrid';
import { readList } from '../../client';

const COLUMNS = { Order: 'string', Quantity: 'integer', Due: 'date', Customer: 'reference' };
const CSV = 'Order,Quantity\nA-1,2\n';

interface Samples {
	/** Proxy in front of the service; all credentials use its address. */
	proxy: FaultProxy;
	push: PushProvider;
	/** Orders: the grid with the samples. */
	orders: WorldGrid;
	viewId: string;
	formId: string;
	/** Form links by protection, a link of a view, and one that edits a row. */
	/** A position of Get Changes, as its items carry it. */
	position: Readonly<Record<'name' | 'spaceId' | 'gridId' | 'rowId' | 'from', string>>;
	links: Readonly<Record<'none' | 'link' | 'view' | 'edit', string>>;
}

/** A world with one resource of each kind, for tests of every operation. */
export class SampleWorld extends World {
	private startedSamples: Samples | undefined;
	private readings = 0;
	/** Method and path of each request since `listen`. */
	readonly sent: string[] = [];

	static override async start(options: Partial<ServiceOptions> = {}): Promise<SampleWorld> {
		const world = new SampleWorld();
		await world.begin(options);
		return world;
	}

	static override forTests(options: Partial<ServiceOptions> = {}): SampleWorld {
		return new SampleWorld().withHooks(options);
	}

	protected override async begin(options: Partial<ServiceOptions>): Promise<void> {
		await super.begin(options);
		const { client } = this;
		const orders = await this.grid(COLUMNS, 'Orders');
		const { grid, fields } = orders;
		const ids = [...fields.values()].map(({ id }) => id);
		const view = await client.views.create(grid, { name: 'All', fields: ids, filter: {}, sorting: {} });
		const formId = (await readList(client.forms.list(grid))).items[0]?.id ?? '';
		const proxy = await startFaultProxy(this.service.url);
		const link = async (body: object) =>
			`${proxy.url}${await makePublicLink(client, grid, { kind: 'form', ...body })}`;
		const linked = await client.entities.create(grid, { [orders.id('Order')]: 'Linked' });
		const links = {
			none: await link({ protection: 'none' }),
			link: await link({ protection: 'link', user: 'guest', password: 'open sesame' }),
			view: await link({ kind: 'view' }),
			edit: await link({ kind: 'edit', entityId: linked.id }),
		};
		const push = await startPushProvider();
		const positions = await this.grid({ Name: 'string', Position: 'date-time' }, 'Positions');
		const from = '2026-03-01T09:30:00.000Z';
		const [rowId = ''] = await positions.fill({ Name: 'sample', Position: from });
		const { spaceId, gridId } = positions.grid.address;
		const position = { name: 'sample', spaceId, gridId, rowId, from };
		this.startedSamples = { proxy, push, orders, viewId: newId(view), formId, position, links };
		this.listen();
	}

	private get samples(): Samples {
		if (this.startedSamples) return this.startedSamples;
		throw new Error('The world starts before the first test');
	}

	get proxy(): FaultProxy {
		return this.samples.proxy;
	}

	/** Each time of a later reading. */
	get position() {
		const until = new Date(Date.UTC(2026, 2, 2) + 60_000 * this.readings++).toISOString();
		return { ...this.samples.position, until };
	}

	get push(): PushProvider {
		return this.samples.push;
	}

	get orders(): WorldGrid {
		return this.samples.orders;
	}

	get viewId(): string {
		return this.samples.viewId;
	}

	get formId(): string {
		return this.samples.formId;
	}

	get links(): Samples['links'] {
		return this.samples.links;
	}

	/** Empties the log of requests and sets the faults of later requests. */
	listen(faults: Rule = () => undefined): void {
		this.sent.length = 0;
		this.proxy.setRules((request, number) => {
			this.sent.push(`${request.method} ${request.path}`);
			return faults(request, number);
		});
	}

	/** Requests in the log that may have changed something. */
	get writes(): string[] {
		return this.sent.filter((line) => !line.startsWith('GET'));
	}

	override credentials(as: Identity = 'owner', baseUrl = this.proxy.url): NodeSettings['credentials'] {
		return {
			...super.credentials(as, baseUrl),
			dataGridPushApi: { url: this.push.url, appId: 'app-1', restApiKey: 'rest-key-1' },
			dataGridLinkApi: { link: this.links.link, user: 'guest', password: 'open sesame' },
		};
	}

	get inSpace(): INodeParameters {
		return { space: byId(this.spaceId) };
	}

	get inGrid(): INodeParameters {
		return this.orders.chosen;
	}

	/** Creates a row. */
	async newRow(order = this.fresh('A')): Promise<INodeParameters> {
		const [id = ''] = await this.orders.fill({ Order: order, Quantity: 1 });
		return { entity: byId(id) };
	}

	/** Creates a grid with one column. */
	async newGrid(): Promise<INodeParameters> {
		return (await this.grid({ Title: 'string' })).chosen;
	}

	/** Creates a grid and chooses its column. */
	async newColumn(): Promise<INodeParameters> {
		const own = await this.grid({ Title: 'string' });
		return { ...own.chosen, field: byId(own.id('Title')) };
	}

	async newView(): Promise<INodeParameters> {
		const made = await this.client.views.create(this.orders.grid, {
			name: this.fresh('View'),
			fields: [this.orders.id('Order')],
			filter: {},
			sorting: {},
		});
		return { view: byId(newId(made)) };
	}

	async newBoard(): Promise<INodeParameters> {
		const content = { type: 'kanban', properties: {}, slotProperties: {} };
		const made = await this.client.statefulViews.create(this.orders.grid, content);
		return { board: byId(newId(made)) };
	}

	async newAccessKey(): Promise<INodeParameters> {
		const name = this.fresh('Key');
		await this.client.accessKeys.create({ name, role: 'reader' });
		const { items } = await readList(this.client.accessKeys.list());
		const made = items.find((key) => key['name'] === name);
		return { accessKey: byId(String(made?.id)) };
	}

	async newSpace(): Promise<INodeParameters> {
		return { space: byId(await makeSpace(this.client, this.fresh('Space'))) };
	}

	/** An input item with a CSV file. */
	get csvItem(): INodeExecutionData {
		return fileItem(CSV);
	}

	/** An input item with a CSV file of one order. */
	ordersFile(order: string): INodeExecutionData {
		return fileItem(`Order,Quantity\n${order},3\n`);
	}

	override async stop(): Promise<void> {
		await this.proxy.stop();
		await this.push.stop();
		await super.stop();
	}
}
