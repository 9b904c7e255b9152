import {
	Cache,
	concernsAllItems,
	type CreatedUnlocated,
	type Entity,
	InvalidInput,
	NotFound,
	type Outcome,
	outcomeOf,
	type OutcomeUnknown,
	type Values,
} from '../../../client';
import { dryRun } from '../../shared/inputs/options';
import { PartlyDone } from '../../shared/rows/partlyDone';
import {
	isStopped,
	markNotTried,
	performAll,
	prepareAll,
	resultsOf,
	valuesOf,
} from '../../shared/runner/bulk';
import type { ItemContext, ItemsContext, Result, Row } from '../../shared/runner/context';
import type { FindRows } from '../keys/findRows';
import { readAllAhead } from '../keys/keyedRows';
import { copySharedObjects } from '../reading/sharedObjects';
import { send } from './carryOut';
import { storedOtherwise } from './differences';
import { invalidRow } from './invalidRows';
import { planRow, type InputRow, type Rules } from './plan';
import { RunCounts } from './runCounts';
import { beginRun } from './runLog';
import {
	changeRow,
	isUnwritten,
	plannedRow,
	storedMember,
	rowKey,
	type ChangedRow,
	type ChangeShape,
	type RowChange,
	type Unwritten,
} from './steps';
import type { RowTarget } from './targets';
import { addMissingOptions, type Writing } from './unknownOptions';

/** One item, read and checked. */
export interface ItemWrite extends Writing, ChangeShape, InputRow {
	rules: Rules;
	/** The rows that it concerns. */
	target: RowTarget;
}

/** @param row the row, or its id @returns its state, if it is still there, and the output */
type BlindWrite = (row: string | Entity) => Promise<{ state?: Entity; row: object }>;

/** An operation that writes for each item. */
export interface ItemWork<Write extends ItemWrite> {
	/** What an item writes: one row, or one after another that its conditions select. */
	prepare(item: ItemContext): Promise<Write[]>;
	/** Called with the plan of each write, if all are planned before the first one. */
	planned?(write: Write, steps: ReadonlyArray<RowChange | Unwritten>): void;
	/** Checks everything together, before the first write. @throws the reason to write nothing */
	refuse?(writes: readonly Write[]): Promise<void> | void;
	/** How rows with a key are found. */
	how?: FindRows;
	/** Whether each row is found before the first write even One by One. */
	findsFirst?: boolean;
	/** The permission that a dry run checks on each row. */
	link?: 'update' | 'remove';
	/** Whether each item waits for the preceding one, so that rows keep the order of the items. */
	inOrder?: boolean;
	/** How to write without a plan, if nothing depends on what the row holds. */
	blindly?(write: Write): BlindWrite | undefined;
	/** Whether a run, like a dry run, ends with a sentence that counts what was done. */
	isCounted?: boolean;
	/** Creates the row of an item. */
	create?(write: Write, values: Values): Promise<ChangedRow>;
	/** The row of output of a change; `changeRow` if omitted. @param done undefined in a dry run */
	output?(write: Write, change: RowChange | Unwritten, done?: ChangedRow): object;
	/** The output of an item whose outcome, or whose new row's address, is unknown. */
	unlocated?(write: Write, error: OutcomeUnknown | CreatedUnlocated): Row;
	/** The results of all items, if not one for each, with a sentence that counts what was done. */
	report?(
		prepared: ReadonlyArray<Outcome<readonly Write[]>>,
		outcomes: ReadonlyArray<Outcome<Result>>,
		counts: RunCounts,
	): Array<Result | Error>;
}

/** Carries out an operation for each item or, with Dry Run, all but its writes. */
export async function writeItems<Write extends ItemWrite>(
	context: ItemsContext,
	work: ItemWork<Write>,
): Promise<Array<Result | Error>> {
	const isDry = context.at(0).parameter(dryRun);
	return copySharedObjects(await new ItemRun(context, work, isDry).results());
}

