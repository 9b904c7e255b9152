// `npm run fuzz -- --runs 20000 [--seed N] [--only client|node|service]`: fuzzes client, nodes and
// service with hostile input, with more runs than `npm test`. The last line of the output is JSON;
// the exit code is 0 only without findings.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod/v4';
import { runProgram } from './setup/program.mjs';

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
const code = await runProgram('jest/bin/jest.js', ['--runInBand', '--silent', `test/fuzz/${values.only}`], {
	env: { ...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed), FUZZ_RESULTS: folder },
	stdio: ['ignore', 'inherit', 'inherit'],
});

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
