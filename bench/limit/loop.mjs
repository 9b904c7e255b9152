import axios from 'axios';
import { Agent } from 'node:http';

/**
 * The limit: a loop of axios on kept connections that knows the paths and does nothing but send, in a process of its own.
 *
 * @typedef {object} LoopOrder
 * @property {'create' | 'read'} work
 * @property {string} url of the entities
 * @property {string} authorization
 * @property {number} ceiling requests at a time
 * @property {Record<string, unknown>[]} [rows] to create
 * @property {number} [pageSize]
 */

/** @param {LoopOrder} order */
async function run({ work, url, authorization, ceiling, rows = [], pageSize = 300 }) {
	const httpAgent = new Agent({ keepAlive: true, maxSockets: ceiling });
	const http = axios.create({ httpAgent, headers: { authorization }, proxy: false });
	/** @type {unknown[]} */
	const items = [];
	let failed = 0;
	/** @param {number} count @param {(index: number) => Promise<void>} one */
	const each = async (count, one) => {
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
	/** @param {number} pageIndex @returns {Promise<number>} how many pages there are */
	const read = async (pageIndex) => {
		const { data } = /** @type {{ data: { items: unknown[], numberOfPages: number } }} */ (
			await http.get(url, { params: { pageIndex, pageSize } })
		);
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

process.on('message', (/** @type {LoopOrder} */ order) => {
	const { user, system } = process.cpuUsage();
	void run(order).then((result) => {
		const after = process.cpuUsage({ user, system });
		process.send?.({ ...result, cpu: (after.user + after.system) / 1000 });
	});
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
