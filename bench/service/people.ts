import { setTimeout as delay } from 'node:timers/promises';
import type { TargetService } from '../target/service';
import { Latencies } from './latencies';
import { measureNotes, noteOf, senderTo } from './notes';

/**
 * Latencies under the load of many people: requests are sent at a fixed rate. Of ten, six read a
 * page of 50, three read a row and one writes. A person sends one request every two seconds.
 * Argument: rows of the grid (1,000,000).
 */
const [size = 1_000_000] = process.argv.slice(2).map(Number);
const RATES = [50, 100, 200, 400, 800];
const SECONDS = 10;
const REQUESTS_OF_A_PERSON = 0.5;

async function measure(target: TargetService): Promise<boolean> {
	const { client, grid, entities } = target;
	const send = senderTo(target);
	const rows = (await client.entities.page(grid, { pageSize: 300 })).items;
	let failed = 0;
	const request = async (n: number) => {
		const page = `?pageSize=50&pageIndex=${1 + ((n * 7919) % Math.floor(size / 300))}`;
		const row = `/${rows[n % rows.length]?._id ?? ''}`;
		const { ok } = await (n % 10 === 0
			? send('POST', `${entities}?layout=key`, { body: JSON.stringify(noteOf(n, size)) })
			: send('GET', entities + (n % 10 < 4 ? row : page)));
		if (!ok) failed++;
	};
	process.stdout.write(
		`| requests a second | people | median, ms | p99, ms | longest, ms |\n|--:|--:|--:|--:|--:|\n`,
	);
	for (const rate of RATES) {
		const latencies = new Latencies();
		const begun = performance.now();
		for (let n = 0; n < rate * SECONDS; ) {
			// Sends all due requests, because a timer fires at most once per millisecond.
			for (; n < ((performance.now() - begun) / 1000) * rate && n < rate * SECONDS; n++) {
				const number = n;
				latencies.send(() => request(number));
			}
			await delay(1);
		}
		const cells = [rate, rate / REQUESTS_OF_A_PERSON, ...(await latencies.figures())];
		process.stdout.write(`| ${cells.join(' | ')} |\n`);
	}
	if (failed > 0) process.stdout.write(`${failed} requests failed\n`);
	return failed === 0;
}

void measureNotes(size, measure);
