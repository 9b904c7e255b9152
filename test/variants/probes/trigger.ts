import { z } from 'zod/v4';
import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { byId } from '../../support/account';
import { ActiveTrigger } from '../../support/activeTrigger';
import { Difference, same } from '../difference';
import type { TrueEvent } from '../truth';
import { told, type World } from '../world';
import { toldIn, toldOf } from './history';
import type { Probe } from './probe';
import { newCells, someRows } from './rows';
import { inFeed } from './updates';

const MINUTE = 60_000;
const BATCHES = 4;
/** Polls after the last change: everything late has come by then, and nothing may come twice. */
const QUIET = 6;

const emitted = z.looseObject({ event: z.string(), entityId: z.string() });

/** Changes between two polls. Where the entries of the feed are rows, each row changes once: more are not told. */
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
				await grid.change(made, { Size: unique() });
			}
		} else if (random.chance(0.15)) {
			ids.splice(ids.indexOf(chosen), 1);
			await grid.remove(chosen);
		} else {
			await grid.change(chosen, { Size: unique() });
			if (!once) await grid.change(chosen, { Size: unique() });
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

async function follow(world: World): Promise<void> {
	const { ground, random, variant } = world;
	const ids = (await someRows(world, 8)).map(({ id }) => id);
	const before = (await world.grid.events()).length;
	ground.pass(variant.feed.late + random.below(5 * MINUTE));
	const node = new GridTrigger();
	const trigger = new ActiveTrigger(node, {
		type: 'n8n-nodes-datagrid.gridTrigger',
		parameters: { ...world.inGrid, grid: byId(world.shown(world.grid.id)) },
		credentials: world.credentials,
	});
	same(
		'trigger: emitted at its activation',
		world.inward(
			z
				.custom<object[]>()
				.parse(await polled(trigger, 'activate'))
				.map(asRow),
		),
		[],
	);
	const found: unknown[] = [];
	const poll = async () => {
		found.push(
			...world.inward(
				z
					.custom<object[]>()
					.parse(await polled(trigger, 'poll'))
					.map(asRow),
			),
		);
		ground.pass(1000 + random.below(MINUTE));
	};
	let last = 100;
	for (let batch = 0; batch < BATCHES; batch++) {
		ground.pass(1000 + random.below(MINUTE));
		await changeSome(world, ids, () => ++last);
		// Two changes of a row between two polls are one where the entries of the feed are rows.
		ground.pass(variant.feed.late);
		await poll();
	}
	for (let quiet = 0; quiet < QUIET; quiet++) await poll();
	compare(world, found, (await world.grid.events()).slice(before));
}

const asRow = (value: object) => z.custom<Record<string, string>>().parse(value);

function compare(world: World, found: readonly unknown[], events: readonly TrueEvent[]): void {
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
	if (feed.order === 'unsorted' || feed.entry === 'grouped') return;
	same('trigger: the order of events', shown, expected);
}

export const triggerProbes: Probe[] = [{ name: 'trigger', every: 1, run: follow }];
