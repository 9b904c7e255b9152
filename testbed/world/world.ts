import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { createClient, type Client, readList } from '../../client';
import type { RunningService, ServiceOptions } from '../../service/server';
import { FetchTransport } from '../fetchTransport';
import { loadOptionsContext, runNode, type NodeRun, type NodeSettings } from '../engine/engine';
import type { Call, Identity, RunOptions } from './call';
import { makeGrid, makeSpace, openGrid, type ColumnType } from './makeGrid';
import { startTestService } from './service';
import { storedOptions } from './storedOptions';
import { WorldGrid } from './worldGrid';

/** The values of a DataGrid credential with a key. */
interface KeyCredential extends Record<string, string> {
	baseUrl: string;
	authentication: string;
	key: string;
	secret: string;
}

/** Initial parts of a world. */
interface Foundation {
	service: RunningService;
	/** Client of the owner. */
	client: Client;
	readerKey: { key: string; secret: string };
	spaceId: string;
}

/**
 * Shared test environment: the embedded service with an account, clients, grids on demand, and
 * n8n's engine connected to it. Stop it when done.
 */
export class World {
	private started: Foundation | undefined;
	private made = 0;

	protected constructor() {}

	/** @param options of the embedded service, e.g. its clock or `seed: 'demo'` */
	static async start(options: Partial<ServiceOptions> = {}): Promise<World> {
		const world = new World();
		await world.begin(options);
		return world;
	}

	/** The world of a test file, started before its tests and stopped after them. */
	static forTests(options: Partial<ServiceOptions> = {}): World {
		return new World().withHooks(options);
	}

	protected withHooks(options: Partial<ServiceOptions>): this {
		beforeAll(() => this.begin(options));
		afterAll(() => this.stop());
		return this;
	}

	protected async begin(options: Partial<ServiceOptions>): Promise<void> {
		const service = await startTestService(options);
		const client = createClient({ baseUrl: service.url, transport: new FetchTransport(service) });
		const { key, secret } = await client.accessKeys.create({ name: 'Reader', role: 'reader' });
		const spaceId = await makeSpace(client, 'Work');
		this.started = { service, client, readerKey: { key, secret }, spaceId };
	}

	private get foundation(): Foundation {
		if (this.started) return this.started;
		throw new Error('The world starts before the first test');
	}

	get service(): RunningService {
		return this.foundation.service;
	}

	get client(): Client {
		return this.foundation.client;
	}

	/** The space of the world's grids, "Work". */
	get spaceId(): string {
		return this.foundation.spaceId;
	}

	get owner(): KeyCredential {
		const { url, key, secret } = this.service;
		return { baseUrl: url, authentication: 'apiKey', key, secret };
	}

	/** Credential with a reader key. */
	get reader(): KeyCredential {
		return { ...this.owner, ...this.foundation.readerKey };
	}

	/** Credential with a wrong secret. */
	get stranger(): KeyCredential {
		return { ...this.owner, secret: 'wrong' };
	}

	/** Creates another client of the owner, which has cached nothing. */
	newClient(baseUrl = this.service.url): Client {
		return createClient({ baseUrl, transport: new FetchTransport(this.service) });
	}

	/** Creates a grid. @param columns types by column name */
	async grid(columns: Readonly<Record<string, ColumnType>>, name = this.fresh('Grid')): Promise<WorldGrid> {
		const { grid, fields } = await makeGrid(this.client, this.spaceId, name, columns);
		return new WorldGrid(this, grid, fields);
	}

	/** A grid of the demo data. */
	async demoGrid(name: string): Promise<WorldGrid> {
		for (const space of (await readList(this.client.spaces.list())).items) {
			const found = (await readList(this.client.grids.list(space))).items.find((grid) => grid.name === name);
			if (!found) continue;
			const { grid, fields } = await openGrid(this.client, { spaceId: space.id, gridId: found.id });
			return new WorldGrid(this, grid, fields);
		}
		throw new Error(`No grid ${name}: start the world with seed: 'demo'`);
	}

	/** Returns a name that is unique in the world. */
	fresh(what: string): string {
		return `${what} ${++this.made}`;
	}

	/** All credentials of an identity, by type. */
	credentials(
		as: Identity = 'owner',
		baseUrl?: string,
		requestsAtATime?: number,
	): NodeSettings['credentials'] {
		const limit = requestsAtATime === undefined ? {} : { requestsAtATime };
		return { dataGridApi: { ...this[as], ...limit, ...(baseUrl === undefined ? {} : { baseUrl }) } };
	}

	settings(call: Call, options: RunOptions = {}): NodeSettings {
		const { node, resource, operation } = call;
		const { as, baseUrl, credentials, requestsAtATime, onError, retryOnFail, timezone } = options;
		return {
			type: `n8n-nodes-datagrid.${node}`,
			parameters: { resource, operation, ...storedOptions(call) },
			credentials: credentials ?? this.credentials(as, baseUrl, requestsAtATime),
			onError,
			retryOnFail,
			timezone,
		};
	}

	/** Runs an operation in n8n's engine. */
	async run(call: Call, options: RunOptions = {}): Promise<NodeRun> {
		return await runNode(this.settings(call, options), options.input, options.onStart);
	}

	/** Output rows of an operation that must succeed. @throws the error of the node */
	async rows(call: Call, options?: RunOptions): Promise<IDataObject[]> {
		const { rows, error } = await this.run(call, options);
		if (error) throw error;
		return rows;
	}

	/** The only output row of an operation that must succeed. */
	async row(call: Call, options?: RunOptions): Promise<IDataObject> {
		const rows = await this.rows(call, options);
		const [row] = rows;
		if (!row || rows.length > 1) throw new Error(`Expected one row, got ${rows.length}`);
		return row;
	}

	/** n8n's context for the lists and column mappers of the editor. */
	editor(call: Call, options?: RunOptions): ILoadOptionsFunctions {
		return loadOptionsContext(this.settings(call, options));
	}

	async stop(): Promise<void> {
		await this.service.stop();
	}
}
