import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../setup/paths.mjs';

/**
 * @typedef {object} Proof
 * @property {number} runs
 * @property {number} events
 * @property {number} lost
 * @property {number} duplicated
 * @property {number} mismarked
 * @property {number} disordered
 * @property {string} [counterexample]
 */

/**
 * Simulates the trigger against random services and compares the emitted events with the actual
 * changes.
 * @param {number} runs
 * @param {number} seed
 * @param {(done: number, words: string) => void} progress
 * @returns {Promise<Proof>}
 */
export async function proveTrigger(runs, seed, progress) {
	const out = join(root, 'build', 'prove');
	const require = createRequire(import.meta.url);
	const compilerOptions = [
		'--module',
		'commonjs',
		'--moduleResolution',
		'node10',
		'--target',
		'es2022',
		'--lib',
		'es2023',
	];
	await promisify(execFile)(process.execPath, [
		require.resolve('typescript/bin/tsc'),
		...compilerOptions,
		...['--strict', '--noUncheckedIndexedAccess', '--esModuleInterop', '--skipLibCheck', '--types', 'node'],
		...['--rootDir', root, '--outDir', out, join(root, 'test', 'simulation', 'trigger', 'prove.ts')],
	]);
	/** @returns {unknown} */
	const compiled = () => require(join(out, 'test', 'simulation', 'trigger', 'prove.js'));
	const simulation =
		/** @type {{ prove: (seed: number, runs: number, progress: (done: number, events: number) => void) => Promise<Proof> }} */ (
			compiled()
		);
	return await simulation.prove(seed, runs, (done, events) => {
		progress(done, `${events} events`);
	});
}
