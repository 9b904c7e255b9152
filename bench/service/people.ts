import { CONNECTIONS, startService } from './targets';

/**
 * Latencies under the load of many people: requests are sent at a fixed rate. Of ten, six read a
 * page of 50, three read a row and one writes. A person sends one request every two seconds.
 * Argument: rows of the grid (1,000,000).
 */
const [size = 1_000_000] = process.argv.slice(2).map(Number);
const RATES = [50, 100, 200, 400, 800];
const SECONDS = 10;
const REQUESTS_OF_A_PERSON = 0.5;

async function main(): Promise<void> {
	const target = await startService(size);
	const calls = (n: number) => {
		if (n % 10 === 0) return target.create(n);
		return n % 10 < 4 ? target.one(n) : target.page(1 + ((n * 7919) % Math.floor(size / 300)), 50);
	};
	process.stdout.write(
		`| requests a second | people | median, ms | p99, ms | longest, ms |\n|--:|--:|--:|--:|--:|\n`,
	);
	for (const rate of RATES) {
		const waits: number[] = [];
		const sent: Array<Promise<void>> = [];
		const begun = performance.now();
		for (let n = 0; n < rate * SECONDS; ) {
			// Sends all due requests, because a timer fires at most once per millisecond.
			for (; n < ((performance.now() - begun) / 1000) * rate && n < rate * SECONDS; n++) {
				const start = performance.now();
				sent.push(target.load.send(calls(n)).then(() => void waits.push(performance.now() - start)));
			}
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
		await Promise.all(sent);
		const sorted = waits.sort((a, b) => a - b);
		const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(0); // prettier-ignore
		process.stdout.write(
			`| ${[rate, rate / REQUESTS_OF_A_PERSON, at(0.5), at(0.99), at(1)].join(' | ')} |\n`,
		);
	}
	target.load.close();
	await target.stop();
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)} (${CONNECTIONS} connections)\n`);
	process.exitCode = 1;
});
