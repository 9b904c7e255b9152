import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { holds, same } from '../difference';
import { jsonSchema, type Json } from '../exchange';
import { told, type Trial } from '../trial';
import type { Cells, TrueRow } from '../truth';
import { entity, SYNC, type Probe } from './probe';
import { asInput, columnNamed, comparable, newCells, rowOf, someRows, textIn, unquoted } from './rows';

const change = z.object({ field: z.string(), old: jsonSchema, new: jsonSchema });
const planned = z.looseObject({
	_id: z.string().nullable(),
	_outcome: z.enum(['create', 'update', 'delete', 'unchanged', 'invalid']),
	_changes: z.array(change),
	_reasons: z.array(z.string()),
});
type Planned = z.infer<typeof planned>;
const done = z.looseObject({
	error: z.string().optional(),
	_outcome: z.string().optional(),
	_changes: z.array(change).optional(),
	deleted: z.boolean().optional(),
});

/** What a real run says of a row that a dry run gave another word. */
const WORDS = { create: 'created', update: 'updated', delete: 'deleted', unchanged: 'unchanged' } as const;

interface Job {
	operation: string;
	parameters: INodeParameters;
	input: IDataObject[];
	/** Whether a service may refuse it (§4 Gaps). */
	isUncertain?: boolean;
}

/** Items that create, change, repeat, leave alone and cannot be written. */
function itemsFor(trial: Trial, [first, second]: readonly TrueRow[]): Cells[] {
	const fresh = newCells(trial);
	const Article = first?.cells['Article'] ?? '';
	return [
		{ Article, Size: 2001 },
		{ Article: second?.cells['Article'] ?? '', Size: second?.cells['Size'] ?? 0 },
		fresh,
		{ Article: fresh['Article'] ?? '', Size: 2002 },
		{ Article, Size: 2001, Group: 'G-2' },
		{ Article: trial.article(), Size: 'many' },
		{ Article, Kind: 'no option' },
	];
}

const withRow = (trial: Trial, rows: readonly TrueRow[], items: readonly Cells[]): IDataObject[] =>
	items.map((cells) => {
		const own = rows.find((row) => row.cells['Article'] === cells['Article'])?.id ?? 'f'.repeat(24);
		return { ...asInput(cells), row: trial.shown(own) };
	});

const ROW = { __rl: true, mode: 'id', value: '={{ $json.row }}' };

/** One of the operations that write rows, with items that come to every outcome. */
function jobFor(trial: Trial, before: readonly TrueRow[]): Job {
	const { inGrid: base, random } = trial;
	const items = itemsFor(trial, before);
	const input = items.map(asInput);
	const size = z.number().parse(before[0]?.cells['Size']);
	const operator = random.chance(0.5) ? '$eq' : '$gt';
	const conditions = { condition: [{ column: 'Size', operator, value: size }] };
	const isUncertain = operator !== '$eq' && trial.variant.filters.operators !== 'all';
	const findRows = ['automatic', 'oneByOne', 'allAtOnce'][random.below(3)] ?? 'automatic';
	const jobs: Job[] = [
		{ operation: 'create', parameters: { ...base, ...trial.auto() }, input },
		{
			operation: 'create',
			parameters: { ...base, ...trial.auto(), options: { avoidDuplicatesBy: ['Article'], findRows } },
			input,
		},
		{
			operation: 'upsert',
			parameters: { ...base, ...trial.auto(['Article']), options: { findRows } },
			input,
		},
		{
			operation: 'update',
			parameters: { ...base, ...trial.auto(), entity: ROW },
			input: withRow(trial, before, items),
		},
		{
			operation: 'delete',
			parameters: { ...base, entity: ROW },
			input: withRow(trial, before, [items[0] ?? {}, items[2] ?? {}, items[4] ?? {}]),
		},
		{
			operation: 'updateMany',
			parameters: { ...base, conditions, ...trial.mapped({ Size: 2003, Note: 'met' }) },
			input: [{}, {}],
			isUncertain,
		},
		{
			operation: 'deleteMany',
			parameters: { ...base, conditions, options: { limitPercent: 100 } },
			input: [{}],
			isUncertain,
		},
		{
			operation: 'sync',
			parameters: {
				...base,
				...trial.auto(['Article']),
				rowsNotInInput: random.chance(0.5) ? 'delete' : 'keep',
				output: 'changes',
				options: { deletionLimit: 100 },
			},
			input: input.slice(0, 3),
		},
	];
	return jobs[random.below(jobs.length)] ?? { operation: 'create', parameters: base, input };
}

const nameOf = (operation: string) => (operation === 'sync' ? SYNC : entity(operation));

const inDryRun = ({ parameters }: Job): INodeParameters => ({ ...parameters, dryRun: true });

