import { z } from 'zod/v4';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../client';
import type { Values } from '../../client/entities';
import type { Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import { paths } from '../../client/paths';
import { makeGrid, makeSpace, newId, ServiceFixture } from './gridFixture';
import { runNode, type NodeRun, type NodeSettings } from './n8n';

type Parameters = NodeSettings['parameters'];

/** A service with one space, and the Entity node run against it. Stop it when done. */
export class EntityFixture {
	private grids = 0;

	private constructor(
		readonly fixture: ServiceFixture,
		readonly client: Client,
		readonly spaceId: string,
		readonly reader: { key: string; secret: string },
	) {}

	static async start(): Promise<EntityFixture> {
		const fixture = await ServiceFixture.start();
		const client = fixture.client();
		const me = await client.users.me();
		const body = { name: 'Reads only', role: 'reader' };
		const reader = await client.session.read(z.object({ key: z.string(), secret: z.string() }), {
			method: 'POST',
			href: paths.accessKeys(me.id),
			body,
		});
		return new EntityFixture(fixture, client, await makeSpace(client, 'Work'), reader);
	}

	/** A new grid with columns of these types (§2.5), and the node's operations on it. */
	async grid(columns: Record<string, string>): Promise<GridOfNode> {
		const { grid, fields } = await makeGrid(this.client, this.spaceId, `Grid ${++this.grids}`, columns);
		return new GridOfNode(this, grid, fields);
	}

	async stop(): Promise<void> {
		await this.fixture.stop();
	}
}

/** How a run of the node is to differ. */
export interface RunSettings extends Partial<Pick<NodeSettings, 'onError' | 'retryOnFail'>> {
	resource?: string;
	/** Whose key it has; the owner's where it is left out. */
	identity?: { key: string; secret: string };
	/** Where it sends its requests, e.g. a proxy. */
	baseUrl?: string;
}

/** One grid, and the Entity node on it. */
export class GridOfNode {
	constructor(
		private readonly owner: EntityFixture,
		readonly grid: Grid,
		readonly fields: Map<string, Field>,
	) {}

	id(column: string): string {
		const found = this.fields.get(column);
		if (!found) throw new Error(`No column ${column} among ${[...this.fields.keys()].join(', ')}`);
		return found.id;
	}

	settings(operation: string, parameters: Parameters, extra: RunSettings = {}): NodeSettings {
		const { resource = 'entity', identity, baseUrl, ...rest } = extra;
		const { url, key, secret } = this.owner.fixture.service;
		return {
			type: 'n8n-nodes-datagrid.entity',
			parameters: {
				resource,
				operation,
				space: { __rl: true, mode: 'id', value: this.owner.spaceId },
				grid: { __rl: true, mode: 'id', value: this.grid.id },
				...parameters,
			},
			credentials: {
				dataGridApi: {
					baseUrl: baseUrl ?? url,
					authentication: 'apiKey',
					key: identity?.key ?? key,
					secret: identity?.secret ?? secret,
				},
			},
			...rest,
		};
	}

	async run(
		operation: string,
		parameters: Parameters,
		input?: Array<IDataObject | INodeExecutionData>,
		extra?: RunSettings,
	): Promise<NodeRun> {
		return await runNode(this.settings(operation, parameters, extra), input);
	}

	/** A column mapping as the editor keeps it: values by field id, and the ids of the key columns. */
	mapped(values: Record<string, string | number | boolean | null>, keys: string[] = []): Parameters {
		const value = Object.fromEntries(Object.entries(values).map(([name, cell]) => [this.id(name), cell]));
		const matchingColumns = keys.map((name) => this.id(name));
		return { columns: { mappingMode: 'defineBelow', value, matchingColumns, schema: [] } };
	}

	/** Automatic mapping of the input. */
	auto(keys: string[] = []): Parameters {
		const matchingColumns = keys.map((name) => this.id(name));
		return { columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns, schema: [] } };
	}

	/** Puts rows into the grid without the node. @returns their ids */
	async fill(rows: readonly Values[]): Promise<string[]> {
		const run = await this.owner.client.session.limiter.run(rows, async (row) => {
			const values = Object.fromEntries(Object.entries(row).map(([name, cell]) => [this.id(name), cell]));
			return newId(await this.owner.client.entities.create(this.grid, values));
		});
		return run.outcomes.map((outcome) => {
			if (outcome.state !== 'done') throw new Error('A row could not be created');
			return outcome.value;
		});
	}

	/** All rows as the service holds them, by column name. */
	async rows(): Promise<Array<Record<string, unknown>>> {
		const { items } = await this.owner.client.entities.many(this.grid);
		return items.map((entity) =>
			Object.fromEntries([...this.fields.values()].map(({ id, name }) => [name, entity[id]])),
		);
	}
}
