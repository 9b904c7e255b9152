import { z } from 'zod/v4';
import type { Linked } from '../../../client/hal/links';
import type { Drift } from '../../../client/session/paging';
import type { ReadParameter } from '../runner/operation';
import { limit, returnAll } from '../inputs/paging';
import { parameter } from '../inputs/parameter';

/** Members that say how a representation is written rather than what it is (§2.1). */
const NOTATION = new Set(['_links', '_representation', '_embedded', 'metaType', 'displayValue']);

/** A representation as a row of output: as it came, or without its links and what else only says how it is written. */
export function recordOf(resource: Linked, simple: boolean): object {
	if (!simple) return { ...resource, _links: Object.fromEntries(resource._links) };
	return Object.fromEntries(Object.entries(resource).filter(([name]) => !NOTATION.has(name)));
}

/** How many results the user asked for. */
export function wanted(read: ReadParameter): number {
	return read(returnAll) ? Number.POSITIVE_INFINITY : read(limit);
}

/** The items of a list; where it kept changing while it was read, the user is told. */
export function readSoundly<Item>(
	{ items, drift }: { items: Item[]; drift?: Drift },
	hint: (message: string) => void,
): Item[] {
	if (drift)
		hint(
			`The list kept changing while it was read ${drift.scans} times: what came or went meanwhile may be missing or too many.`,
		);
	return items;
}

/** A sentence above the inputs of an operation. */
export function notice(name: string, text: string) {
	return parameter({ displayName: text, name, type: 'notice', default: '' }, z.unknown());
}
