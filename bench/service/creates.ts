import { startService } from './targets';

/**
 * Compares creates in a small and a large grid, alternating because the speed of a shared machine
 * varies. Both grids have indexes.
 */
const SIZES = [1000, 1_000_000];
const TURNS = 3;
const RATES_A_TURN = 4;
const CREATES = 3000;
const CONNECTIONS = 16;

async function main(): Promise<void> {
	const rates = new Map<number, number[]>(SIZES.map((size) => [size, []]));
	for (let turn = 1; turn <= TURNS; turn++) {
		for (const [size, own] of rates) {
			process.stderr.write(`turn ${turn} of ${TURNS}, ${size.toLocaleString('en')} …\n`);
			const target = await startService(size);
			const calls = Array.from({ length: CREATES }, (_, n) => target.create(n));
			await target.load.send(target.equal(1));
			await target.load.send(target.sorted());
			await target.settle();
			// Warm-up, so that JIT compilation is not measured.
			await target.load.rate(calls, CONNECTIONS);
			for (let n = 0; n < RATES_A_TURN; n++) own.push(await target.load.rate(calls, CONNECTIONS));
			target.load.close();
			await target.stop();
		}
	}
	for (const [size, own] of rates) {
		const sorted = own.map(Math.round).sort((a, b) => a - b);
		const median = sorted[sorted.length >> 1] ?? NaN;
		process.stdout.write(
			`${size.toLocaleString('en')}: median ${median.toLocaleString('en')} creates a second (${sorted.join(', ')})\n`,
		);
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
