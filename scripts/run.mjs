import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process, { argv, execPath } from 'node:process';
import { runCommand } from './setup/entry.mjs';
import { installN8n, PINNED_N8N } from './setup/n8n.mjs';
import { root } from './setup/paths.mjs';
import { buildProject, installProject } from './setup/project.mjs';

/**
 * `node scripts/run.mjs [--n8n] FILE [ARGUMENTS]`: runs a TypeScript file of this project with
 * `tsx`, after installing missing packages. If the file starts n8n, that is installed side by side,
 * and the project is built, as each waits for something else: the network, or a processor.
 */
await runCommand(async () => {
	const isStart = argv[2] === '--n8n';
	const [file = '', ...args] = argv.slice(isStart ? 3 : 2);
	const needsN8n = isStart && !args.includes('--help');
	const packages = installProject();
	await (needsN8n ? Promise.all([packages.then(buildProject), installN8n(PINNED_N8N)]) : packages);
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
