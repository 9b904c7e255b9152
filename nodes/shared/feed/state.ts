import { createHash } from 'crypto';
import { z } from 'zod/v4';
import { addToGroup, jsonObject } from '../../../client';

/**
 * Length of an entry's key: 12 base64url characters (72 bits), because n8n's static data holds many
 * thousands of keys. The chance of a collision among 200,000 is 1 in 10^11.
 */
const KEY_LENGTH = 12;

export const keyOf = (identity: string) =>
	createHash('sha256').update(identity).digest('base64url').slice(0, KEY_LENGTH);

/** Joined keys by second since 1970. */
export type SeenRecord = Record<string, string>;

/** The second that contains a time in milliseconds. */
const secondOf = (time: number) => Math.floor(time / 1000);

/** Joins keys of fixed length, which takes half the size of a JSON array. */
export const joinKeys = (keys: Iterable<string>) => [...keys].join('');
export function splitKeys(joined: string): string[] {
	const keys: string[] = [];
	for (let at = 0; at < joined.length; at += KEY_LENGTH) keys.push(joined.slice(at, at + KEY_LENGTH));
	return keys;
}

/** Keys of entries that are handled, each until the second of its time is forgotten. */
export class SeenKeys {
	private readonly seconds = new Map<string, number>();

	constructor(record: SeenRecord = {}) {
		for (const [second, joined] of Object.entries(record))
			for (const key of splitKeys(joined)) this.seconds.set(key, Number(second));
	}

	get size() {
		return this.seconds.size;
	}

	has(key: string) {
		return this.seconds.has(key);
	}

	/** @param time of the entry, in milliseconds */
	add(key: string, time: number) {
		this.seconds.set(key, secondOf(time));
	}

	/** @returns the second of a key that was there */
	take(key: string): number | undefined {
		const second = this.seconds.get(key);
		this.seconds.delete(key);
		return second;
	}

	/** Number of keys of entries before the second of a time, which could be forgotten. */
	sizeBefore(time: number) {
		const first = secondOf(time);
		let size = 0;
		for (const second of this.seconds.values()) if (second < first) size++;
		return size;
	}

	/** Forgets the keys of entries before a time, which are not read again. */
	forgetBefore(time: number) {
		const first = secondOf(time);
		for (const [key, second] of this.seconds) if (second < first) this.seconds.delete(key);
	}

	toRecord(): SeenRecord {
		const keys = new Map<number, string[]>();
		for (const [key, second] of this.seconds) addToGroup(keys, second, key);
		return Object.fromEntries([...keys].map(([second, own]) => [String(second), joinKeys(own)]));
	}
}

/** Version of the stored state; newer ones are refused. */
const STATE_VERSION = 1;

const time = z.number().int();
const JOINED_KEYS = new RegExp(`^(?:[\\w-]{${KEY_LENGTH}})*$`);
const keys = z.string().regex(JOINED_KEYS);

const firstSchema = z.object({ until: time });
const ids = z.array(z.string());
/** IDs of rows that entered or left the view. */
const movesSchema = z.object({ entered: ids.optional(), left: ids.optional() });
const pendingSchema = movesSchema.extend({ process: z.string(), keys, low: time });
const membersSchema = z.object({
	definition: z.string(),
	ids,
	at: time,
	isDue: z.boolean(),
	/** At least once: what another process has emitted and none has emitted again. */
	again: movesSchema.optional(),
});
/** The rows of a view at the last sample. */
export type Members = z.infer<typeof membersSchema>;

/** The state kept between two polls; one value in n8n's static data. */
export interface TriggerState {
	v: typeof STATE_VERSION;
	/** Identifies grid and account. */
	of: string;
	/** Milliseconds since 1970: all entries before are handled and not read again. */
	low: number;
	/** Keys of the entries since `low` that are handled. */
	seen: SeenRecord;
	/** Until the first reading has ended: entries up to this time were there before the trigger. */
	first?: z.infer<typeof firstSchema> | undefined;
	/** At least once: the last batch, until this process polls again. */
	pending?: z.infer<typeof pendingSchema> | undefined;
	/** At least once: keys that another process has emitted and none has emitted again. */
	again?: SeenRecord | undefined;
	members?: Members | undefined;
}

/** A new state. */
export const stateOf = (members: Omit<TriggerState, 'v'>): TriggerState => ({ v: STATE_VERSION, ...members });

/** The stored state is unusable; silently starting from now would lose events. */
export class StateUnusable extends Error {
	readonly hint =
		'To start again, from now or from a date, add a new DataGrid Trigger node, set its option "Start From", and delete this one. Nothing was changed.';

	constructor(message: string) {
		super(message);
		this.name = 'StateUnusable';
	}
}

const versionSchema = z.looseObject({ v: z.number() });
const coreSchema = z.object({ v: z.literal(STATE_VERSION), of: z.string(), low: time });
const anySeenSchema = z.looseObject({ seen: z.unknown(), again: z.unknown() });
const partSchemas = {
	first: z.object({ first: firstSchema.optional() }),
	pending: z.object({ pending: pendingSchema.optional() }),
	members: z.object({ members: membersSchema.optional() }),
};

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
	const orNothing = <Value extends object>(name: string, schema: z.ZodType<Value>): Value | undefined => {
		const part = schema.safeParse(stored);
		if (!part.success) mended.push(name);
		return part.data;
	};
	const raw = anySeenSchema.parse(stored);
	const [seen, again] = [readSeen(raw.seen), readSeen(raw.again ?? {})];
	if (!seen.isWhole || !again.isWhole) mended.push('seen');
	const state: TriggerState = {
		...core.data,
		seen: seen.record,
		...(Object.keys(again.record).length > 0 ? { again: again.record } : {}),
		...orNothing('first', partSchemas.first),
		...orNothing('pending', partSchemas.pending),
		...orNothing('members', partSchemas.members),
	};
	return { state, mended };
}

function readSeen(stored: unknown): { record: SeenRecord; isWhole: boolean } {
	const parsed = jsonObject.safeParse(stored);
	if (!parsed.success) return { record: {}, isWhole: false };
	const entries = Object.entries(parsed.data);
	const kept = entries.filter(
		(entry): entry is [string, string] =>
			/^-?\d+$/.test(entry[0]) && typeof entry[1] === 'string' && JOINED_KEYS.test(entry[1]),
	);
	return { record: Object.fromEntries(kept), isWhole: kept.length === entries.length };
}
