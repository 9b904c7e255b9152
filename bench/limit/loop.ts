import axios from 'axios';
import { Agent } from 'node:http';

/**
 * Work of the loop, which measures the limit of this machine: axios with keep-alive connections
 * only sends and parses.
 */
export interface LoopOrder {
	work: 'create' | 'read';
	/** URL of the entities */
	url: string;
	authorization: string;
	/** Concurrency */
	ceiling: number;
	/** Rows to create */
	rows?: Record<string, unknown>[];
	pageSize?: number;
}

async function run({ work, url, authorization, ceiling, rows = [], pageSize = 300 }: LoopOrder) {
	const httpAgent = new Agent({ keepAlive: true, maxSockets: ceiling });
	const http = axios.create({ httpAgent, headers: { authorization }, proxy: false });

	const items: unknown[] = [];
	let failed = 0;

	const each = async (count: number, one: (index: number) => Promise<void>) => {
		let next = 0;
		const worker = async () => {
			for (let index = next++; index < count; index = next++) {
				await one(index).catch(() => {
					failed++;
				});
			}
		};
		await Promise.all(Array.from({ length: ceiling }, worker));
	};
	/** @returns number of pages */
	const read = async (pageIndex: number): Promise<number> => {
		const { data } = await http.get<{ items: unknown[]; numberOfPages: number }>(url, {
			params: { pageIndex, pageSize },
		});
		items.push(...data.items);
		return data.numberOfPages;
	};
	const began = performance.now();
	if (work === 'create') {
		await each(rows.length, async (index) => {
			await http.post(url, rows[index], { params: { layout: 'field' } });
		});
	} else {
		const pages = await read(1);
		await each(pages - 1, async (index) => {
			await read(index + 2);
		});
	}
	const took = performance.now() - began;
	httpAgent.destroy();
	return { took, failed, items: items.length };
}

process.on('message', (order: LoopOrder) => {
	const { user, system } = process.cpuUsage();
	void run(order).then((result) => {
		const after = process.cpuUsage({ user, system });
		process.send?.({ ...result, cpu: (after.user + after.system) / 1000 });
	});
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
