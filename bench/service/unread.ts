import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import { runCommand } from '../../scripts/setup/entry.mjs';
import { startTargetService, type TargetService } from '../target/service';
import type { Shape } from '../target/shapes';
import { Latencies } from './latencies';
import { senderTo } from './notes';

/**
 * Latencies of a GET of one entity, and the highest memory of the service, while others request
 * pages through a public link and read no response. Each situation has a service of its own.
 */
const PROBE_MS = 20;
/** Exceeds the time in which the service handles what was sent. */
const WATCHED_MS = 20_000;

/** Requests of each kind before the measurement. */
const WARM_UP = 50;

/** 300 rows of 13 kB: a page just below the size that is streamed. */
const letters: Shape = {
	name: 'letters',
	columns: { title: { name: 'string' }, text: { name: 'string' } },
	rowOf: (n) => ({ title: `Title ${n}`, text: 'x'.repeat(13_000) }),
};

function memoryOf(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** Processor time of the main thread of a process, which other load does not change. */
function processorMs(pid: number): number {
	try {
		return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
	} catch {
		return Number.NaN;
	}
}

/** Path of the rows of a new public link to the grid. */
async function sharedRows({ entities, url, authorization }: TargetService): Promise<string> {
	const headers = { authorization, 'content-type': 'application/json' };
	const links = url + entities.replace(/\/entities$/, '/links');
	const made = await fetch(links, { method: 'POST', headers, body: JSON.stringify({ kind: 'view' }) });
	return `${made.headers.get('location') ?? ''}/entities`;
}

/** Sends requests on connections of which nothing is read. */
function sendUnread(url: string, path: string, connections: number, requests: number): Socket[] {
	const { port, hostname } = new URL(url);
	const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
	return Array.from({ length: connections }, () => {
		const socket = connect(Number(port), hostname, () => socket.write(request.repeat(requests)));
		return socket.pause().on('error', () => undefined);
	});
}

async function measure(name: string, connections: number, requests: number, path?: string) {
	const target = await startTargetService(300, letters);
	try {
		const send = senderTo(target);
		const list = z.object({ items: z.array(z.object({ _id: z.string() })) }).parse(
			await (
				await fetch(`${target.url}${target.entities}?pageSize=1`, {
					headers: { authorization: target.authorization },
				})
			).json(),
		);
		const probe = `${target.entities}/${list.items[0]?._id ?? ''}`;
		const shared = path ?? (await sharedRows(target));
		// The service compiles its code first.
		for (let n = 0; n < WARM_UP; n++) {
			await send('GET', probe);
			await send('GET', shared);
		}
		const waits = new Latencies();
		const worked: number[] = [];
		let highest = 0;
		const before = memoryOf(target.pid);
		const sockets = sendUnread(target.url, shared, connections, requests);
		const probing = setInterval(() => {
			try {
				highest = Math.max(highest, memoryOf(target.pid));
			} catch {
				highest = Number.NaN;
			}
			const start = processorMs(target.pid);
			waits.send(() => send('GET', probe).finally(() => worked.push(processorMs(target.pid) - start)));
		}, PROBE_MS);
		await delay(WATCHED_MS);
		clearInterval(probing);
		const [median, p99, longest] = await waits.figures();
		const work = Math.round(Math.max(...worked));
		const memory = Number.isNaN(highest) ? 'ended' : highest;
		process.stdout.write(`| ${[name, median, p99, longest, work, before, memory].join(' | ')} |\n`);
		for (const socket of sockets) socket.destroy();
	} finally {
		await target.stop();
	}
}

void runCommand(async () => {
	process.stdout.write(
		'| unread | median, ms | p99, ms | longest, ms | of its processor time, ms | MB before | MB at most |\n',
	);
	await measure('nothing', 0, 0);
	await measure('500 pipelined requests of a page', 1, 500);
	await measure('300 connections with a page each', 300, 1);
	await measure('1,500 pipelined small requests', 1, 1500, '/api/version');
	await measure('300 connections with 500 pages each', 300, 500);
	return true;
});
