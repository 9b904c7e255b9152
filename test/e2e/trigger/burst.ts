import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { PageRequest } from '../../../client';
import { poll, type Memory } from '../../../nodes/shared/feed/poll';
import type { FeedEntry } from '../../../nodes/shared/feed/feed';
import { readState, type TriggerState } from '../../../nodes/shared/feed/state';

/**
 * A burst read by the built trigger, poll by poll as n8n would: how large the
 * executions, the state and the memory become. `node --expose-gc --import tsx
 * test/e2e/trigger/burst.ts [--changes 100000] [--seconds 600] [--age
 * 3600] [--every 60]`; the last line is JSON. `--seconds`: the time that the burst took; `--age`:
 * how long before the first poll it began; `--every`: seconds from poll to poll.
 */
const { values } = parseArgs({
	options: {
		changes: { type: 'string', default: '100000' },
		seconds: { type: 'string', default: '600' },
		age: { type: 'string', default: '3600' },
		every: { type: 'string', default: '60' },
	},
});
const changes = Number(values.changes);
const spread = Number(values.seconds) * 1000;

const LARGEST_PAGE = 1000;
let now = Date.now();
const begun = now - Number(values.age) * 1000;
/** Made anew for each page, so that what is held is held by the trigger. */
const entryAt = (number: number): FeedEntry & { time: number; raw: string } => {
	const key = createHash('sha256').update(String(number)).digest('base64url').slice(0, 12);
	const time = begun + Math.floor((number / changes) * spread);
	return { key, time, row: String(number), kind: 'created', isRow: false, raw: 'x'.repeat(1000) };
};
let requests = 0;
const feed = {
	read(since: number, { pageIndex: page }: PageRequest) {
		requests += 1;
		const from = Math.min(changes, Math.max(0, Math.ceil(((since - begun) / Math.max(1, spread)) * changes)));
		const total = spread === 0 && since > begun ? 0 : changes - from;
		const first = from + (page - 1) * LARGEST_PAGE;
		const length = Math.max(0, Math.min(LARGEST_PAGE, from + total - first));
		const items = Array.from({ length }, (_, index) => entryAt(first + index));
		const counts = { page, pageSize: LARGEST_PAGE, size: length, numberOfItems: total };
		const numberOfPages = Math.ceil(total / LARGEST_PAGE);
		return Promise.resolve({ items, ...counts, numberOfPages, date: now, took: 0, bytes: 1200 * length });
	},
};

const heap = () => {
	globalThis.gc?.();
	return Math.round(process.memoryUsage().heapUsed / 1e6);
};
async function main() {
	const heapBefore = heap();

	let state: TriggerState | undefined;
	let memory: Memory<ReturnType<typeof entryAt>> | undefined;
	let [emitted, executions, largest, largestState, highestHeap, requestsAfter] = [0, 0, 0, 0, heapBefore, 0];
	/** n8n stores the state after each poll with events. */
	let written = 0;
	let inOrder = true;
	let latest = 0;
	for (let quiet = 0; quiet < 2; ) {
		const result = await poll({
			state,
			memory,
			of: 'grid',
			feed,
			clock: { wall: () => now, isOver: () => false },
			lookback: 120_000,
			limit: 1000,
			startFrom: begun - 1000,
			accepts: () => true,
		});
		now += Number(values.every) * 1000;
		const text = JSON.stringify(result.state);
		/** What comes back from n8n's database. */
		const stored: unknown = JSON.parse(text);
		state = readState(stored)?.state;
		memory = result.memory;
		for (const { entry } of result.events) {
			if (entry.time < latest) inOrder = false;
			latest = entry.time;
		}
		emitted += result.events.length;
		if (result.events.length > 0) {
			executions += 1;
			written += text.length;
		}
		largest = Math.max(largest, result.events.length);
		largestState = Math.max(largestState, text.length);
		highestHeap = Math.max(highestHeap, heap());
		quiet = !result.memory.reading && result.events.length === 0 ? quiet + 1 : 0;
		if (quiet === 1) requestsAfter = requests;
	}
	const idle = requests - requestsAfter;
	process.stdout.write(
		`${JSON.stringify({ changes, emitted, inOrder, executions, largest, requests: requestsAfter, idleRequests: idle, largestState, writtenMB: Math.round(written / 1e5) / 10, heapMB: { before: heapBefore, highest: highestHeap } })}\n`,
	);
}

void main();
