import { z } from 'zod/v4';
import { jsonObject } from '../../../client/formats/json';
import { KEY_LENGTH, secondOf, type SeenRecord } from './seenKeys';

/**
 * Version of the stored state. Older states are read, newer ones are refused. Version 1 identified
 * events by id alone and had no page size; version 2 identified them by times as written
 * (olderKeys.ts).
 */
export const STATE_VERSION = 3;

const time = z.number().int();
const keys = z
	.string()
	.regex(/^[A-Za-z0-9_-]*$/)
	.refine((joined) => joined.length % KEY_LENGTH === 0);

const size = z.number().int().min(1);

/** Count and checksum of one pass over the pages: two equal passes prove that nothing moved. */
const passSchema = z.object({
	count: z.number().int().min(0),
	sum: z.number().int().min(0),
	/** The number of all events up to the end of the block, late ones included. */
	read: z.number().int().min(0).optional(),
	/** The number of different events that totals count, late ones included. */
	distinct: z.number().int().optional(),
	/** The largest total of its pages. */
	most: z.number().int().min(0).optional(),
	/** A page counted fewer events than an earlier one: differing copies of the data respond. */
	fell: z.boolean().optional(),
});
export type Pass = z.infer<typeof passSchema>;

const scanSchema = z.object({
	/** The requested `since`, in milliseconds since 1970. */
	since: time,
	page: z.number().int().min(1),
	/** The requested page size, if it is below the maximum. */
	size: size.optional(),
	/** The service's page size in this pass, if it is smaller. */
	served: size.optional(),
	/** The service's maximum page size, if a page after the first one showed it. */
	cap: size.optional(),
	/** The preceding, smaller page size: only a full page proves that this one is not capped. */
	grownFrom: size.optional(),
	/**
	 * The service's time at the start, if known; events are complete up to this time minus the
	 * lookback.
	 */
	reference: z.number().optional(),
	/** Nothing is emitted: existing events count as seen. */
	baseline: z.boolean().optional(),
	/** The pages are not chronological: all are read until two passes are equal. */
	sweep: z.boolean().optional(),
	/** The end of a block of equal times that spans several pages. */
	until: time.optional(),
	/** After a step in time: the least number of remaining events if the pages are chronological. */
	expected: z.number().int().optional(),
	/** After a step in time: the number of events before it, if the step passed some. */
	before: z.number().int().optional(),
	/** After a step in time: the time of the last change before it, which must occur again. */
	from: time.optional(),
	current: passSchema,
	previous: passSchema.optional(),
	/** The number of equal passes so far that lacked events counted by their pages. */
	doubtful: z.number().int().min(1).optional(),
});
/** The position of an unfinished reading. */
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

/** Version 1 did not distinguish newest-first from unordered feeds. */
const UNKNOWN_ORDER = { order: 'unknown' as const, rises: 0 };

/** The state kept between two polls; one value in n8n's static data. */
export interface TriggerState {
	v: typeof STATE_VERSION;
	/** Identifies grid and account. */
	of: string;
	/** Milliseconds since 1970: all earlier events are processed and not requested again. */
	low: number;
	/** The latest event time read so far. */
	high: number;
	/** When `high` was first read, by the service's clock and by n8n's. */
	at: { date: number; wall: number };
	order: 'unknown' | 'ascending' | 'descending' | 'other';
	/** Number of neighbors on one page with rising times. */
	rises: number;
	seen: SeenRecord;
	/** The page size to start with, if larger pages were too large. */
	size?: number | undefined;
	scan?: Scan | undefined;
	/** At least once: the last batch, until this process polls again. */
	pending?: z.infer<typeof pendingSchema> | undefined;
	/** At least once: keys of batches that another process emitted and none has emitted again. */
	unconfirmed?: SeenRecord | undefined;
}

/** The stored state is unusable; silently starting from now would lose events. */
export class StateUnusable extends Error {
	readonly hint =
		'To start again, from now or from a date, add a new DataGrid Trigger node, set its option "Start From", and delete this one. Nothing was changed.';

	constructor(message: string) {
		super(message);
		this.name = 'StateUnusable';
	}
}

/**
 * Reads a stored state. Damaged parts that are not essential are omitted, which may repeat events
 * but loses none.
 * @returns undefined if nothing is stored; `mended` lists the omitted parts
 * @throws StateUnusable if the position in the feed is lost or a newer version wrote it
 */
export function readState(stored: unknown): { state: TriggerState; mended: string[] } | undefined {
	if (stored === undefined || stored === null) return undefined;
	const version = versionSchema.safeParse(stored);
	if (version.success && version.data.v > STATE_VERSION)
		throw new StateUnusable(
			'The position of this trigger in the updates feed was stored by a newer version of n8n-nodes-datagrid',
		);
	const core = coreSchema.safeParse(stored);
	if (!core.success)
		throw new StateUnusable('The stored position of this trigger in the updates feed cannot be read');
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

/** Older states stored these keys as one text. */
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
