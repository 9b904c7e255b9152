import { createClient, type Client } from '../../client';
import type { Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import { paths } from '../../client/paths';
import type { Created, SessionOptions } from '../../client/session';
import { AxiosTransport } from './axiosTransport';
import { startTestService } from './service';

type Service = Awaited<ReturnType<typeof startTestService>>;

/** An embedded service with an empty account, and clients of it. Stop it when done. */
export class ServiceFixture {
	private readonly transports: AxiosTransport[] = [];

	private constructor(readonly service: Service) {}

	static async start(options: Parameters<typeof startTestService>[0] = {}): Promise<ServiceFixture> {
		return new ServiceFixture(await startTestService(options));
	}

	/**
	 * A client with the owner's key, or another one.
	 * @param options.baseUrl where it sends its requests, e.g. a proxy; the service itself where it is left out
	 */
	client(
		options: SessionOptions & { baseUrl?: string; key?: string; secret?: string; timeout?: number } = {},
	): Client {
		const { key = this.service.key, secret = this.service.secret, timeout } = options;
		const identity = { key, secret };
		const transport = new AxiosTransport({ identity, ...(timeout === undefined ? {} : { timeout }) });
		this.transports.push(transport);
		return createClient({ baseUrl: this.service.url, ...options, transport });
	}

	async stop(): Promise<void> {
		for (const transport of this.transports) transport.close();
		await this.service.stop();
	}
}

/** The id of what was created: the embedded service always tells it. */
export function newId({ id, href }: Created): string {
	if (id !== null) return id;
	throw new Error(`What was created at ${href} has no id`);
}

/** Creates a space. @returns its id */
export async function makeSpace(client: Client, name: string): Promise<string> {
	const me = await client.users.me();
	const created = await client.session.create({ method: 'POST', href: paths.spaces(me.id), body: { name } });
	return newId(created);
}

/** Creates a grid with one column of each given type name (§2.5). @returns it as it is then, and its fields by name */
export async function makeGrid(
	client: Client,
	spaceId: string,
	name: string,
	columns: Record<string, string>,
): Promise<{ grid: Grid; fields: Map<string, Field> }> {
	const me = await client.users.me();
	const href = paths.grids(me.id, spaceId);
	const gridId = newId(await client.session.create({ method: 'POST', href, body: { name } }));
	const address = { userId: me.id, spaceId, gridId };
	for (const [column, type] of Object.entries(columns)) {
		const body = { name: column, type: { name: type } };
		await client.session.create({ method: 'POST', href: paths.columnOperation(address, 'ColumnAdd'), body });
	}
	const grid = await client.grids.open({ spaceId, gridId });
	const fields = await client.fields.of(grid);
	return { grid, fields: new Map(fields.map((field) => [field.name, field])) };
}
