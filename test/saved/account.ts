import { endpoints } from '../../client/endpoints/endpoints';
import { pathOf } from '../../client/endpoints/paths';
import type { NodeSettings } from '../../testbed/engine/engine';
import { makeSpace, newId } from '../../testbed/world/makeGrid';
import { PushProvider } from '../../testbed/world/pushProvider';
import { World } from '../../testbed/world/world';
import type { WorldGrid } from '../../testbed/world/worldGrid';

const LOGIN = { user: 'guest', password: 'open sesame' };
const options = ['open', 'paid'];

/**
 * The account of the saved workflows. They refer to its resources by placeholders such as
 * `<grid Orders>`, because each service assigns different IDs.
 */
export class Account {
	/** IDs and addresses by placeholder. */
	readonly names = new Map<string, string>();

	private constructor(
		readonly world: World,
		readonly orders: WorldGrid,
		private readonly push: PushProvider,
	) {}

	static async start(): Promise<Account> {
		const world = await World.start();
		const customers = await world.grid({ Name: 'string', City: 'string' }, 'Customers');
		const orders = await world.grid(
			{
				Order: 'string',
				Quantity: 'integer',
				Due: 'date',
				Status: { name: 'enum', options },
				Customer: 'reference',
			},
			'Orders',
		);
		const account = new Account(world, orders, await PushProvider.start());
		account.name('service', world.service.url);
		account.name('user', orders.grid.address.userId);
		account.name('space Work', world.spaceId);
		account.name('push', account.push.url);
		for (const [name, grid] of Object.entries({ Customers: customers, Orders: orders })) {
			account.name(`grid ${name}`, grid.grid.id);
			for (const [column, { id }] of grid.fields) account.name(`column ${name}.${column}`, id);
		}
		await account.fill(customers);
		await account.addViews();
		await account.addPeople();
		return account;
	}

	private name(placeholder: string, value: string): void {
		this.names.set(`<${placeholder}>`, value);
	}

	private idOf(placeholder: string): string {
		const id = this.names.get(`<${placeholder}>`);
		if (id === undefined) throw new Error(`The account has no ${placeholder}`);
		return id;
	}

	/** Creates rows one by one, so that their order is fixed. */
	private async fill(customers: WorldGrid): Promise<void> {
		const { userId, spaceId } = this.orders.grid.address;
		const href = `/api/users/${userId}/spaces/${spaceId}/grids/${customers.grid.id}/entities`;
		const links: Array<{ uri: string }> = [];
		for (const [Name, City] of [
			['Alder', 'Basel'],
			['Birch', 'Bern'],
		]) {
			const [id = ''] = await customers.fill([{ Name, City }]);
			this.name(`row ${String(Name)}`, id);
			links.push({ uri: `${href}/${id}` });
		}
		const [Alder, Birch] = links;
		for (const row of [
			{ Order: 'A-1', Quantity: 1, Due: '2026-03-01', Status: 'open', Customer: Alder },
			{ Order: 'A-2', Quantity: 2, Due: '2026-03-02', Status: 'paid', Customer: Birch },
			{ Order: 'A-3', Quantity: 0, Status: 'open' },
			{ Order: 'A-4', Quantity: 4, Due: '2026-03-04' },
		]) {
			const [id = ''] = await this.orders.fill([row]);
			this.name(`row ${row.Order}`, id);
		}
	}

	private async addViews(): Promise<void> {
		const { client } = this.world;
		const { grid } = this.orders;
		const [order, quantity, status] = ['Order', 'Quantity', 'Status'].map((name) => this.orders.id(name));
		const view = await client.views.create(grid, {
			name: 'Open orders',
			fields: [order, quantity, status].flatMap((id) => id ?? []),
			filter: { [String(status)]: { $eq: 'open' } },
			sorting: {},
		});
		this.name('view Open orders', newId(view));
		const board = { type: 'kanban', properties: { groupBy: status }, slotProperties: {} };
		const statefulView = newId(await client.statefulViews.create(grid, board));
		this.name('statefulView Board', statefulView);
		const viewPath = pathOf(endpoints.gridGet, { ...grid.address, gridId: newId(view) });
		const calendar = { type: 'calendar', properties: {}, slotProperties: {} };
		const inView = await client.session.create({
			method: 'POST',
			href: `${viewPath}/sviews`,
			body: calendar,
		});
		this.name('statefulView Calendar', newId(inView));
		await client.session.create({
			method: 'POST',
			href: `${viewPath}/sviews/${newId(inView)}/shares`,
			body: { email: 'ada@example.com', role: 'reader' },
		});
		const gridPath = pathOf(endpoints.gridGet, grid.address);
		this.name('form Orders', (await client.forms.page(grid)).items[0]?.id ?? '');
		const links = {
			'form link': { kind: 'form', protection: 'none' },
			'protected link': { kind: 'form', protection: 'link', ...LOGIN },
			'account link': { kind: 'form', protection: 'internal' },
			'rows link': { kind: 'view' },
			'account rows link': { kind: 'view', protection: 'internal' },
			'edit link': { kind: 'edit', entityId: this.idOf('row A-1') },
			'account edit link': { kind: 'edit', entityId: this.idOf('row A-1'), protection: 'internal' },
		};
		const addLink = async (name: string, path: string, body: object) => {
			const { href } = await client.session.create({ method: 'POST', href: `${path}/links`, body });
			this.name(name, `${this.world.service.url}${href}`);
		};
		for (const [name, body] of Object.entries(links)) await addLink(name, gridPath, body);
		await addLink('link of the view', viewPath, { kind: 'view' });
	}

	private async addPeople(): Promise<void> {
		const { client } = this.world;
		const spacePath = pathOf(endpoints.spaceGet, this.orders.grid.address);
		const post = (path: string, body: object) =>
			client.session.create({ method: 'POST', href: `${spacePath}/${path}`, body });
		await post('shares', { email: 'ada@example.com', role: 'writer' });
		await post('invite', { email: 'bob@example.com', role: 'reader' });
		const path = `grids/${this.orders.grid.id}/sviews/${this.idOf('statefulView Board')}/shares`;
		await post(path, { email: 'ada@example.com', role: 'reader' });
		this.name('space Spare', await makeSpace(client, 'Spare'));
		await client.accessKeys.create({ name: 'Old', role: 'reader' });
		const keys = (await client.accessKeys.many(Infinity)).items;
		for (const { id, name = '', ...key } of keys) {
			this.name(`accessKey ${name}`, id);
			if (typeof key['key'] === 'string') this.name(`key ${name}`, key['key']);
		}
	}

	/** All credentials that a workflow may use. */
	credentials(): NodeSettings['credentials'] {
		return {
			...this.world.credentials(),
			dataGridPushApi: { url: this.push.url, appId: 'app-1', restApiKey: 'rest-key-1' },
			dataGridLinkApi: { link: this.idOf('protected link'), ...LOGIN },
		};
	}

	/** Changes to the orders while a trigger watches them, one before each poll. */
	changes(): Array<() => Promise<unknown>> {
		const { client } = this.world;
		const { grid } = this.orders;
		const row = async (name: string) => await client.entities.get(grid, this.idOf(`row ${name}`));
		const quantity = this.orders.id('Quantity');
		return [
			async () => await this.orders.fill([{ Order: 'B-1', Status: 'open' }]),
			async () => await client.entities.update(grid, await row('A-3'), { [quantity]: 3 }),
			async () => {
				await client.entities.remove(grid, await row('A-3'));
			},
		];
	}

	async stop(): Promise<void> {
		await this.push.stop();
		await this.world.stop();
	}
}
