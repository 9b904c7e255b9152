import { z } from 'zod/v4';
import { same } from '../difference';
import { jsonSchema } from '../exchange';
import { meaningOf } from '../aspects/links';
import type { Cells, TrueEvent } from '../truth';
import type { Trial } from '../trial';
import { HISTORY, type Probe } from './probe';
import { columnNamed, entityId, sameRows, someRows } from './rows';

const output = z.looseObject({
	event: z.string(),
	_id: z.string(),
	changedAt: z.string().nullable(),
	changes: z.array(z.object({ field: z.string(), old: jsonSchema, new: jsonSchema })),
});

/** Changes of one row; some of them in one moment, and two that are alike. */
async function changeOften(trial: Trial, id: string): Promise<void> {
	const sizes = [1, 2, 1, 2, 5 + trial.random.below(100)];
	await trial.trials.inOneMoment(async () => {
		for (const Size of sizes) await trial.grid.change(id, { Size });
	});
}

/** What a row of output has to say of an event. */
export function toldOf(trial: Trial, { type, entityId: id, changes, timestamp }: TrueEvent): object {
	const { feed } = trial.variant;
	const names = new Map([...trial.grid.fieldIds].map(([name, fieldId]) => [fieldId, name]));
	const shown = changes.map(({ fieldId, oldValue, newValue }) => ({
		field: names.get(fieldId) ?? fieldId,
		old: oldValue,
		new: newValue,
	}));
	return {
		event: type,
		entityId: id,
		time: Date.parse(timestamp),
		changes: feed.changes === 'none' ? [] : shown.sort((a, b) => (a.field < b.field ? -1 : 1)),
	};
}

export function toldIn(trial: Trial, row: unknown): object {
	const { event, _id: id, changedAt, changes } = output.parse(row);
	// Of a row that is named by an opaque link alone nothing is known but that link.
	const meant = meaningOf(id);
	const named = meant === id ? id : trial.known(decodeURIComponent(meant.split('/').at(-1) ?? ''));
	return {
		event,
		entityId: named,
		time: Date.parse(changedAt ?? ''),
		changes: changes
			.map(({ field, old, new: value }) => ({ field: columnNamed(field), old, new: value }))
			.sort((a, b) => (a.field < b.field ? -1 : 1)),
	};
}

async function readHistory(trial: Trial): Promise<void> {
	const [row] = await someRows(trial, 2);
	if (!row) throw new Error('No row');
	await changeOften(trial, row.id);
	const events = (await trial.grid.events()).filter(({ entityId: id }) => id === row.id);
	if (trial.variant.feed.history === 'newest first') events.reverse();
	const found = await trial.rows(HISTORY, { ...trial.inGrid, ...entityId(trial, row.id), returnAll: true });
	same(
		'history: events',
		found.map((one) => toldIn(trial, one)),
		events.map((event) => toldOf(trial, event)),
	);
}

/** Back to what the row held before its last changes. */
async function restore(trial: Trial): Promise<void> {
	const { feed } = trial.variant;
	const [row] = await someRows(trial, 1);
	if (!row) throw new Error('No row');
	const moment = Date.now() + trial.trials.ahead + 1;
	trial.trials.pass(5000);
	const cells: Cells = { Size: 77, Note: 'later' };
	await trial.grid.change(row.id, cells);
	const run = await trial.run(
		{ ...HISTORY, operation: 'restore' },
		{ ...trial.inGrid, ...entityId(trial, row.id), moment: new Date(moment + 1000).toISOString() },
	);
	// A history without what changed cannot be gone back in; then nothing may be written.
	const isSilent = feed.changes === 'none';
	if (isSilent && run.error) return;
	same('restore: an error', run.error?.message, undefined);
	if (!isSilent) await sameRows(trial, 'restore: rows', [row]);
}

export const historyProbes: Probe[] = [
	{ name: 'history.getMany', every: 2, run: readHistory },
	{ name: 'history.restore', every: 6, run: restore },
];
