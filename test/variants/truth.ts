import { Agent, request, type IncomingMessage } from 'node:http';
import { z } from 'zod/v4';
import { jsonSchema, type Json, type JsonObject } from './exchange';

const page = <Item extends z.ZodType>(item: Item) =>
	z.object({ numberOfItems: z.number(), items: z.array(item) });
const resource = z.object({ type: z.string(), href: z.string() });
const row = z.record(z.string(), jsonSchema).and(z.object({ _id: z.string() }));
const event = z.object({
	id: z.string(),
	type: z.enum(['created', 'updated', 'deleted']),
	timestamp: z.string(),
	entityId: z.string(),
	changes: z.array(z.object({ fieldId: z.string(), oldValue: jsonSchema, newValue: jsonSchema })),
});
export type TrueEvent = z.infer<typeof event>;
// Made once: zod compiles each schema that is new.
const resources = page(resource);
const names = page(z.object({ name: z.string() }));
const rows = page(row);
const events = page(event);

/** More than a trial ever holds. */
const ALL = 1000;

interface Sent {
	location: string;
	text: string;
}

async function textFrom(answer: IncomingMessage): Promise<string> {
	answer.setEncoding('utf8');
	let text = '';
	for await (const part of answer) text += String(part);
	return text;
}

/** A column as it is to be made. */
export interface Column {
	name: string;
	key: string;
	type: JsonObject;
}

/** What worlds are copies of. */
export interface Template {
	space: string;
	grid: TrueGrid;
	columns: readonly Column[];
}

/**
 * The embedded service over its unmodified API: what it
 * really holds, and how the trial of a run is made.
 */
export class Truth {
	private readonly authorization: string;
	private readonly agent = new Agent({ keepAlive: true });

	constructor(
		private readonly url: string,
		readonly userId: string,
		identity: { key: string; secret: string },
	) {
		this.authorization = `Basic ${Buffer.from(`${identity.key}:${identity.secret}`).toString('base64')}`;
	}

	/** @returns the address of what was made, without a host */
	async post(path: string, body: Json): Promise<string> {
		return (await this.send('POST', path, body)).location;
	}

	async addGrid(spaceId: string, name: string, columns: readonly Column[]): Promise<TrueGrid> {
		const path = await this.post(`/api/users/${this.userId}/spaces/${spaceId}/grids`, { name });
		const fieldIds = new Map<string, string>();
		for (const column of columns)
			fieldIds.set(column.name, last(await this.post(`${path}/ColumnAdd`, { ...column })));
		return new TrueGrid(this, path, fieldIds);
	}

	/**
	 * A space with one grid, to be copied: that takes three
	 * requests, and to make a grid takes one for each column.
	 */
	async addTemplate(name: string, columns: readonly Column[]): Promise<Template> {
		const space = await this.post(`/api/users/${this.userId}/spaces`, { name });
		const grid = await this.addGrid(last(space), name, columns);
		return { space, grid, columns };
	}

	/** Copies a template. @returns the grid of the copy, in a space of its own */
	async copy({ space, columns }: Template, name: string): Promise<TrueGrid> {
		const copied = await this.post(`${space}/copy`, { name });
		const made = await this.read(resources, `${copied}/resources?types=grid,field&pageSize=${ALL}`);
		const hrefs = (type: string) => made.items.filter((one) => one.type === type).map(({ href }) => href);
		const fields = hrefs('field').map(last);
		const fieldIds = columns.map((column, index) => [column.name, fields[index] ?? ''] as const);
		return new TrueGrid(this, hrefs('grid')[0] ?? '', new Map(fieldIds));
	}

	/** Names of the grids of a space. */
	async grids(spaceId: string): Promise<string[]> {
		const path = `/api/users/${this.userId}/spaces/${spaceId}/grids?type=persistent&pageSize=${ALL}`;
		return (await this.read(names, path)).items.map(({ name }) => name);
	}

	/** Removes the space of a grid and all that is in it. */
	async removeSpaceOf({ path }: TrueGrid): Promise<void> {
		await this.send('DELETE', path.replace(/\/grids\/.*/, ''));
	}

	async read<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.infer<Schema>> {
		return schema.parse(JSON.parse((await this.send('GET', path)).text));
	}

	async send(method: string, path: string, body?: Json): Promise<Sent> {
		const type = body === undefined ? {} : { 'content-type': 'application/json' };
		const answer = await new Promise<IncomingMessage>((answered, failed) => {
			const headers = { authorization: this.authorization, ...type };
			const outward = request(this.url + path, { method, headers, agent: this.agent }, answered);
			outward.on('error', failed).end(body === undefined ? undefined : JSON.stringify(body));
		});
		const text = await textFrom(answer);
		const { statusCode = 0, headers } = answer;
		if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
		return { location: headers.location ?? '', text };
	}

	close(): void {
		this.agent.destroy();
	}
}

const last = (path: string) => path.split('/').at(-1) ?? '';

/** Values of a row by the names of its columns; cells without a value are left out. */
export type Cells = Record<string, Json>;
export interface TrueRow {
	id: string;
	cells: Cells;
}

/** One grid as the embedded service holds it. */
export class TrueGrid {
	constructor(
		private readonly truth: Truth,
		readonly path: string,
		readonly fieldIds: ReadonlyMap<string, string>,
	) {}

	get id(): string {
		return last(this.path);
	}

	get spaceId(): string {
		return last(this.path.replace(/\/grids\/.*/, ''));
	}

	fieldId(column: string): string {
		const id = this.fieldIds.get(column);
		if (id === undefined) throw new Error(`No column ${column}`);
		return id;
	}

	/** Adds rows one after the other. @returns their ids */
	async fill(rows: readonly Cells[]): Promise<string[]> {
		const ids: string[] = [];
		for (const cells of rows)
			ids.push(last(await this.truth.post(`${this.path}/entities?layout=property`, cells)));
		return ids;
	}

	async change(id: string, cells: Cells): Promise<void> {
		await this.truth.send('PUT', `${this.path}/entities/${id}?layout=property`, cells);
	}

	async remove(id: string): Promise<void> {
		await this.truth.send('DELETE', `${this.path}/entities/${id}`);
	}

	/** All rows in the order of the grid. @param query more of the list's parameters */
	async rows(query = ''): Promise<TrueRow[]> {
		const path = `${this.path}/entities?layout=property&pageSize=${ALL}${query}`;
		const { items } = await this.truth.read(rows, path);
		return items.map(({ _id, ...members }) => ({
			id: _id,
			cells: Object.fromEntries(
				Object.entries(members).filter(
					([name, value]) => value !== null && name !== '_links' && name !== '_representation',
				),
			),
		}));
	}

	/** All changes, the oldest first. */
	async events(): Promise<TrueEvent[]> {
		const path = `${this.path}/updates?since=1970-01-01T00:00:00Z&pageSize=${ALL}`;
		return (await this.truth.read(events, path)).items;
	}
}
