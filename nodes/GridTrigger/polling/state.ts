import { z } from 'zod/v4';
import { jsonObject } from '../../../client/formats/json';
import { KEY_LENGTH, secondOf, type SeenRecord } from './seenKeys';

/**
 * What is stored is read by later versions of this package; a newer version's state is refused,
 * never guessed at. Version 1 knew an event by its id alone, and knew no page size; version 2 knew
 * it by its times as they were written (olderKeys.ts).
 */
export const STATE_VERSION = 3;

const time = z.number().int();
const keys = z
	.string()
	.regex(/^[A-Za-z0-9_-]*$/)
	.refine((joined) => joined.length % KEY_LENGTH === 0);

const size = z.number().int().min(1);

/**
 * How much one pass over the pages has read: equal sums mean that nothing moved between two passes.
 */
const passSchema = z.object({ count: z.number().int().min(0), sum: z.number().int().min(0) });
export type Pass = z.infer<typeof passSchema>;

const scanSchema = z.object({
	/** What the service is asked for, in milliseconds. */
	since: time,
	page: z.number().int().min(1),
	/** The page size asked for, if it is not the largest one. */
	size: size.optional(),
	/** How many members the service's own pages of this pass have, if they are fewer. */
	served: size.optional(),
	/** The largest page that the service gives, if a page past the first one showed it. */
	cap: size.optional(),
	/**
	 * The service's time at the start, as far as it is known;
	 * older than this by the lookback means complete.
	 */
	reference: z.number().optional(),
	/** Nothing is emitted: what is there already counts as seen. */
	baseline: z.boolean().optional(),
	/** The pages turned out not to be in the order of time: read all of them, twice alike. */
	sweep: z.boolean().optional(),
	/** Where a block of equal times that spans several pages ends. */
	until: time.optional(),
	/** After a step in time: how many events must be left at least, if the pages are in order. */
	expected: z.number().int().optional(),
	/** After a step in time: how many there were before it, if it stepped over some. */
	before: z.number().int().optional(),
	/** After a step in time: the time of the last change before it, which must be met again. */
	from: time.optional(),
	current: passSchema,
	previous: passSchema.optional(),
});
/** Where an unfinished reading stands. */
export type Scan = z.infer<typeof scanSchema>;

const pendingSchema = z.object({
	/** Which process emitted the batch. */
	process: z.string(),
	keys,
	low: time,
	scan: scanSchema.optional(),
});

const sizePart = z.object({ size: size.optional() });
const scanPart = z.object({ scan: scanSchema.optional() });
const pendingPart = z.object({ pending: pendingSchema.optional() });
const unconfirmedPart = z.object({
	unconfirmed: z.record(z.string().regex(/^-?\d+$/), keys).optional(),
	again: keys.optional(),
});

const versionSchema = z.looseObject({ v: z.number() });
const anySeenSchema = z.looseObject({ seen: z.unknown() });
const coreSchema = z.object({
	v: z.union([z.literal(1), z.literal(2), z.literal(STATE_VERSION)]),
	of: z.string(),
	low: time,
});
const highPart = z.object({ high: time, at: z.object({ date: time, wall: time }) });
const orderPart = z.object({
	order: z.enum(['unknown', 'ascending', 'descending', 'other']),
	rises: z.number().int().min(0),
});

/** Version 1 did not tell the newest first from no order. */
const UNKNOWN_ORDER = { order: 'unknown' as const, rises: 0 };

/** All that is kept between two polls; one value under one key of n8n's static data. */
export interface TriggerState {
	v: typeof STATE_VERSION;
	/** Which grid of which account this belongs to. */
	of: string;
	/** Milliseconds: every event before it is done with, and is not asked for again. */
	low: number;
	/** The highest event time read so far. */
	high: number;
	/** When `high` was read first: by the service's clock, and by n8n's. */
	at: { date: number; wall: number };
	order: 'unknown' | 'ascending' | 'descending' | 'other';
	/** How many neighbors on one page were seen to rise in time. */
	rises: number;
	seen: SeenRecord;
	/** The page size to begin with, if larger pages were too large. */
	size?: number | undefined;
	scan?: Scan | undefined;
	/** At least once: the last batch, until this process polls again. */
	pending?: z.infer<typeof pendingSchema> | undefined;
	/** At least once: keys of batches that another process emitted and none has emitted again. */
	unconfirmed?: SeenRecord | undefined;
}

/** The stored state cannot be used, and starting from now without a word would lose events. */
export class StateUnusable extends Error {
	readonly hint =
		'To start anew from now, or from a date, set "Start From" in the options of a new DataGrid Trigger node and delete this one. Nothing was changed.';

	constructor(message: string) {
		super(message);
		this.name = 'StateUnusable';
	}
}

/**
 * Reads a stored state. What is broken but can be done without
 * is left out: that may repeat events, and loses none.
 * @returns undefined where nothing is stored; `mended` names what was left out
 * @throws StateUnusable where the place in the feed is lost, or a newer version wrote it
 */
export function readState(stored: unknown): { state: TriggerState; mended: string[] } | undefined {
	if (stored === undefined || stored === null) return undefined;
	const version = versionSchema.safeParse(stored);
	if (version.success && version.data.v > STATE_VERSION)
		throw new StateUnusable(
			'The place of this trigger in the updates feed was stored by a newer version of n8n-nodes-datagrid',
		);
	const core = coreSchema.safeParse(stored);
	if (!core.success)
		throw new StateUnusable(
			'The place of this trigger in the updates feed is stored in a form that cannot be read',
		);
	const mended: string[] = [];
	const orElse = <Value>(name: string, schema: z.ZodType<Value>, fallback: Value): Value => {
		const part = schema.safeParse(stored);
		if (!part.success) mended.push(name);
		return part.success ? part.data : fallback;
	};
	const { low } = core.data;
	const seen = readSeen(anySeenSchema.parse(stored).seen);
	if (!seen.whole) mended.push('seen');
	const state: TriggerState = {
		...core.data,
		v: STATE_VERSION,
		...orElse('high', highPart, { high: low, at: { date: low, wall: Number.MAX_SAFE_INTEGER } }),
		...(core.data.v === 1 ? UNKNOWN_ORDER : orElse('order', orderPart, UNKNOWN_ORDER)),
		seen: seen.record,
		...orElse('size', sizePart, {}),
		...orElse('scan', scanPart, {}),
		...orElse('pending', pendingPart, {}),
	};
	const unconfirmed = orElse('unconfirmed', unconfirmedPart, {});
	const record = unconfirmed.unconfirmed ?? formerUnconfirmed(unconfirmed.again, state);
	return { state: record ? { ...state, unconfirmed: record } : state, mended };
}

/** Before they were kept by second, the keys were one text. */
const formerUnconfirmed = (again: string | undefined, { high, at }: TriggerState): SeenRecord | undefined =>
	again ? { [String(secondOf(Math.max(high, at.date)))]: again } : undefined;

function readSeen(stored: unknown): { record: SeenRecord; whole: boolean } {
	const parsed = jsonObject.safeParse(stored);
	if (!parsed.success) return { record: {}, whole: false };
	const entries = Object.entries(parsed.data);
	const kept = entries.flatMap(([second, joined]): Array<[string, string]> => {
		const checked = keys.safeParse(joined);
		return /^-?\d+$/.test(second) && checked.success ? [[second, checked.data]] : [];
	});
	return { record: Object.fromEntries(kept), whole: kept.length === entries.length };
}
