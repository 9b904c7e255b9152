import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { root } from '../setup/paths.mjs';

const proofSchema = z.object({
	runs: z.number(),
	tried: z.number(),
	differences: z.number(),
	seconds: z.number(),
	/** The slowest probes, with the total seconds of their runs. */
	slowest: z.record(z.string(), z.number()),
});

/**
 * Tries every operation and the trigger against random variants of the service, in n8n's engine
 * (under jest).
 * @param {Record<string, string | undefined>} options runs, seed and filters
 * @param {string} [project] root of the tested sources; this repository if omitted
 * @param {'inherit' | 'ignore'} [output] whether progress and differences are printed
 * @returns {Promise<z.infer<typeof proofSchema>>}
 */
export async function proveVariants(options, project = root, output = 'inherit') {
	const folder = await mkdtemp(join(tmpdir(), 'prove-'));
	const results = join(folder, 'variants.json');
	const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
	/** @type {Array<[string, string]>} */
	const given = Object.entries(options).flatMap(([name, value]) =>
		value === undefined ? [] : [[`PROVE_${name.toUpperCase()}`, value]],
	);
	const args = ['--runInBand', '--silent', '--rootDir', project, 'test/variants/prove.test.ts'];
	/** @type {Record<string, string | undefined>} */
	const env = { ...process.env, ...Object.fromEntries(given), PROVE_RESULTS: results };
	const child = spawn(process.execPath, [jest, ...args], {
		cwd: project,
		env,
		stdio: ['ignore', 'ignore', output],
	});
	await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
	const proof = proofSchema.parse(JSON.parse(await readFile(results, 'utf8')));
	await rm(folder, { recursive: true });
	return proof;
}
