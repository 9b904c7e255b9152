import axios from 'axios';
import { Agent } from 'node:http';
import { each } from '../n8n/floor/each';

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
		const params = { layout: 'field' };
		// A row that is refused counts as lost.
		await each(rows.length, ceiling, (index) =>
			http.post(url, rows[index], { params }).then(
				() => undefined,
				() => undefined,
			),
		);
	} else {
		const pages = await read(1);
		await each(pages - 1, ceiling, async (index) => void (await read(index + 2)));
	}
	const took = performance.now() - began;
	httpAgent.destroy();
	return { took, items: items.length };
}

process.on('message', (order: LoopOrder) => {
	const before = process.cpuUsage();
	void run(order).then((result) => {
		const { user, system } = process.cpuUsage(before);
		process.send?.({ ...result, client: (user + system) / 1000 });
	});
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
