import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process, { argv, execPath } from 'node:process';
import { runCommand } from './setup/entry.mjs';
import { root } from './setup/paths.mjs';
import { installProject } from './setup/project.mjs';

/**
 * `node scripts/run.mjs FILE [ARGUMENTS]`: runs a TypeScript file of this project with `tsx`, after
 * installing missing packages.
 */
await runCommand(async () => {
	const [file = '', ...args] = argv.slice(2);
	await installProject();
	const child = spawn(execPath, ['--import', import.meta.resolve('tsx'), join(root, file), ...args], {
		stdio: 'inherit',
	});
	// A signal from the terminal also reaches the child; a signal sent to this process only is
	// forwarded.
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	/** @type {number | null} */
	const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
	return code === 0;
});
