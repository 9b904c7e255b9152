import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { Load, Probes } from './client';
import { end, folder, root, spawnService } from './targets';

/**
 * Compares an export in slices with one by a worker thread (see threadServer.ts): durations, and
 * latencies of a GET of one entity. Arguments: rows of the grid (1,000,000; filled by bench.js
 * --fill), rounds (3).
 */
const [size = 1_000_000, rounds = 3] = process.argv.slice(2, 4).map(Number);
const PROBE_MS = 20;

const list = z.object({
	items: z.array(z.looseObject({ id: z.string().optional(), _id: z.string().optional() })),
});

async function main(): Promise<void> {
	// The compiler copies no files but code.
	await cp(join(root, 'service', 'page'), join(root, 'build', 'bench', 'service', 'page'), {
		recursive: true,
	});
	const data = join(folder, `rows-${size}.db`);
	const { child, url, authorization, spaces } = await spawnService(data, join(__dirname, 'threadServer.js'));
	const load = new Load(url, { authorization }, 1000);
	const firstOf = async (path: string) =>
		list.parse(JSON.parse(await load.send({ method: 'GET', path }))).items[0];
	const space = `${spaces}/${(await firstOf(spaces))?.id ?? ''}`;
	const grid = `${space}/grids/${(await firstOf(`${space}/grids`))?.id ?? ''}`;
	const entity = `${grid}/entities/${(await firstOf(`${grid}/entities?pageSize=1`))?._id ?? ''}`;
	process.stdout.write(
		`| export | seconds | MB | median, ms | p99, ms | longest, ms |\n|---|--:|--:|--:|--:|--:|\n`,
	);
	for (let round = 0; round < rounds; round++) {
		for (const way of ['csv', 'csvByThread']) {
			const probes = new Probes(() => load.send({ method: 'GET', path: entity }));
			const probing = setInterval(() => {
				probes.send();
			}, PROBE_MS);
			const start = performance.now();
			const { length } = await load.send({ method: 'GET', path: `${grid}/${way}` });
			const seconds = ((performance.now() - start) / 1000).toFixed(1);
			clearInterval(probing);
			const cells = [way, seconds, Math.round(length / 1e6), ...(await probes.figures())];
			process.stdout.write(`| ${cells.join(' | ')} |\n`);
		}
	}
	load.close();
	await end(child);
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
