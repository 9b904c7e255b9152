import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { root } from '../setup/paths.mjs';
import { runProgram } from '../setup/program.mjs';

const proofSchema = z.object({
	runs: z.number(),
	tried: z.number(),
	differences: z.number(),
	seconds: z.number(),
	/** The slowest probes, with the total seconds of their runs. */
	slowest: z.record(z.string(), z.number()),
});

/** @typedef {z.infer<typeof proofSchema>} Proof */

/** Probes whose time is told. */
const MAX_TIMED = 8;

/**
 * Tries every operation and the trigger against random variants of the service, in n8n's engine
 * (under jest): a part of the variants on each processor.
 * @param {Record<string, string | undefined>} options runs, seed and filters
 * @param {string} [project] root of the tested sources; this repository if omitted
 * @param {'inherit' | 'ignore'} [output] whether progress and differences are printed
 * @returns {Promise<Proof>}
 */
export async function proveVariants(options, project = root, output = 'inherit') {
	const parts =
		options['first'] === undefined ? Math.min(availableParallelism(), Number(options['runs'])) : 1;
	const proofs = await Promise.all(
		Array.from({ length: parts }, (_, index) =>
			provePart({ ...options, part: `${index}/${parts}` }, project, output),
		),
	);
	return proofs.reduce(joined);
}

/** @param {Proof} one @param {Proof} other @returns {Proof} */
function joined(one, other) {
	/** @param {string} name */
	const sum = (name) => Math.round(((one.slowest[name] ?? 0) + (other.slowest[name] ?? 0)) * 10) / 10;
	const slowest = Object.keys({ ...one.slowest, ...other.slowest })
		.map((name) => /** @type {const} */ ([name, sum(name)]))
		.sort(([, a], [, b]) => b - a)
		.slice(0, MAX_TIMED);
	return {
		runs: one.runs + other.runs,
		tried: one.tried + other.tried,
		differences: one.differences + other.differences,
		seconds: Math.max(one.seconds, other.seconds),
		slowest: Object.fromEntries(slowest),
	};
}

/**
 * @param {Record<string, string | undefined>} options
 * @param {string} project
 * @param {'inherit' | 'ignore'} output
 * @returns {Promise<Proof>}
 */
async function provePart(options, project, output) {
	const folder = await mkdtemp(join(tmpdir(), 'prove-'));
	const results = join(folder, 'variants.json');
	/** @type {Array<[string, string]>} */
	const given = Object.entries(options).flatMap(([name, value]) =>
		value === undefined ? [] : [[`PROVE_${name.toUpperCase()}`, value]],
	);
	const args = ['--runInBand', '--silent', '--rootDir', project, 'test/variants/prove.test.ts'];
	/** @type {Record<string, string | undefined>} */
	const env = { ...process.env, ...Object.fromEntries(given), PROVE_RESULTS: results };
	await runProgram('jest/bin/jest.js', args, { cwd: project, env, stdio: ['ignore', 'ignore', output] });
	const proof = proofSchema.parse(JSON.parse(await readFile(results, 'utf8')));
	await rm(folder, { recursive: true });
	return proof;
}
