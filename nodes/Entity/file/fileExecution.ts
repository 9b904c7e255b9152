import { InvalidInput, NotFound, type Outcome, outcomeOf, type Values } from '../../../client';
import { csvLine } from '../../shared/csv/line';
import { KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { rowsToWrite } from '../writing/settings';
import { createInTurn, send } from '../writing/carryOut';
import { changesOf } from '../writing/differences';
import { changeOf, type Rules } from '../writing/plan';
import type { RunCounts } from '../writing/runCounts';
import { failedOutcome, outcomeWord, type ChangedRow, type RowChange } from '../writing/steps';
import type { FileWrite } from './fileColumns';
import { CREATE, INVALID, plannedRows, UPDATE, type FileExecution } from './filePlan';
import { unstableListError } from '../../shared/rows/unstableListError';
import { FIRST_LOOK_DELAY_MS, hintUnchecked, type Settlement, settlementsOf } from '../writing/settling';

/** Number of changes carried out before the next ones are read. */
const CHUNK_SIZE = 500;

/** A change to carry out: a row to create has no id, a row to delete no line in the file. */
type PlannedChange = { write: FileWrite; id?: string | undefined } | { write?: undefined; id: string };
type DoneChange = RowChange & { id: string | null; stored?: ChangedRow['stored'] | undefined };

/** Carries out a plan while reading the file again, and reports each change as a line of CSV. */
export class FileChanges {
	private isStopped = false;

	constructor(
		private readonly execution: FileExecution,
		readonly run: RunCounts,
	) {
		run.add({ kind: 'unchanged' }, undefined, execution.plan.totals.counts.unchanged);
	}

	/** The lines of the changes file; each is yielded after its change was carried out. */
	async *lines(): AsyncGenerator<string> {
		const { context, dryRun, reader } = this.execution;
		const columns = context.fields.map(({ id }) => reader.rules.names.get(id) ?? id);
		yield csvLine(['_line', '_id', '_outcome', ...columns, '_changes', '_error']);
		yield* this.invalidLines();
		for await (const chunk of chunksOf(this.plannedChanges())) yield* await this.carryOut(chunk);
		const { created } = this.run.counts;
		if (created === 0 || dryRun || this.isStopped) return;
		// A line for each created row whose key exists twice.
		for (const { line, values, id, outcome, reason } of await fileSettlements(this.execution, created))
			yield this.line([line, id, outcome], values, '', reason);
	}

	/** The lines that are left out, with the reasons. */
	private async *invalidLines(): AsyncGenerator<string> {
		const { plan, reader } = this.execution;
		if (plan.totals.invalid.report.invalid === 0) return;
		for await (const { row } of plannedRows(this.execution, [INVALID])) {
			const reading = await outcomeOf(reader.read(row));
			const message = reading.state === 'failed' ? this.messageOf(reading.error) : '';
			yield this.line([row.line, null, 'invalid'], reader.cellsOf(row), '', message);
		}
	}

	private line(what: readonly unknown[], values: Values, changes: unknown, error: string): string {
		return csvLine([...what, ...this.execution.context.fields.map(({ id }) => values[id]), changes, error]);
	}

	private messageOf(error: unknown): string {
		const message = error instanceof Error ? error.message : String(error);
		return this.execution.context.client.session.redact(message);
	}

	private async *plannedChanges(): AsyncGenerator<PlannedChange> {
		const { index, reader, missing } = this.execution;
		for await (const { row, action } of plannedRows(this.execution, [CREATE, UPDATE])) {
			const write = await reader.read(row);
			if (write) yield { write, id: action === UPDATE ? index.idOf(write.key.text) : undefined };
		}
		if (missing.kind === 'delete') for (const id of index.unclaimed()) yield { id };
	}

	private async carryOut(chunk: readonly PlannedChange[]): Promise<string[]> {
		const { context, index, reader } = this.execution;
		if (this.isStopped) {
			this.run.pass(undefined, chunk.length);
			return [];
		}
		// One instance per chunk, because it caches every row that it creates.
		const keyed = reader.keyed.forgetful();
		const run = await context.client.session.limiter.run(chunk, (change) => this.perform(change, keyed));
		for (const { key, id, isOwn } of keyed.creations.rows.values()) index.addCreated(key.text, id, isOwn);
		if (run.stoppedBy) this.isStopped = true;
		return run.outcomes.flatMap((outcome, at) => {
			const change = chunk[at];
			return change ? this.lineOf(change, outcome) : [];
		});
	}

	/** @returns undefined for a row that another writer has already deleted */
	private async perform({ write, id }: PlannedChange, keyed: KeyedRows): Promise<DoneChange | undefined> {
		const { context, dryRun, reader } = this.execution;
		const { client, grid } = context;
		const { rules, isInScope } = reader;
		if (write && id === undefined) {
			const { values } = write;
			if (dryRun) return { kind: 'create', values, id: null };
			// A key that the index lacks is searched for only if another run has written it since.
			const find = async (key: RowKey, isChanged: boolean) => (isChanged ? await keyed.matching(key) : []);
			const isKept = context.option(rowsToWrite) === 'onlyNew';
			const again: Rules = isKept ? { ...rules, matched: 'keep' } : rules;
			const done = await createInTurn(write, { keyed, rules: again, isInScope, find });
			const { instead, stored } = done;
			if (instead) return { ...instead, id: instead.entity._id, stored };
			return { kind: 'create', values, id: done.id ?? null };
		}
		if (id === undefined) return undefined;
		const reading = await outcomeOf(client.entities.get(grid, id));
		if (reading.state === 'failed') {
			if (!write && reading.error instanceof NotFound) return undefined;
			throw reading.error;
		}
		const entity = reading.value;
		const isOther = write && !keyed.keys.hasKey(entity, write.key);
		if (isOther === true || !isInScope(entity))
			throw new InvalidInput(
				`Another writer changed the row after the grid was read, and it ${isOther === true ? 'has another key' : 'no longer meets the conditions'}`,
				'Run the node again.',
			);
		const change = changeOf(write ?? { values: {} }, entity, write ? rules : { ...rules, matched: 'delete' });
		const done = dryRun ? undefined : await send(client, grid, change, rules.fields);
		return done?.isGone === true ? undefined : { ...change, id, stored: done?.stored };
	}

	private lineOf({ write, id }: PlannedChange, outcome: Outcome<DoneChange | undefined>): string[] {
		const { run } = this;
		const { context, reader, dryRun } = this.execution;
		const line = write?.line ?? '';
		if (outcome.state === 'untried') {
			run.pass();
			return [];
		}
		if (outcome.state === 'failed') {
			const { error } = outcome;
			run.fail(error, context.itemIndex, write ? reader.keyed.keys.describe(write.key.values) : `row ${id}`);
			return [this.line([line, id, failedOutcome(error)], write?.values ?? {}, '', this.messageOf(error))];
		}
		const done = outcome.value;
		if (!done) return [];
		run.add(done);
		run.stored.add(done.stored);
		if (done.kind === 'unchanged') return [];
		const { entity, values } = done;
		const changes = changesOf(reader.rules.names, entity, values);
		return [this.line([line, done.id, outcomeWord(done, dryRun)], { ...entity, ...values }, changes, '')];
	}
}

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

/** Maximum number of created rows that are all looked for; of more, only those found twice. */
const MAX_LOOKED_FOR = 1000;

/**
 * What became of created rows whose keys exist twice. The values are read from the file again
 * rather than held.
 * @param count number of created rows
 */
async function fileSettlements(
	execution: FileExecution,
	count: number,
): Promise<Array<FileWrite & Settlement>> {
	const { context, index, reader } = execution;
	const { hint, option } = context;
	const duplicates = count > MAX_LOOKED_FOR ? await outcomeOf(duplicateKeys(execution)) : undefined;
	if (duplicates?.state === 'failed') hintUnchecked(hint, duplicates.error);
	if (duplicates && (duplicates.state === 'failed' || duplicates.value.size === 0)) return [];
	const rows = new KeyedRows(context, reader.keyed.keys);
	const writes = new Map<string, FileWrite>();
	for await (const { row: line } of plannedRows(execution, [CREATE])) {
		const write = await reader.read(line);
		const row = write && index.createdRowOf(write.key.text);
		if (!write || !row || duplicates?.value.has(write.key.text) === false) continue;
		const { key, values } = write;
		writes.set(row.id, write);
		rows.creations.rows.set(key.text, { key, values, ...row });
	}
	const writesValues = option(rowsToWrite) !== 'onlyNew';
	const settlements = await settlementsOf(context, [rows], { writesValues });
	return [...settlements].flatMap(([id, settlement]) => {
		const write = writes.get(id);
		return write ? { ...write, ...settlement } : [];
	});
}

/** Created keys that another row has, too. @throws InvalidInput if the grid kept changing */
async function duplicateKeys({ context, index, reader }: FileExecution): Promise<Set<string>> {
	const { client, grid } = context;
	const { keys } = reader.keyed;
	const collect = async (pages: AsyncIterable<Array<{ id: string; kept: string }>>) => {
		const duplicates = new Set<string>();
		for await (const page of pages)
			for (const { id, kept } of page) if ((index.createdRowOf(kept)?.id ?? id) !== id) duplicates.add(kept);
		return duplicates;
	};
	await client.session.limiter.waitWithoutSlot(FIRST_LOOK_DELAY_MS);
	const bounds = { needs: keys.ids };
	const reading = await client.entities.stream(grid, (row) => keys.textOf(row), {}, collect, bounds);
	if (reading.unstable) throw unstableListError(grid);
	return reading.result;
}