class ItemRun<Write extends ItemWrite> {
	/** Rows that a dry run reads by their ids, each once. */
	private readonly readings = new Cache<readonly Entity[]>();
	/** Rows in the state that the preceding items of a dry run leave; undefined if deleted. */
	private readonly states = new Map<string, Entity | undefined>();
	private readonly counts: RunCounts;

	constructor(
		private readonly context: ItemsContext,
		private readonly work: ItemWork<Write>,
		private readonly isDry: boolean,
	) {
		this.counts = new RunCounts(isDry);
	}

	async results(): Promise<Array<Result | Error>> {
		const { context, work, isDry } = this;
		const { client, node } = context;
		const prepared = await prepareAll(context, work.prepare);
		if (this.isStopped(prepared)) return resultsOf(node, markNotTried(prepared));
		const itemIndices: number[] = [];
		const writes = prepared.flatMap((outcome, itemIndex): Array<Outcome<Write>> => {
			const ofItem: Array<Outcome<Write>> =
				outcome.state === 'done' ? outcome.value.map((value) => ({ state: 'done', value })) : [outcome];
			itemIndices.push(...ofItem.map(() => itemIndex));
			return ofItem;
		});
		const report = (outcomes: ReadonlyArray<Outcome<Result>>, isCounted = false) => {
			for (const [at, outcome] of outcomes.entries()) {
				const source = writes[at];
				const write = source?.state === 'done' ? source.value : undefined;
				if (outcome.state === 'failed')
					this.counts.fail(outcome.error, itemIndices[at], write ? nameOf(write) : '', write?.grid);
				else if (outcome.state === 'untried') this.counts.pass(write?.grid);
			}
			this.counts.stored.showHints(context.hint);
			if (isCounted && !work.report) this.counts.conclude(context, '');
			return (
				work.report?.(prepared, outcomes, this.counts) ??
				resultsOf(node, outcomes, (error, index) => {
					const write = writes[index];
					return write?.state === 'done' ? work.unlocated?.(write.value, error) : undefined;
				})
			);
		};
		await readAllAhead(
			valuesOf(writes).map(({ target }) => target),
			work.how ?? 'oneByOne',
		);
		const checked = await performAll<Write, Write>(client, writes, {
			resultWithoutRequest: (write) => (this.needsCheck(write) ? undefined : write),
			perform: async (write) => await this.checked(write),
		});
		if (this.isStopped(checked)) return report(markNotTried(checked));
		await work.refuse?.(valuesOf(checked));
		if (!isDry) await this.begin(valuesOf(checked));
		const failures = await addMissingOptions(context, valuesOf(checked), isDry);
		const ready = checked.map((outcome): Outcome<Write> => {
			if (outcome.state !== 'done' || !failures.has(outcome.value)) return outcome;
			return { state: 'failed', error: failures.get(outcome.value) };
		});
		if (this.isStopped(ready)) return report(markNotTried(ready));
		const outcomes = isDry ? await this.planned(ready) : await this.carriedOut(ready);
		return report(outcomes, isDry || (work.isCounted === true && !isStopped(node, outcomes)));
	}

	/** All is checked: counts the changes of a tool, and begins the log. */
	private async begin(writes: readonly Write[]): Promise<void> {
		const planned = new RunCounts(true);
		let unplanned = 0;
		for (const write of writes) {
			const matches = write.target.known();
			planned.of(write.grid);
			if (!matches) unplanned++;
			else for (const step of planOf(write, matches) ?? []) planned.add(step, write.grid);
		}
		await beginRun(this.context.at(0), { planned, unplanned, run: this.counts });
	}

	private async carriedOut(ready: ReadonlyArray<Outcome<Write>>): Promise<Array<Outcome<Result>>> {
		return await performAll<Write, Result>(this.context.client, ready, {
			resultWithoutRequest: (write) => this.unchangedResult(write),
			perform: (write) => write.target.inTurn(() => this.perform(write)),
			serialKey: ({ target }) => target.serialKey,
			inOrder: this.work.inOrder ?? false,
		});
	}

