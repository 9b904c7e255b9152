import { runCommand } from '../../scripts/setup/entry.mjs';
import { startTargetService, type TargetService } from '../target/service';
import type { Shape } from '../target/shapes';

/** The row for a sequence number. */
export const noteOf = (n: number, size: number) => ({
	title: `Title ${n}`,
	status: ['new', 'open', 'done', 'closed'][n % 4] ?? '',
	number: (n * 7919) % size,
	amount: n / 100,
	done: n % 2 === 0,
	note: `Some text that is a little longer: number ${n}`,
});

/** A grid of notes, whose texts and numbers are not in the order of the rows. */
const notes = (size: number): Shape => ({
	name: 'notes',
	columns: {
		title: { name: 'string' },
		status: { name: 'string' },
		number: { name: 'integer' },
		amount: { name: 'decimal' },
		done: { name: 'boolean' },
		note: { name: 'string' },
	},
	rowOf: (n) => noteOf(n, size),
});

/** Sends requests to a service, without the proxy of the other benchmarks. */
export const senderTo =
	({ url, authorization }: TargetService) =>
	async (
		method: string,
		path: string,
		{ body, type = 'application/json', signal }: { body?: string; type?: string; signal?: AbortSignal } = {},
	): Promise<Response> => {
		const response = await fetch(url + path, {
			method,
			headers: {
				accept: 'application/vnd.service.hal;version=2',
				authorization,
				...(body === undefined ? {} : { 'content-type': type }),
			},
			body: body ?? null,
			signal: signal ?? null,
		});
		// An export is as large as the grid: its content is received, but not kept.
		await response.body?.pipeTo(new WritableStream());
		return response;
	};

/** Runs a command that measures a service with a grid of notes. */
export const measureNotes = (size: number, measure: (target: TargetService) => Promise<boolean>) =>
	runCommand(async () => {
		const target = await startTargetService(size, notes(size));
		try {
			return await measure(target);
		} finally {
			await target.stop();
		}
	});
