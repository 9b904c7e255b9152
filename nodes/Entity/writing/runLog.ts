import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	type Entity,
	type Grid,
	InvalidInput,
	type NewField,
	outcomeOf,
	StatusError,
	type Values,
} from '../../../client';
import { originOf } from '../../shared/display/nodeError';
import { choice } from '../../shared/inputs/choice';
import { dryRun } from '../../shared/inputs/options';
import { parameter } from '../../shared/inputs/parameter';
import {
	changeableGridFields,
	chosenReference,
	openGridWithFields,
	type ChosenGrid,
} from '../../shared/inputs/pickers/chosenGrid';
import { required } from '../../shared/inputs/pickers/locators';
import { spaceWithKey } from '../../shared/inputs/pickers/pickedKeys';
import { InvalidItem, reasonOf } from '../../shared/inputs/problems';
import { InvalidCell } from '../../shared/rows/conversion';
import type { ItemContext, Result } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { gridByKey } from './gridByKey';
import { countRowsOfTool, rowsPerRun } from './rowsPerRun';
import type { RunCounts } from './runCounts';

export const logTo = parameter(
	{
		displayName: 'Log To',
		name: 'logTo',
		type: 'string',
		default: '',
		placeholder: 'e.g. operations/log',
		description:
			'Key of a grid that gets a row for each run: before its first write, and completed at its end. It is made with its columns if it is missing, in the space of the grid, unless the key of another space precedes it. Dry runs are not logged.',
	},
	z
		.string()
		.trim()
		.refine((key) => key.split('/').length <= 2, 'enter the key of a grid, or those of a space and a grid')
		.refine((key) => (key.split('/').at(-1) ?? '').length <= 25, 'a key of a grid has at most 25 characters'),
);

export const log = choice(
	'log',
	'Log',
	{
		runs: { name: 'Runs', description: 'One row for each run' },
		runsAndFailures: {
			name: 'Runs and Failures',
			description: 'Also one row for each of the first 100 rows that failed, with its key',
		},
	},
	{ default: 'runs', description: 'What to write to the grid in Log To' },
);

const text = { name: 'string' };
const number = { name: 'integer' };
const time = { name: 'date-time' };
const COLUMNS = {
	status: { name: 'Status', type: text },
	started: { name: 'Started', type: time },
	ended: { name: 'Ended', type: time },
	workflow: { name: 'Workflow', type: text },
	execution: { name: 'Execution', type: text },
	node: { name: 'Node', type: text },
	operation: { name: 'Operation', type: text },
	grid: { name: 'Grid', type: text },
	plan: { name: 'Plan', type: text },
	created: { name: 'Created', type: number },
	updated: { name: 'Updated', type: number },
	deleted: { name: 'Deleted', type: number },
	unchanged: { name: 'Unchanged', type: number },
	failed: { name: 'Failed', type: number },
	notTried: { name: 'Not Tried', type: number },
	message: { name: 'Message', type: text },
	row: { name: 'Row', type: text },
	run: { name: 'Run', type: text },
} satisfies Record<string, NewField>;
type Entry = Partial<Record<keyof typeof COLUMNS, string | number>>;

/** What a run is about to write. */
interface Beginning {
	/** By grid. */
	planned: RunCounts;
	/** Number of input rows whose plan is not known. */
	unplanned?: number;
	/** Counts what becomes of the changes. */
	run: RunCounts;
}

/** The logs of runs that have not ended. */
const logs = new WeakMap<IExecuteFunctions, RunLog>();

/**
 * Writes the row of a run to its log, before its first write.
 * @throws InvalidInput, LinkMissing, Forbidden if it cannot be written
 */
export async function beginLog(node: IExecuteFunctions, beginning: Beginning): Promise<void> {
	await logs.get(node)?.begin(beginning);
}

/**
 * All is checked: counts the changes of a tool, and begins the log.
 * @throws InvalidInput if it would change too many rows, and what `beginLog` throws
 */
export async function beginRun(item: ItemContext, beginning: Beginning): Promise<void> {
	const { planned, unplanned = 0 } = beginning;
	countRowsOfTool(item, planned.changes + unplanned);
	await beginLog(item.node, beginning);
}

/** An operation that writes rows of a grid: with its pickers, a dry run, and a log of its runs. */
export const writeOperation: typeof batchOperation = ({ fields, runAll, ...declared }) =>
	batchOperation({
		...declared,
		fields: [...changeableGridFields, ...fields, dryRun, rowsPerRun],
		runAll: async (context) => {
			const isFailed = (result: Result | Error) => result instanceof Error;
			const run = async () => await runAll(context);
			return await logged(context.at(0), run, (results) => results.find(isFailed));
		},
	});

/**
 * Logs a run, if the user wants it. What it has written is never lost because the log fails.
 * @param errorIn finds the error in a result that has one
 */
export async function logged<Done>(
	context: ItemContext,
	run: () => Promise<Done>,
	errorIn: (result: Done) => unknown = () => undefined,
): Promise<Done> {
	const { node, option, parameter: read } = context;
	const address = option(logTo);
	const kind = option(log);
	if (address === '' || read(dryRun)) return await run();
	const runLog = await RunLog.open(context, address, kind);
	logs.set(node, runLog);
	const outcome = await outcomeOf(run());
	logs.delete(node);
	await runLog.end(outcome.state === 'done' ? errorIn(outcome.value) : outcome.error);
	if (outcome.state === 'done') return outcome.value;
	throw outcome.error;
}

