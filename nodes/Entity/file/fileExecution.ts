import { type Entity, InvalidInput, NotFound, type Outcome, outcomeOf, type Values } from '../../../client';
import { canonicalKey } from '../../shared/rows/equality';
import { csvLine } from '../../shared/csv/line';
import type { ItemContext } from '../../shared/runner/context';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { KeyedRows, type RowKey } from '../keys/keyedRows';
import type { Settings } from '../writing/settling';
import type { RunTurns } from '../keys/turns';
import { rowsToWrite } from '../writing/settings';
import { createInTurn, send } from '../writing/carryOut';
import { changesOf } from '../writing/differences';
import { changeOf, type Rules } from '../writing/plan';
import { failedOutcome, outcomeWord, type RowChange } from '../writing/steps';
import type { FileWrite, FileWriteReader } from './fileColumns';
import { CREATE, INVALID, plannedRows, UPDATE, type FilePlan } from './filePlan';
import type { RowFile } from './fileRows';
import { fileSettlements } from './fileDoubles';
import type { GridIndex } from './gridIndex';

/** Number of changes carried out before the next ones are read. */
const CHUNK_SIZE = 500;

/** A plan and all that is needed to carry it out. */
export interface FileExecution {
	context: ItemContext & ChosenGrid;
	file: RowFile;
	index: GridIndex;
	plan: FilePlan;
	reader: FileWriteReader;
	turns: RunTurns;
	/** Output names by field id. */
	names: ReadonlyMap<string, string>;
	dryRun: boolean;
	deleteOthers: boolean;
	doubles: Settings['doubles'];
}

/** Number of rows by outcome. */
export interface FileCounts {
	created: number;
	updated: number;
	unchanged: number;
	deleted: number;
	failed: number;
	notTried: number;
}

/** A change to carry out: a row to create has no id, a row to delete no line in the file. */
type PlannedChange = { write: FileWrite; id?: string | undefined } | { write?: undefined; id: string };
type DoneChange = RowChange & { id: string | null };

/** Carries out a plan while reading the file again, and reports each change as a line of CSV. */
export class FileChanges {
	readonly counts: FileCounts;
	/** The error of the first failed change. */
	failure: { error: unknown } | undefined;
	private isStopped = false;

	constructor(private readonly execution: FileExecution) {
		this.counts = {
			created: 0,
			updated: 0,
			unchanged: execution.plan.unchanged,
			deleted: 0,
			failed: 0,
			notTried: 0,
		};
	}

	/** The lines of the changes file; each is yielded after its change was carried out. */
	async *lines(): AsyncGenerator<string> {
		const { context, names } = this.execution;
		const columns = context.fields.map(({ id }) => names.get(id) ?? id);
		yield csvLine(['_line', '_id', '_outcome', ...columns, '_changes', '_error']);
		yield* this.invalidLines();
		for await (const chunk of chunksOf(this.plannedChanges())) yield* await this.carryOut(chunk);
		if (this.counts.created > 0 && !this.execution.dryRun && !this.isStopped) yield* await this.settle();
	}

	/** A line for each created row whose key exists twice. */
	private async settle(): Promise<string[]> {
		const { context, doubles } = this.execution;
		const settings = { doubles, writesValues: context.option(rowsToWrite) !== 'onlyNew' };
		const settlements = await fileSettlements(this.execution, this.counts.created, settings);
		return settlements.map(({ line, values, id, outcome, reason }) => {
			const cells = context.fields.map((field) => values[field.id]);
			return csvLine([line, id, outcome, ...cells, '', reason]);
		});
	}

	/** The lines that are left out, with the reasons. */
	private async *invalidLines(): AsyncGenerator<string> {
		const { context, plan, reader } = this.execution;
		if (plan.invalid.report.invalid === 0) return;
		for await (const { row } of plannedRows(this.execution, [INVALID])) {
			const reading = await outcomeOf(reader.read(row));
			const values = reader.cellsOf(row);
			const cells = context.fields.map(({ id }) => values[id]);
			const message = reading.state === 'failed' ? this.messageOf(reading.error) : '';
			yield csvLine([row.line, null, 'invalid', ...cells, '', message]);
		}
	}

	private messageOf(error: unknown): string {
		const message = error instanceof Error ? error.message : String(error);
		return this.execution.context.client.session.redact(message);
	}