	/** Whether nothing is written, or planned, because of an item that failed. */
	private isStopped(outcomes: ReadonlyArray<Outcome<unknown>>): boolean {
		if (!this.isDry) return isStopped(this.context.node, outcomes);
		// An error that affects every item, such as a missing permission.
		return outcomes.some(
			(outcome) =>
				outcome.state === 'untried' || (outcome.state === 'failed' && concernsAllItems(outcome.error)),
		);
	}

	private needsCheck({ target }: Write): boolean {
		const { findsFirst = false, how = 'oneByOne' } = this.work;
		return this.isDry || (target.key !== undefined && (findsFirst || how !== 'oneByOne'));
	}

	/** Finds the rows of an item, and checks what can be checked before the first write. */
	private async checked(write: Write): Promise<Write> {
		const { grid, target, rules } = write;
		const matches = await this.found(write);
		const steps = planRow(write, matches, rules);
		const { link, planned } = this.work;
		planned?.(write, steps);
		if (this.isDry && link)
			for (const entity of matches)
				await target.request(this.context.client.entities.writeLink(grid, entity, link));
		return write;
	}

	/** The rows of an item before it is written. */
	private async found({ grid, target, rules, expected }: Write): Promise<readonly Entity[]> {
		if (!this.isDry) {
			const how = expected ? 'fresh' : typeof rules.unmatched === 'object' ? undefined : 'beforeCreation';
			return await target.matching(how);
		}
		if (target.key || target.serialKey === undefined) return await target.matching();
		return await this.readings.get(rowKey(grid, target.serialKey), async () => await target.matching());
	}

	/** The results of a dry run: an item that could not be written becomes a row with the reasons. */
	private async planned(writes: ReadonlyArray<Outcome<Write>>): Promise<Array<Outcome<Result>>> {
		const { counts, context } = this;
		const results: Array<Outcome<Result>> = [];
		for (const outcome of writes) {
			const planning = outcome.state === 'done' ? await outcomeOf(this.rowsOf(outcome.value)) : outcome;
			const error = planning.state === 'failed' ? planning.error : undefined;
			if (planning.state !== 'done') counts.add({ kind: 'invalid' });
			results.push(
				planning.state === 'done' ? planning : { state: 'done', value: [invalidRow(context.node, error)] },
			);
		}
		return results;
	}

	/** The output of an item whose rows are known and already have its values. */
	private unchangedResult(write: Write): object[] | undefined {
		const { blindly, output = changeRow } = this.work;
		const matches = write.target.known() ?? [];
		if (matches.length === 0 || write.expected || blindly?.(write)) return undefined;
		const planning = planOf(write, matches);
		if (!planning?.every(({ kind }) => kind === 'unchanged')) return undefined;
		this.counts.add({ kind: 'unchanged' }, write.grid, planning.length);
		return planning.map((change) => output(write, change, { state: change.entity }));
	}

	private async perform(write: Write): Promise<object | object[]> {
		const { target, rules } = write;
		const act = this.work.blindly?.(write);
		const attempt = () => (act ? this.writeBlindly(write, act) : this.rowsOf(write));
		if (!target.key) return single(await attempt());
		const { length } = await target.matching();
		const outcome = await outcomeOf(attempt());
		if (outcome.state === 'done') return single(outcome.value);
		target.rows?.forget(target.key);
		// The row may have been deleted since the grid was read.
		if (!(outcome.error instanceof NotFound) || length !== 1) throw outcome.error;
		if (typeof rules.unmatched === 'object') planRow(write, [], rules);
		return single(await attempt());
	}

	private async writeBlindly(write: Write, act: BlindWrite): Promise<object[]> {
		const { target, rules } = write;
		let address: string | Entity = target.serialKey ?? '';
		if (target.key) {
			const matches = await target.matching();
			planRow(write, matches, rules);
			address = matches[0] ?? address;
		}
		const { row, state } = await target.request(act(address));
		target.remember(state ? [state] : []);
		const kind = Object.keys(write.values).length > 0 ? 'update' : 'unchanged';
		this.counts.add({ kind: rules.matched === 'delete' ? 'delete' : kind }, write.grid);
		const stored = state ? storedOtherwise(write.fields, write.values, state) : [];
		this.counts.stored.add(stored);
		return [{ ...row, ...storedMember(write.names, stored) }];
	}

