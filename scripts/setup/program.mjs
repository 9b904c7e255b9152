import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { root } from './paths.mjs';

/**
 * Runs a program of an installed package in a process of its own.
 * @param {string} program below `node_modules`
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { node?: string }} options `node`: the binary
 *   to run it with
 * @returns {Promise<number | null>} exit code; null after a signal
 */
export async function runProgram(program, args, { node = execPath, ...options }) {
	const file = join(root, 'node_modules', program);
	const child = spawn(node, [file, ...args], { cwd: root, ...options });
	return await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}
