import { relative } from 'node:path';
import process, { cwd, versions } from 'node:process';
import { Fault } from './faults.mjs';
import { interruption, listenForInterruption } from './interruption.mjs';
import { say } from './terminal.mjs';

/**
 * Runs a command of this project: shuts down on signals and prints faults with hints.
 * @param {() => Promise<boolean>} main returns whether it succeeded
 */
export async function runCommand(main) {
	listenForInterruption();
	process.exitCode = await attempt(main);
}

/**
 * @param {() => Promise<boolean>} main
 * @returns {Promise<number>} the exit code
 */
async function attempt(main) {
	try {
		needNode();
		return (await main()) ? 0 : 1;
	} catch (error) {
		// After a signal, pending operations fail with errors of their own.
		if (interruption.aborted) {
			say('Stopped.');
			return 130;
		}
		if (!(error instanceof Fault)) throw error;
		say(`\n✖ ${error.message}`);
		say(`  What to do: ${error.hint}`);
		if (error.log !== undefined) say(`  Full output: ${relative(cwd(), error.log)}`);
		return 1;
	}
}

function needNode() {
	const [major = 0, minor = 0] = versions.node.split('.').map(Number);
	if (major > 20 || (major === 20 && minor >= 19)) return;
	throw new Fault(
		`This is Node ${versions.node}; the project needs 20.19 or newer.`,
		'Install a newer one (https://nodejs.org) and run the same command again.',
	);
}
