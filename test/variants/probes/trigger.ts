import { z } from 'zod/v4';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { Difference, same } from '../difference';
import type { TrueEvent } from '../truth';
import { told, type Trial } from '../trial';
import { toldIn, toldOf } from './history';
import type { Probe } from './probe';
import { newCells, someRows } from './rows';
import { changeRow, inFeed } from './updates';
import { byId } from '../../../testbed/world/parameters';

const MINUTE = 60_000;
const BATCHES = 3;
/** Polls after the last change: everything late has come by then, and nothing may come twice. */
const QUIET = 4;

const emitted = z.looseObject({ event: z.string(), _id: z.string() });

/**
 * Changes between two polls. Where the entries of the feed
 * are rows, each row changes once: more are not told.
 */
async function changeSome(trial: Trial, ids: string[], unique: () => number): Promise<void> {
	const { random, grid, variant } = trial;
	const once = variant.feed.entry === 'row';
	const count = 1 + random.below(3);
	for (let index = 0; index < count; index++) {
		const chosen = ids[random.below(ids.length)];
		if (chosen === undefined || random.chance(0.3)) {
			const [made] = await grid.fill([trial.kept(newCells(trial))]);
			if (made !== undefined && !once) {
				ids.push(made);
				await changeRow(trial, made, unique());
			}
		} else if (random.chance(0.15)) {
			ids.splice(ids.indexOf(chosen), 1);
			await grid.remove(chosen);
		} else {
			await changeRow(trial, chosen, unique());
			if (!once) await changeRow(trial, chosen, unique());
			else ids.splice(ids.indexOf(chosen), 1);
		}
	}
}

async function polled(trigger: ActiveTrigger, how: 'activate' | 'poll'): Promise<unknown[]> {
	try {
		return await trigger[how]();
	} catch (error) {
		throw new Difference(`trigger, ${how}: ${error instanceof Error ? told(error) : String(error)}`);
	}
}

/** Of the workflow: a time without an offset is meant in it, wherever n8n runs. */
const TIMEZONE = 'America/New_York';

/** A moment as n8n's date picker gives it: the time on the clocks of the workflow's zone. */
function onTheClock(time: number): string {
	const spelled = new Date(time).toLocaleString('sv-SE', { timeZone: TIMEZONE });
	return spelled.replace(' ', 'T');
}

async function follow(trial: Trial): Promise<void> {
	const { trials, random, variant } = trial;
	const ids = (await someRows(trial, 5)).map(({ id }) => id);
	// Older than the service's time lags behind: n8n's clock does not follow that of the service
	// here, and with both of them wrong nothing tells what was there before the trigger.
	const lag = Math.max(0, -variant.feed.date);
	trials.pass(variant.feed.late + lag + random.below(5 * MINUTE));
	// Nothing happens in the second that "Start From" names.
	const from = Math.ceil((Date.now() + trials.ahead) / 1000) * 1000;
	trials.pass(2000);
	const before = (await trial.grid.events()).length;
	// Of a service that tells more than it is asked for, what
	// is too old for "Start From" is told as well.
	const startFrom = random.chance(0.3);
	if (startFrom) await changeSome(trial, ids, () => 90 + random.below(9));
	trials.pass(startFrom ? variant.feed.late + 5 * MINUTE : 0);
	const trigger = new ActiveTrigger(new EntityTrigger(), {
		type: 'n8n-nodes-datagrid.entityTrigger',
		parameters: {
			...trial.inGrid,
			grid: byId(trial.shown(trial.grid.id)),
			options: startFrom ? { startFrom: onTheClock(from) } : {},
		},
		credentials: trial.credentials,
		timezone: TIMEZONE,
	});
	const found: unknown[] = [];
	const take = async (how: 'activate' | 'poll') => {
		found.push(
			...trial.inward(
				z
					.custom<object[]>()
					.parse(await polled(trigger, how))
					.map(asRow),
			),
		);
		trials.pass(1000 + random.below(MINUTE));
	};
	await take('activate');
	if (!startFrom) same('trigger: emitted at its activation', found, []);
	let last = 100;
	for (let batch = 0; batch < BATCHES; batch++) {
		trials.pass(1000 + random.below(MINUTE));
		const work = () => changeSome(trial, ids, () => ++last);
		await (random.chance(0.5) ? trials.inOneMoment(work) : work());
		// Two changes of a row between two polls are one where the entries of the feed are rows.
		trials.pass(variant.feed.late);
		await take('poll');
	}
	for (let quiet = 0; quiet < QUIET; quiet++) await take('poll');
	// Of a feed that has only shown equal times so far nobody knows in which order it lists them.
	const inOrder = !startFrom || variant.feed.order === 'ascending';
	compare(trial, found, (await trial.grid.events()).slice(before), inOrder);
}

const asRow = (value: object) => z.custom<Record<string, string>>().parse(value);

function compare(
	trial: Trial,
	found: readonly unknown[],
	events: readonly TrueEvent[],
	inOrder: boolean,
): void {
	const { feed } = trial.variant;
	if (feed.entry === 'row') {
		const shownIds = found.map((row) => emitted.parse(row)).map(({ _id }) => _id);
		const changed = events.map(({ entityId }) => entityId);
		same('trigger: changed rows', shownIds.sort(), changed.sort());
		return;
	}
	const texts = (list: object[]) => list.map((one) => JSON.stringify(one));
	const shown = texts(found.map((row) => toldIn(trial, row)));
	const expected = texts(inFeed(trial, events).map((event) => toldOf(trial, event)));
	same('trigger: events', [...shown].sort(), [...expected].sort());
	if (!inOrder || feed.order === 'unsorted') return;
	same('trigger: the order of events', shown, expected);
}

export const triggerProbes: Probe[] = [{ name: 'trigger', every: 2, run: follow }];
