import { z } from 'zod/v4';
import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { byId } from '../../fixtures/account';
import { ActiveTrigger } from '../../fixtures/activeTrigger';
import { Difference, same } from '../difference';
import type { TrueEvent } from '../truth';
import { told, type World } from '../world';
import { toldIn, toldOf } from './history';
import type { Probe } from './probe';
import { newCells, someRows } from './rows';
import { changeRow, inFeed } from './updates';

const MINUTE = 60_000;
const BATCHES = 3;
/** Polls after the last change: everything late has come by then, and nothing may come twice. */
const QUIET = 4;

const emitted = z.looseObject({ event: z.string(), entityId: z.string() });

/**
 * Changes between two polls. Where the entries of the feed
 * are rows, each row changes once: more are not told.
 */
async function changeSome(world: World, ids: string[], unique: () => number): Promise<void> {
	const { random, grid, variant } = world;
	const once = variant.feed.entry === 'row';
	const count = 1 + random.below(3);
	for (let index = 0; index < count; index++) {
		const chosen = ids[random.below(ids.length)];
		if (chosen === undefined || random.chance(0.3)) {
			const [made] = await grid.fill([world.kept(newCells(world))]);
			if (made !== undefined && !once) {
				ids.push(made);
				await changeRow(world, made, unique());
			}
		} else if (random.chance(0.15)) {
			ids.splice(ids.indexOf(chosen), 1);
			await grid.remove(chosen);
		} else {
			await changeRow(world, chosen, unique());
			if (!once) await changeRow(world, chosen, unique());
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

async function follow(world: World): Promise<void> {
	const { ground, random, variant } = world;
	const ids = (await someRows(world, 5)).map(({ id }) => id);
	ground.pass(variant.feed.late + random.below(5 * MINUTE));
	// Nothing happens in the second that "Start From" names.
	const from = Math.ceil((Date.now() + ground.ahead) / 1000) * 1000;
	ground.pass(2000);
	const before = (await world.grid.events()).length;
	// Of a service that tells more than it is asked for, what
	// is too old for "Start From" is told as well.
	const startFrom = random.chance(0.3) && variant.feed.since !== 'of the hour';
	if (startFrom) await changeSome(world, ids, () => 90 + random.below(9));
	ground.pass(startFrom ? variant.feed.late + 5 * MINUTE : 0);
	const trigger = new ActiveTrigger(new GridTrigger(), {
		type: 'n8n-nodes-datagrid.gridTrigger',
		parameters: {
			...world.inGrid,
			grid: byId(world.shown(world.grid.id)),
			options: startFrom ? { startFrom: onTheClock(from) } : {},
		},
		credentials: world.credentials,
		timezone: TIMEZONE,
	});
	const found: unknown[] = [];
	const take = async (how: 'activate' | 'poll') => {
		found.push(
			...world.inward(
				z
					.custom<object[]>()
					.parse(await polled(trigger, how))
					.map(asRow),
			),
		);
		ground.pass(1000 + random.below(MINUTE));
	};
	await take('activate');
	if (!startFrom) same('trigger: emitted at its activation', found, []);
	let last = 100;
	for (let batch = 0; batch < BATCHES; batch++) {
		ground.pass(1000 + random.below(MINUTE));
		const work = () => changeSome(world, ids, () => ++last);
		await (random.chance(0.5) ? ground.inOneMoment(work) : work());
		// Two changes of a row between two polls are one where the entries of the feed are rows.
		ground.pass(variant.feed.late);
		await take('poll');
	}
	for (let quiet = 0; quiet < QUIET; quiet++) await take('poll');
	// Of a feed that has only shown equal times so far nobody knows in which order it lists them.
	const inOrder = !startFrom || variant.feed.order === 'ascending';
	compare(world, found, (await world.grid.events()).slice(before), inOrder);
}

const asRow = (value: object) => z.custom<Record<string, string>>().parse(value);

function compare(
	world: World,
	found: readonly unknown[],
	events: readonly TrueEvent[],
	inOrder: boolean,
): void {
	const { feed } = world.variant;
	if (feed.entry === 'row') {
		const changes = (list: ReadonlyArray<{ entityId: string }>) =>
			list.map(({ entityId }) => entityId).sort();
		same('trigger: changed rows', changes(found.map((row) => emitted.parse(row))), changes(events));
		return;
	}
	const texts = (list: object[]) => list.map((one) => JSON.stringify(one));
	const shown = texts(found.map((row) => toldIn(world, row)));
	const expected = texts(inFeed(world, events).map((event) => toldOf(world, event)));
	same('trigger: events', [...shown].sort(), [...expected].sort());
	if (!inOrder || feed.order === 'unsorted' || feed.entry === 'grouped') return;
	same('trigger: the order of events', shown, expected);
}

export const triggerProbes: Probe[] = [{ name: 'trigger', every: 2, run: follow }];