	/** Plans an item from its rows and carries the plan out; a dry run does all but that. */
	private async rowsOf(write: Write): Promise<object[]> {
		const { target, rules } = write;
		const { output = changeRow } = this.work;
		const matches = this.left(write, await this.found(write));
		const rows: object[] = [];
		let states: Entity[] = [...matches];
		const done: string[] = [];
		for (const step of planRow(write, matches, rules)) {
			const outcome = this.isDry ? undefined : await this.sent(write, step, done);
			this.counts.add(step, write.grid);
			this.counts.stored.add(outcome?.stored);
			const row = output(write, step, outcome);
			rows.push(outcome?.stored?.length ? { ...row, ...storedMember(write.names, outcome.stored) } : row);
			if (step.kind === 'create') {
				// A created row is read by its ID if another item has its key.
				if (outcome) return rows;
				states = [plannedRow(step.values)];
			} else if (step.entity) {
				const { kind, entity, values } = step;
				const state = kind === 'delete' ? undefined : (outcome?.state ?? { ...entity, ...values });
				states = states.flatMap((row) => (row._id === entity._id ? (state ?? []) : row));
				// A row that a preceding item would create has no ID yet, and is known by its key.
				if (this.isDry && entity._id !== '') this.states.set(rowKey(write.grid, entity._id), state);
			}
		}
		target.remember(states);
		return rows;
	}

	/** The rows as preceding items of a dry run leave them. @throws InvalidInput if one is deleted */
	private left({ grid }: Write, matches: readonly Entity[]): readonly Entity[] {
		if (this.states.size === 0) return matches;
		return matches.map((row) => {
			const key = rowKey(grid, row._id);
			const state = this.states.has(key) ? this.states.get(key) : row;
			if (state) return state;
			throw new InvalidInput(
				`A preceding item deletes the row ${row._id}`,
				'Remove this item, or the one that deletes the row.',
			);
		});
	}

	/** @param updatedIds of the rows that the item has updated so far */
	private async sent(write: Write, change: RowChange | Unwritten, updatedIds: string[]): Promise<ChangedRow> {
		if (change.kind === 'create') return (await this.work.create?.(write, change.values)) ?? {};
		if (isUnwritten(change)) return { state: change.entity };
		const { kind, entity } = change;
		const sending = write.target.request(send(this.context.client, write.grid, change, write.fields));
		const outcome = await outcomeOf(sending);
		if (outcome.state === 'done') {
			if (kind === 'update') updatedIds.push(entity._id);
			return outcome.value;
		}
		throw updatedIds.length === 0 ? outcome.error : partlyUpdated(updatedIds, entity, outcome.error);
	}
}

/** The plan of an item whose rows are known; undefined if the item is refused. */
function planOf(write: ItemWrite, matches: readonly Entity[]) {
	try {
		return planRow(write, matches, write.rules);
	} catch {
		return undefined;
	}
}

/** Names the row of an item by its key or its ID. */
function nameOf({ key, rules, target }: ItemWrite): string {
	if (key && rules.keys) return rules.keys.describe(key.values);
	const [row] = target.known() ?? [];
	const id = row?._id ?? target.serialKey;
	return id === undefined ? '' : `row ${id}`;
}

const single = (rows: object[]): object | object[] => (rows.length === 1 ? (rows[0] ?? rows) : rows);

/** @param ids of the rows that were updated */
function partlyUpdated(ids: readonly string[], { _id }: Entity, reason: unknown): PartlyDone {
	const done = `Updated ${ids.length === 1 ? 'the row' : 'the rows'} ${ids.join(', ')}`;
	const hint = 'Remove the cause, then run this item again: rows that have its values are not written.';
	return new PartlyDone(done, [`the row ${_id}`, 'updated'], reason, hint);
}
