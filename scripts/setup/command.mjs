import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { env as ownEnv, execPath, platform } from 'node:process';
import { explain, Fault, Interrupted } from './faults.mjs';
import { interruption } from './interruption.mjs';
import { logFolder } from './paths.mjs';

/** Maximum length of the end of an output that is kept. */
const MAX_KEPT_LENGTH = 64 * 1024;

/**
 * @typedef {object} Command
 * @property {string} label what the command does; also the name of the log file
 * @property {string} file
 * @property {readonly string[]} args
 * @property {string} cwd
 * @property {Readonly<Record<string, string>>} [env] additional environment variables
 * @property {boolean} [echo] also print its output
 */

/**
 * Runs a command and logs its output in `build/logs`.
 * @param {Command} command
 * @returns {Promise<string>} the end of its standard output
 * @throws {Fault} if it fails, with a hint
 */
export async function run({ label, file, args, cwd, env = {}, echo = false }) {
	await mkdir(logFolder, { recursive: true });
	const log = join(logFolder, `${label.toLowerCase().replace(/[^a-z0-9.]+/g, '-')}.log`);
	const sink = createWriteStream(log);
	let out = '';
	let all = '';
	const child = spawn(file, args, {
		cwd,
		env: { ...ownEnv, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: platform === 'win32' && file.endsWith('.cmd'),
	});
	for (const name of /** @type {const} */ (['stdout', 'stderr']))
		child[name].setEncoding('utf8').on('data', (/** @type {string} */ text) => {
			sink.write(text);
			if (echo) process[name].write(text);
			if (name === 'stdout') out = (out + text).slice(-MAX_KEPT_LENGTH);
			all = (all + text).slice(-MAX_KEPT_LENGTH);
		});
	const end = () => child.kill('SIGTERM');
	interruption.addEventListener('abort', end, { once: true });
	try {
		await once(child, 'close');
		if (interruption.aborted) throw new Interrupted();
		const { exitCode, signalCode } = child;
		if (signalCode !== null) all += `\nended by ${signalCode}`;
		if (exitCode !== 0) throw explain(label, all, log);
		return out;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
			throw new Fault(`${label}: the command ${file} was not found.`, `Install ${file} and run again.`, {
				cause: error,
			});
		}
		throw error;
	} finally {
		interruption.removeEventListener('abort', end);
		sink.end();
	}
}

/**
 * Runs npm with a given Node: the npm that started this script, if any.
 * @param {Omit<Command, 'file'> & { node?: string }} command `node`: the binary to run it with
 *   (default: this one); it is also first on the PATH of npm's child processes
 * @returns {Promise<string>} as {@link run}
 */
export async function npm({ node = execPath, args, env = {}, ...rest }) {
	const cli = ownEnv['npm_execpath'] ?? '';
	const own = { PATH: `${dirname(node)}${delimiter}${ownEnv['PATH'] ?? ''}`, ...env };
	if (/npm-cli\.[cm]?js$/.test(cli))
		return await run({ ...rest, file: node, args: [cli, ...args], env: own });
	return await run({ ...rest, file: platform === 'win32' ? 'npm.cmd' : 'npm', args, env: own });
}
