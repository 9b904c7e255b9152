// `npm run fuzz -- --runs 20000 [--seed N] [--only client|node|service]`: fuzzes client, nodes and
// service with hostile input, with more runs than `npm test`. The last line of the output is JSON;
// the exit code is 0 only without findings.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod/v4';
import { root } from './setup/paths.mjs';

const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '5000' },
		seed: { type: 'string', default: '1' },
		only: { type: 'string', default: '' },
	},
});
const runs = Number(values.runs);
const seed = Number(values.seed);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
	process.stderr.write('Usage: npm run fuzz -- [--runs <number>] [--seed <number>] [--only <part>]\n');
	process.exit(2);
}

const resultSchema = z.looseObject({
	runs: z.number(),
	inputs: z.number(),
	crashes: z.number(),
	hangs: z.number(),
	seconds: z.number(),
});

const folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const env = { ...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed), FUZZ_RESULTS: folder };
const child = spawn(process.execPath, [jest, '--runInBand', '--silent', `test/fuzz/${values.only}`], {
	cwd: root,
	env,
	stdio: ['ignore', 'inherit', 'inherit'],
});
/** @type {number | null} */
const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));

/** @type {Record<string, z.infer<typeof resultSchema>>} */
const parts = {};
for (const name of await readdir(folder))
	parts[name.replace('.json', '')] = resultSchema.parse(
		JSON.parse(await readFile(join(folder, name), 'utf8')),
	);
await rm(folder, { recursive: true });
const found = Object.values(parts).filter(({ crashes, hangs }) => crashes + hangs > 0).length;
process.stdout.write(`${JSON.stringify({ seed, ...parts })}\n`);
process.exitCode = code === 0 && found === 0 && Object.keys(parts).length > 0 ? 0 : 1;
