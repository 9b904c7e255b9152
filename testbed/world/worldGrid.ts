import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Values } from '../../client/resources/entities';
import type { Field } from '../../client/resources/fields';
import type { Grid } from '../../client/resources/grids';
import type { NodeRun, NodeSettings } from '../engine/engine';
import type { Call, Runner, RunOptions } from './call';
import { newId } from './makeGrid';
import { byId } from './parameters';

type Parameters = NodeSettings['parameters'];

/** Options of a run; `resource` is `entity` if omitted. */
export type GridRunOptions = Omit<RunOptions, 'input'> & { resource?: string };

/** A grid of a world, and the Entity node on it. */
export class WorldGrid {
	private views = 0;

	constructor(
		private readonly world: Runner,
		readonly grid: Grid,
		readonly fields: ReadonlyMap<string, Field>,
	) {}

	field(column: string): Field {
		const found = this.fields.get(column);
		if (!found) throw new Error(`No column ${column} among ${[...this.fields.keys()].join(', ')}`);
		return found;
	}

	/** Returns the ID of a column. */
	id(column: string): string {
		return this.field(column).id;
	}

	settings(operation: string, parameters: Parameters, options: GridRunOptions = {}): NodeSettings {
		const { resource, ...rest } = options;
		return this.world.settings(this.call(operation, parameters, resource), rest);
	}

	async run(
		operation: string,
		parameters: Parameters,
		input?: Array<IDataObject | INodeExecutionData>,
		{ resource, ...options }: GridRunOptions = {},
	): Promise<NodeRun> {
		const call = this.call(operation, parameters, resource);
		return await this.world.run(call, { ...options, ...(input ? { input } : {}) });
	}

	private call(operation: string, parameters: Parameters, resource = 'entity'): Call {
		return { node: 'entity', resource, operation, parameters: { ...this.chosen, ...parameters } };
	}

	/** Parameters that choose the grid by ID. */
	get chosen(): Parameters {
		const { spaceId, gridId } = this.grid.address;
		return { space: byId(spaceId), grid: byId(gridId) };
	}

	/** Column mapping as the editor stores it: values by field ID, and IDs of the key columns. */
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

	/** Writes rows without the node. @returns their IDs */
	async fill(...rows: Values[]): Promise<string[]> {
		const { client } = this.world;
		const run = await client.session.limiter.run(rows, async (row) => {
			const values = Object.fromEntries(Object.entries(row).map(([name, cell]) => [this.id(name), cell]));
			return newId(await client.entities.create(this.grid, values));
		});
		return run.outcomes.map((outcome) => {
			if (outcome.state === 'failed') throw outcome.error;
			if (outcome.state === 'untried') throw new Error('A row was not created');
			return outcome.value;
		});
	}

	/** Creates a view with conditions by column name. @returns its ID */
	async view(columns: readonly string[], where: Record<string, object> = {}, name?: string): Promise<string> {
		const filter = Object.fromEntries(Object.entries(where).map(([column, test]) => [this.id(column), test]));
		const fields = columns.map((column) => this.id(column));
		const unique = name ?? `View ${this.views++} of ${this.grid.id}`;
		return newId(await this.world.client.views.create(this.grid, { name: unique, fields, filter }));
	}

	/** All rows as the service stores them, by column name. */
	async rows(): Promise<Array<Record<string, unknown>>> {
		const { items } = await this.world.client.entities.many(this.grid);
		return items.map((entity) =>
			Object.fromEntries([...this.fields.values()].map(({ id, name }) => [name, entity[id]])),
		);
	}
}