	private async *plannedChanges(): AsyncGenerator<PlannedChange> {
		const { index, reader, deleteOthers } = this.execution;
		for await (const { row, action } of plannedRows(this.execution, [CREATE, UPDATE])) {
			const write = await reader.read(row);
			if (write) yield { write, id: action === UPDATE ? index.idOf(write.key.text) : undefined };
		}
		if (deleteOthers) for (const id of index.unclaimed()) yield { id };
	}

	private async carryOut(chunk: readonly PlannedChange[]): Promise<string[]> {
		const { context, index, reader, turns } = this.execution;
		if (this.isStopped) {
			this.counts.notTried += chunk.length;
			return [];
		}
		// One instance per chunk, because it caches every row that it creates.
		const keyed = new KeyedRows(context, reader.keys, turns);
		const run = await context.client.session.limiter.run(chunk, (change) => this.perform(change, keyed));
		for (const { key, id, isOwn } of keyed.created.values()) index.addCreated(key.text, id, isOwn);
		if (run.stoppedBy) this.isStopped = true;
		return run.outcomes.flatMap((outcome, at) => {
			const change = chunk[at];
			return change ? this.lineOf(change, outcome) : [];
		});
	}

	/** @returns undefined for a row that another writer has already deleted */
	private async perform(change: PlannedChange, keyed: KeyedRows): Promise<DoneChange | undefined> {
		const { context, dryRun, reader } = this.execution;
		const { client, grid } = context;
		const { write, id } = change;
		if (write && id === undefined) {
			const { values } = write;
			if (dryRun) return { kind: 'create', values, id: null };
			// A key that the index lacks is searched for only if another run has written it since.
			const find = async (key: RowKey, isChanged: boolean) => (isChanged ? await keyed.matching(key) : []);
			const { rules: all, isInScope } = reader;
			const isKept = context.option(rowsToWrite) === 'onlyNew';
			const rules: Rules = isKept ? { ...all, matched: 'keep' } : all;
			const done = await createInTurn(write, { keyed, rules, isInScope, find });
			if (done.instead) return { ...done.instead, id: done.instead.entity._id };
			return { kind: 'create', values, id: done.id ?? null };
		}
		if (id === undefined) return undefined;
		const reading = await outcomeOf(client.entities.get(grid, id));
		if (reading.state === 'failed') {
			if (!write && reading.error instanceof NotFound) return undefined;
			throw reading.error;
		}
		const entity = reading.value;
		const isOther = write && canonicalKey(reader.keys, entity) !== write.key.text;
		if (isOther === true || !reader.isInScope(entity))
			throw new InvalidInput(
				`Another writer changed the row after the grid was read, and it ${isOther === true ? 'has another key' : 'no longer meets the conditions'}`,
				'Run the node again.',
			);
		const planned = write ? changeOf(write, entity, reader.rules) : deletionOf(entity);
		const done = dryRun ? undefined : await send(client, grid, planned);
		return done?.isGone === true ? undefined : { ...planned, id };
	}

	private lineOf({ write, id }: PlannedChange, outcome: Outcome<DoneChange | undefined>): string[] {
		const { counts } = this;
		const { context, names, dryRun } = this.execution;
		const line = write?.line ?? '';
		if (outcome.state === 'untried') {
			counts.notTried++;
			return [];
		}
		if (outcome.state === 'failed') {
			counts.failed++;
			this.failure ??= outcome;
			const message = this.messageOf(outcome.error);
			const cells = context.fields.map((field) => write?.values[field.id]);
			return [csvLine([line, id, failedOutcome(outcome.error), ...cells, '', message])];
		}
		const done = outcome.value;
		if (!done) return [];
		counts[COUNTED[done.kind]]++;
		if (done.kind === 'unchanged') return [];
		const { entity, values } = done;
		const row: Values = { ...entity, ...values };
		const changes = entity ? changesOf(names, entity, values) : [];
		const cells = context.fields.map((field) => row[field.id]);
		return [csvLine([line, done.id, outcomeWord(done, dryRun), ...cells, changes, ''])];
	}
}

const COUNTED = { create: 'created', update: 'updated', delete: 'deleted', unchanged: 'unchanged' } as const;

const deletionOf = (entity: Entity) => ({ kind: 'delete' as const, entity, values: {} });

async function* chunksOf<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
	let chunk: Item[] = [];
	for await (const item of items) {
		chunk.push(item);
		if (chunk.length < CHUNK_SIZE) continue;
		yield chunk;
		chunk = [];
	}
	if (chunk.length > 0) yield chunk;
}
