import type { IDataObject, ILoadOptionsFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { loadOptionsContext, type NodeRun, type NodeSettings } from '../../testbed/engine/engine';
import { Random } from '../simulation/random';
import { eachText, idCode } from './aspects/ids';
import { MOMENT_AS_TEXT } from './aspects/values';
import { Difference } from './difference';
import { jsonSchema, type Json } from './exchange';
import { Truth, type Cells, type Column, type Template, type TrueGrid } from './truth';
import { PLAIN, type Variant } from './variant';
import { VariantService } from './variantService';
import type { OperationName, RunOptions } from '../../testbed/world/call';
import { byId } from '../../testbed/world/parameters';
import { SampleWorld } from '../../testbed/world/sampleWorld';

/**
 * Types and names that matter: texts, numbers, moments, and
 * names that n8n's engine has a meaning for.
 */
const columnsFor = (moments: Variant['values']['moments']): Column[] => [
	{ name: 'Article', key: 'article', type: { name: 'string' } },
	{ name: 'Size', key: 'size', type: { name: 'integer' } },
	{ name: 'error', key: 'fault', type: { name: 'string' } },
	{ name: 'At', key: 'at', type: moments === 'normal' ? { name: 'date-time' } : MOMENT_AS_TEXT },
	{ name: 'Due', key: 'due', type: { name: 'date' } },
	{ name: 'Price', key: 'price', type: { name: 'decimal' } },
	// Its key is the name of another column.
	{ name: 'Open', key: 'Kind', type: { name: 'boolean' } },
	{ name: 'Kind', key: 'kind', type: { name: 'enum', options: ['new', 'done'] } },
	{ name: 'Tags', key: 'tags', type: { name: 'stringcollection' } },
	{ name: 'Group', key: 'json', type: { name: 'string' } },
	{ name: 'Note', key: 'note', type: { name: 'richText' } },
];

export type ColumnName =
	| 'Article'
	| 'Size'
	| 'error'
	| 'At'
	| 'Due'
	| 'Price'
	| 'Open'
	| 'Kind'
	| 'Tags'
	| 'Group'
	| 'Note';

/**
 * What stays between runs: an account with one of
 * everything, and a variant of its service in front.
 */
export class Trials {
	private runs = 0;
	private readonly templates = new Map<Variant['values']['moments'], Promise<Template>>();

	private constructor(
		readonly world: SampleWorld,
		readonly truth: Truth,
		readonly service: VariantService,
		private readonly clock: { ahead: number; stopped: number | undefined },
	) {}

	static async open(): Promise<Trials> {
		const clock: Trials['clock'] = { ahead: 0, stopped: undefined };
		const now = () => (clock.stopped ?? Date.now()) + clock.ahead;
		const world = await SampleWorld.start({ now });
		const { service } = world;
		const variant = await VariantService.start(service.url, PLAIN, now);
		return new Trials(world, new Truth(service.url, service.userId, service), variant, clock);
	}

	/** A trial whose grid is nobody's: what is tried uses the account alone. */
	async withoutGrid(variant: Variant): Promise<Trial> {
		this.show(variant);
		return new Trial(this, variant, (await this.templateFor(variant)).grid);
	}

	/** A trial for one run: a grid of its own, seen through a variant. */
	async trial(variant: Variant): Promise<Trial> {
		this.show(variant);
		const grid = await this.truth.copy(await this.templateFor(variant), `Trial ${++this.runs}`);
		return new Trial(this, variant, grid);
	}

	private show(variant: Variant): void {
		this.service.variant = variant;
		this.service.intercept = () => undefined;
	}

	private async templateFor({ values: { moments } }: Variant): Promise<Template> {
		const made =
			this.templates.get(moments) ?? this.truth.addTemplate(`Moments ${moments}`, columnsFor(moments));
		this.templates.set(moments, made);
		return await made;
	}

	/** Milliseconds that the service's clock is ahead of the machine's. */
	get ahead(): number {
		return this.clock.ahead;
	}

	/** Lets time pass for the service. */
	pass(milliseconds: number): void {
		this.clock.ahead += milliseconds;
	}

	/** Does work in which no time passes for the service, unless `pass` lets it. */
	async inOneMoment<Result>(work: () => Promise<Result>): Promise<Result> {
		this.clock.stopped = Date.now();
		try {
			return await work();
		} finally {
			this.clock.stopped = undefined;
		}
	}

	async close(): Promise<void> {
		this.truth.close();
		await this.service.stop();
		await this.world.stop();
	}
}

/** A grid, the node that is tried on it through a variant, and the truth. */
export class Trial {
	readonly random: Random;
	private readonly code: ReturnType<typeof idCode>;
	private made = 0;

	constructor(
		readonly trials: Trials,
		readonly variant: Variant,
		readonly grid: TrueGrid,
	) {
		this.random = new Random(variant.seed);
		this.code = idCode(variant.ids.form);
	}

	/** An article that no row of the trial has yet. */
	article(): string {
		return `Art-${++this.made}`;
	}

	/** The id of the embedded service that the variant shows so. */
	known(id: string): string {
		return this.code.read(id);
	}

	/** An id as the variant shows it. */
	shown(id: string): string {
		return this.code.show(id);
	}

	/** Parameters, rows or texts of the embedded service as the variant shows them. */
	outward<Value>(schema: z.ZodType<Value>, value: Json): Value {
		return schema.parse(
			eachText(value, (text) => (URL.canParse(text) ? this.shownInUrl(text) : this.shown(text))),
		);
	}

	private shownInUrl(text: string): string {
		const url = new URL(text);
		const segments = url.pathname
			.split('/')
			.map((part) => encodeURIComponent(this.shown(decodeURIComponent(part))));
		url.pathname = segments.join('/');
		return url.href;
	}

	/** Rows of output with the ids of the embedded service. */
	inward(rows: readonly IDataObject[]): Json[] {
		return rows.map((one) => eachText(jsonSchema.parse(JSON.parse(JSON.stringify(one))), this.code.read));
	}

	get inGrid(): INodeParameters {
		return { space: byId(this.shown(this.grid.spaceId)), grid: byId(this.shown(this.grid.id)) };
	}

	/** Values for a column mapper, by the names of the columns. */
	mapped(values: Partial<Record<ColumnName, unknown>>, keys: ColumnName[] = []): INodeParameters {
		const value = Object.fromEntries(Object.entries(values).map(([name, cell]) => [this.stored(name), cell]));
		return columnsParameter({
			mappingMode: 'defineBelow',
			value,
			matchingColumns: this.keys(keys),
			schema: [],
		});
	}

	/** Automatic mapping of the input. */
	auto(keys: ColumnName[] = []): INodeParameters {
		return columnsParameter({
			mappingMode: 'autoMapInputData',
			value: null,
			matchingColumns: this.keys(keys),
			schema: [],
		});
	}

	private keys(names: ColumnName[]): string[] {
		return names.map((name) => this.stored(name));
	}

	/** What the column mapper stores for a column: its key if it is shown, else its id. */
	stored(name: string): string {
		const key = columnsFor('normal').find((column) => column.name === name)?.key;
		const hasKey = this.showsKeys && key !== undefined;
		return hasKey ? key : this.shown(this.grid.fieldId(name));
	}

	/** Whether the service shows the keys of columns: a JSON schema has none (§4.4). */
	get showsKeys(): boolean {
		return this.variant.versions.version === 2;
	}

	/** Runs one operation through the variant. */
	async run(
		operation: OperationName,
		parameters: INodeParameters,
		input: Array<IDataObject | INodeExecutionData> = [{}],
		extra: RunOptions = {},
	): Promise<NodeRun> {
		const { world, service } = this.trials;
		return await world.run({ ...operation, parameters }, { baseUrl: service.baseUrl, input, ...extra });
	}

	/**
	 * The same for an operation that has to succeed.
	 * @returns its rows with the ids of the embedded service
	 */
	async rows(
		operation: OperationName,
		parameters: INodeParameters,
		input?: Array<IDataObject | INodeExecutionData>,
		extra?: RunOptions,
	): Promise<Json[]> {
		const run = await this.run(operation, parameters, input, extra);
		if (run.error)
			throw new Difference(`${operation.resource}.${operation.operation} failed: ${told(run.error)}`);
		return this.inward(run.rows);
	}

	/** The same trial seen through the embedded service as it is. */
	async plainly<Result>(work: (trial: Trial) => Promise<Result>): Promise<Result> {
		const { service } = this.trials;
		service.variant = PLAIN;
		try {
			return await work(new Trial(this.trials, PLAIN, this.grid));
		} finally {
			service.variant = this.variant;
		}
	}

	/** What the editor's lists run in. */
	editor(node: string, parameters: INodeParameters): ILoadOptionsFunctions {
		return loadOptionsContext({
			type: `n8n-nodes-datagrid.${node}`,
			parameters,
			credentials: this.credentials,
		});
	}

	get credentials(): NodeSettings['credentials'] {
		const { world, service } = this.trials;
		return { ...world.credentials(), dataGridApi: { ...world.owner, baseUrl: service.baseUrl } };
	}

	/** Rows as this variant keeps them: without what it takes for unset. */
	kept(cells: Cells): Cells {
		const isKept = (value: Json) =>
			value !== null && !(value === '' && this.variant.values.emptyText === 'unset');
		return Object.fromEntries(Object.entries(cells).filter(([, value]) => isKept(value)));
	}
}

/** An error of a node as a person reads it. */
export function told(error: Error): string {
	const description = 'description' in error ? String(error.description) : '';
	return `${error.message} ${description}`.trim();
}

const parametersSchema = z.custom<INodeParameters>((value) => typeof value === 'object' && value !== null);
const columnsParameter = (columns: object): INodeParameters => parametersSchema.parse({ columns });
