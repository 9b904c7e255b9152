import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

/**
 * Simulates the trigger against thousands of services at random and compares what it emitted with what truly happened.
 * `npm run prove -- --runs 5000 [--seed N]`; the last line is JSON, and the exit code is 0 only where nothing was lost or doubled.
 */
const { values } = parseArgs({
	options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const runs = Number(values.runs);
const seed = Number(values.seed);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
	process.stderr.write('Usage: npm run prove -- --runs <number> --seed <number>\n');
	process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'build', 'prove');
const require = createRequire(import.meta.url);
const compilerOptions = ['--module', 'commonjs', '--moduleResolution', 'node10', '--target', 'es2022'];
process.stderr.write('Compiling the simulation …\n');
await promisify(execFile)(process.execPath, [
	require.resolve('typescript/bin/tsc'),
	...compilerOptions,
	...['--strict', '--noUncheckedIndexedAccess', '--esModuleInterop', '--skipLibCheck', '--types', 'node'],
	...['--rootDir', root, '--outDir', out, join(root, 'test', 'support', 'prove.ts')],
]);

/** @typedef {{ runs: number, events: number, lost: number, duplicated: number, counterexample?: string }} Proof */
/** @returns {unknown} */
const compiled = () => require(join(out, 'test', 'support', 'prove.js'));
const simulation =
	/** @type {{ prove: (seed: number, runs: number, progress: (done: number, events: number) => void) => Promise<Proof> }} */ (
		compiled()
	);
const begun = performance.now();
let shown = 0;
const { counterexample, ...result } = await simulation.prove(seed, runs, (done, events) => {
	if (performance.now() - shown < 1000 && done < runs) return;
	shown = performance.now();
	const left = Math.round((((shown - begun) / done) * (runs - done)) / 1000);
	const width = 30;
	const bar = '█'.repeat(Math.round((done / runs) * width)).padEnd(width, '░');
	const line = `${bar} ${done}/${runs} runs, ${events} events, ${left} s left`;
	process.stderr.write(process.stderr.isTTY ? `\r${line}   ` : `${line}\n`);
});
if (process.stderr.isTTY) process.stderr.write('\n');
if (counterexample) process.stderr.write(`The first run that went wrong: ${counterexample}\n`);
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exitCode = result.lost + result.duplicated === 0 ? 0 : 1;
