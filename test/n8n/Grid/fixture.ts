import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { textOf } from '../../fixtures/account';
import { loadOptionsContext, runNode, type NodeRun, type NodeSettings } from '../../fixtures/n8n';
import { startTestService } from '../../fixtures/service';

type Service = Awaited<ReturnType<typeof startTestService>>;
type Identity = 'admin' | 'reader';

export interface Call {
	resource: string;
	operation: string;
	parameters?: INodeParameters;
}

const keySchema = z.object({ key: z.string(), secret: z.string() });

/** The Grid node before a service of its own, with a key of each role (§5). */
export class GridNode {
	private constructor(
		readonly service: Service,
		private readonly reader: z.infer<typeof keySchema>,
	) {}

	static async start(): Promise<GridNode> {
		const service = await startTestService({ seed: 'demo' });
		const authorization = `Basic ${Buffer.from(`${service.key}:${service.secret}`).toString('base64')}`;
		const answer = await fetch(`${service.url}/api/users/${service.userId}/accessKeys`, {
			method: 'POST',
			headers: { authorization, 'content-type': 'application/json' },
			body: JSON.stringify({ name: 'Reader', role: 'reader' }),
		});
		return new GridNode(service, keySchema.parse(await answer.json()));
	}

	/** @param baseUrl where it sends its requests, e.g. a proxy */
	credentials(as: Identity, baseUrl = this.service.url): NonNullable<NodeSettings['credentials']> {
		const { key, secret } = as === 'admin' ? this.service : this.reader;
		return { dataGridApi: { baseUrl, authentication: 'apiKey', key, secret } };
	}

	settings(call: Call, as: Identity = 'admin', extra: Partial<NodeSettings> = {}): NodeSettings {
		const { resource, operation, parameters } = call;
		return {
			type: 'n8n-nodes-datagrid.grid',
			parameters: { resource, operation, ...parameters },
			credentials: this.credentials(as),
			...extra,
		};
	}

	async run(
		call: Call,
		input?: Array<IDataObject | INodeExecutionData>,
		as: Identity = 'admin',
		extra: Partial<NodeSettings> = {},
	): Promise<NodeRun> {
		return await runNode(this.settings(call, as, extra), input);
	}

	/** The rows of a call that is to succeed. @throws what the node throws */
	async rows(call: Call, input?: Array<IDataObject | INodeExecutionData>): Promise<IDataObject[]> {
		const { rows, error } = await this.run(call, input);
		if (error) throw error;
		return rows;
	}

	/** The one row of a call that is to succeed. */
	async row(call: Call, input?: Array<IDataObject | INodeExecutionData>): Promise<IDataObject> {
		const [row, ...others] = await this.rows(call, input);
		if (!row || others.length > 0) throw new Error(`Expected one row, got ${others.length + (row ? 1 : 0)}`);
		return row;
	}

	/** What the editor's lists run in. */
	editor(parameters: INodeParameters, as: Identity = 'admin') {
		return loadOptionsContext(this.settings({ resource: 'grid', operation: 'get', parameters }, as));
	}

	/** The space of the demo data, as a picker holds it. */
	async space(): Promise<{ space: INodeParameters }> {
		const rows = await this.rows({ resource: 'grid', operation: 'getMany' });
		return { space: picked(textOf(rows[0]?.spaceId)) };
	}

	/** A new grid with columns, as the pickers name it. */
	async newGrid(
		name: string,
		columns: Array<{ name: string; type?: string; key?: string; options?: string }>,
	): Promise<GridPick> {
		const made = await this.row({
			resource: 'grid',
			operation: 'create',
			parameters: { ...(await this.space()), name, columns: { column: columns } },
		});
		return pickedGrid(made);
	}
}

export type GridPick = { grid: INodeParameters };

/** A picker's value as the editor keeps it. */
export const picked = (value: string, mode = 'id'): INodeParameters => ({ __rl: true, mode, value });

/**
 * A row of output that names a grid, as the grid picker holds it when it is chosen from the list.
 */
export const pickedGrid = (row: IDataObject): GridPick => ({
	grid: picked(`${textOf(row.spaceId)}/${textOf(row.id)}`, 'list'),
});

/** The ids that a picked grid stands for. @throws if it was not picked with `pickedGrid` */
export function idsOf({ grid }: GridPick): { spaceId: string; gridId: string } {
	const [spaceId, gridId] = textOf(grid.value).split('/');
	if (!spaceId || !gridId) throw new Error(`Not a space and a grid: ${textOf(grid.value)}`);
	return { spaceId, gridId };
}

/** An object in a row of output. */
export const rowIn = (value: unknown): Record<string, unknown> =>
	z.record(z.string(), z.unknown()).parse(value);

/** A list of rows in a row of output. */
export const rowsIn = (value: unknown): Array<Record<string, unknown>> =>
	z.array(z.record(z.string(), z.unknown())).parse(value);

/** An entity written past the node, for tests that need rows. */
export async function addEntity({ service }: GridNode, grid: GridPick, values: object): Promise<string> {
	const { spaceId, gridId } = idsOf(grid);
	const path = `/api/users/${service.userId}/spaces/${spaceId}/grids/${gridId}/entities?layout=property`;
	const authorization = `Basic ${Buffer.from(`${service.key}:${service.secret}`).toString('base64')}`;
	const answer = await fetch(service.url + path, {
		method: 'POST',
		headers: { authorization, 'content-type': 'application/json' },
		body: JSON.stringify(values),
	});
	if (!answer.ok) throw new Error(await answer.text());
	return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

/** What the service answers to a GET of a part of a grid, past the node. */
export async function readGrid({ service }: GridNode, grid: GridPick, path: string): Promise<unknown> {
	const { spaceId, gridId } = idsOf(grid);
	const authorization = `Basic ${Buffer.from(`${service.key}:${service.secret}`).toString('base64')}`;
	const url = `${service.url}/api/users/${service.userId}/spaces/${spaceId}/grids/${gridId}${path}`;
	return await (await fetch(url, { headers: { authorization } })).json();
}