/** The cells of all rows after a plan is carried out, those of new rows by their article. */
function outcomeOf(trial: Trial, before: readonly TrueRow[], rows: readonly Json[]): string[] {
	const state = new Map(before.map(({ id, cells }) => [id, cells]));
	for (const row of rows) {
		const { _id, _outcome, _changes } = planned.parse(row);
		const article = JSON.stringify(rowOf(trial, row).cells['Article']);
		const id = _id === null ? `new ${article}` : _id;
		const changes = _changes.map((one) => [columnNamed(one.field), one.new] as const);
		if (_outcome === 'create') state.set(newId(state, id), rowOf(trial, row).cells);
		if (_outcome === 'update') state.set(id, { ...state.get(id), ...Object.fromEntries(changes) });
		if (_outcome === 'delete') state.delete(id);
	}
	return inOrder([...state.values()].map((cells) => comparable(trial, cells)));
}

/** Create makes several rows of one article. */
function newId(state: ReadonlyMap<string, Cells>, id: string): string {
	return state.has(id) ? newId(state, `${id}+`) : id;
}

const inOrder = (rows: readonly Cells[]) =>
	rows
		.map((cells) => Object.entries(cells).sort(([one], [other]) => (one < other ? -1 : 1)))
		.map((entries) => JSON.stringify(entries))
		.sort();

const changesIn = (changes: Planned['_changes']) =>
	changes.map((one) => {
		const field = columnNamed(one.field);
		return { field, old: unquoted(field, one.old), new: unquoted(field, one.new) };
	});

/** What is told of single rows, as far as the operation tells it in a real run. */
function compareRows(what: string, dry: readonly Json[], real: readonly Json[]): void {
	same(`${what}: rows of output`, real.length, dry.length);
	for (const [index, row] of dry.entries()) {
		const plan = planned.parse(row);
		const came = done.parse(real[index]);
		same(`${what}: whether item ${index} fails`, came.error !== undefined, plan._outcome === 'invalid');
		if (plan._outcome === 'invalid' || came._outcome === undefined) continue;
		const word = came._outcome === 'existing' ? 'unchanged' : came._outcome;
		same(`${what}: outcome of row ${index}`, word, WORDS[plan._outcome]);
		if (came._changes)
			same(`${what}: changes of row ${index}`, changesIn(came._changes), changesIn(plan._changes));
	}
}

/** A dry run writes nothing, and the real run after it does what it told. */
async function dryRun(trial: Trial): Promise<void> {
	const before = await someRows(trial, 4);
	if (new Set(before.map((row) => textIn(row, 'Article'))).size < before.length) return;
	const job = jobFor(trial, before);
	const { operation, parameters, input, isUncertain = false } = job;
	const what = `Dry Run of ${operation}`;
	const { written } = trial.trials.service;
	const sent = written.length;
	const dry = await trial.run(nameOf(operation), inDryRun(job), input);
	same(
		`${what}: writes`,
		written.slice(sent).map(({ method, path }) => `${method} ${path}`),
		[],
	);
	const real = await trial.run(nameOf(operation), parameters, input, { onError: 'continueRegularOutput' });
	if (dry.error) {
		holds(`${what}: refused, ${told(dry.error)}`, isUncertain, dry.error.message);
		same(
			`${what}: rows of the grid`,
			inOrder((await trial.grid.rows()).map(({ cells }) => cells)),
			inOrder(before.map(({ cells }) => cells)),
		);
		return;
	}
	const rows = trial.inward(dry.rows);
	const now = (await trial.grid.rows()).map(({ cells }) => comparable(trial, cells));
	same(`${what}: rows of the grid`, inOrder(now), outcomeOf(trial, before, rows));
	compareRows(what, rows, trial.inward(real.rows));
}

/** One bad item stops all others before the first write. */
async function refusedAsAWhole(trial: Trial): Promise<void> {
	const before = await someRows(trial, 4);
	const items = itemsFor(trial, before);
	const jobs: Job[] = [
		{ operation: 'create', parameters: trial.auto(), input: items.map(asInput) },
		{ operation: 'upsert', parameters: trial.auto(['Article']), input: items.map(asInput) },
		{ operation: 'sync', parameters: trial.auto(['Article']), input: items.slice(2).map(asInput) },
		{
			operation: 'update',
			parameters: { ...trial.auto(), entity: ROW },
			input: withRow(trial, before, items),
		},
	];
	const { written } = trial.trials.service;
	const sent = written.length;
	for (const { operation, parameters, input } of jobs) {
		const { error } = await trial.run(nameOf(operation), { ...trial.inGrid, ...parameters }, input);
		holds(`${operation} with bad items: was not refused`, error !== undefined, error);
		same(`${operation} with bad items: writes`, written.length - sent, 0);
	}
}

export const dryRunProbes: Probe[] = [
	{ name: 'dry run', every: 4, run: dryRun },
	{ name: 'bad items', every: 8, run: refusedAsAWhole },
];