class RunLog {
	/** The rows of this run by the grids that it writes to. */
	private readonly rows = new Map<Grid, Entity>();
	private run: RunCounts | undefined;
	private readonly started = new Date().toISOString();

	private constructor(
		private readonly context: ItemContext,
		private readonly kind: 'runs' | 'runsAndFailures',
		private readonly log: ChosenGrid,
		/** Name of the grid that the first item chooses. */
		private readonly gridName: string,
	) {}

	/** @param address key of the grid, after that of its space and a slash if it is in another one */
	static async open(context: ItemContext, address: string, kind: RunLog['kind']): Promise<RunLog> {
		const { client, parameter: read } = context;
		const [key = '', spaceKey] = address.split('/').toReversed();
		const opening = await outcomeOf(openGridWithFields(client, read));
		const { spaceId, gridId } = chosenReference(read);
		// A key may be allowed to add rows to a grid that it may not read.
		const chosen = opening.state === 'done' ? opening.value.grid : undefined;
		const space =
			spaceKey === undefined
				? await client.spaces.get(required(chosen?.address.spaceId ?? spaceId, 'Space'))
				: await spaceWithKey(client, spaceKey);
		const columns = Object.entries(COLUMNS).map(([of, column]) => ({ ...column, key: of }));
		const { displayName: input } = logTo.property;
		const opened = await gridByKey(client, space, { key, columns, input });
		client.entities.mayCreate(opened.grid);
		return new RunLog(context, kind, opened, chosen?.name ?? gridId);
	}

	async begin({ planned, unplanned = 0, run }: Beginning): Promise<void> {
		const { client } = this.context;
		const { grid: log } = this.log;
		// A run that adds columns plans again.
		const isBegun = this.run !== undefined;
		this.run = run;
		if (isBegun) return;
		for (const [grid, counts] of planned.grids) {
			if (grid.id === log.id)
				throw new InvalidInput(
					`"${logTo.property.displayName}" is the grid that this run writes to; nothing was written`,
					'Enter the key of another grid.',
				);
			const plan = unplanned === 0 ? { plan: counts.text } : {};
			const id = await this.add({ ...this.head(grid.name), status: 'started', ...plan });
			// A key may be allowed to add rows only.
			const row = await client.entities.get(log, id);
			await client.entities.writeLink(log, row, 'update');
			this.rows.set(grid, row);
		}
	}

	/** @param error that the run has ended with */
	async end(error: unknown): Promise<void> {
		const writing = await outcomeOf(this.complete(error));
		if (writing.state === 'done') return;
		const reason = writing.error instanceof Error ? writing.error.message : String(writing.error);
		this.context.hint(`The end of this run is missing in "${this.log.grid.name}": ${reason}`, 'warning');
	}

	private async complete(error: unknown): Promise<void> {
		const { run, rows } = this;
		const message = error === undefined ? {} : { message: this.messageOf(error) };
		const ended = new Date().toISOString();
		if (!run || rows.size === 0) {
			const status = error === undefined ? 'done' : 'refused';
			await this.add({ ...this.head(this.gridName), ended, status, ...message });
			return;
		}
		for (const [grid, row] of rows) {
			const { counts, failures } = rows.size === 1 ? run : run.of(grid);
			const [first] = failures;
			const isFailed = error !== undefined || counts.failed + counts.notTried > 0;
			const status = isFailed ? 'failed' : 'done';
			const why = first ? { message: this.messageOf(first.error) } : message;
			const values = this.values({ ended, status, ...counts, ...why });
			await this.context.client.entities.update(this.log.grid, row, values);
			for (const failure of this.kind === 'runs' ? [] : failures)
				await this.add({
					...{ ...this.head(grid.name), status: 'row failed', run: row._id, row: failure.row },
					message: this.messageOf(failure.error),
				});
		}
	}

	private head(grid: string): Entry {
		const { node } = this.context;
		const { id = '', name = id } = node.getWorkflow();
		const operation = String(node.getNodeParameter('operation', 0));
		const run = { workflow: name, execution: node.getExecutionId(), node: node.getNode().name };
		return { started: this.started, ...run, operation, grid };
	}

	private async add(entry: Entry): Promise<string> {
		const { client } = this.context;
		const { id } = await client.entities.create(this.log.grid, this.values(entry));
		if (id !== null) return id;
		throw new InvalidInput(
			`The service does not tell the ID of a row in "${this.log.grid.name}", so it cannot be completed`,
			'Use a key that may read the grid.',
		);
	}

	private values(entry: Entry): Values {
		const values = new Map<string, unknown>(Object.entries(entry));
		const written = Object.entries(COLUMNS).filter(([of]) => values.has(of));
		const idOf = (name: string) => this.log.fields.find((field) => field.name === name)?.id;
		return Object.fromEntries(written.map(([of, { name }]) => [idOf(name) ?? of, values.get(of)]));
	}

	/** A message without values of rows. */
	private messageOf(error: unknown): string {
		const origin = originOf(error);
		const message = origin instanceof Error ? origin.message : String(origin);
		const problems = origin instanceof InvalidItem ? origin.problems : [origin];
		const columns = problems.flatMap((problem) =>
			problem instanceof InvalidCell ? [`"${problem.field.name}"`] : [],
		);
		const text =
			origin instanceof StatusError
				? origin.title
				: columns.length > 0
					? `Values do not fit their columns: ${columns.join(', ')}`
					: reasonOf(message.replace(/; nothing was written.*$/s, ''));
		return this.context.client.session.redact(text);
	}
}
