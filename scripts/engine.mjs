import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argv, env } from 'node:process';
import { runCommand } from './setup/entry.mjs';
import { installN8n, PINNED_N8N } from './setup/n8n.mjs';
import { root } from './setup/paths.mjs';
import { runProgram } from './setup/program.mjs';
import { installProject } from './setup/project.mjs';
import { countSkipped, summaryOf } from './setup/tally.mjs';
import { say } from './setup/terminal.mjs';

const report = join(root, 'build', 'engine.json');

/**
 * `npm run engine [-- test/n8n/pickers]`: runs the tests of the nodes in the engine of the newest
 * pinned n8n and writes the counts to `build/engine.json`.
 */
await runCommand(async () => {
	await mkdir(dirname(report), { recursive: true });
	await rm(report, { force: true });
	await installProject();
	const { node, script } = await installN8n(PINNED_N8N);
	say(`The tests of the nodes in the engine of n8n ${PINNED_N8N}`);
	const results = `${report}.jest`;
	// Keeps n8n-core's settings separate from those of the user.
	const folder = await mkdtemp(join(tmpdir(), 'n8n-engine-'));
	const config = join(root, 'testbed', 'engine', 'newest', 'jest.config.js');
	const args = ['--config', config, '--json', `--outputFile=${results}`, ...argv.slice(2)];
	const code = await runProgram('jest/bin/jest.js', args, {
		node,
		env: { ...env, N8N_MODULES: join(dirname(script), '..', '..'), N8N_USER_FOLDER: folder },
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	await rm(folder, { recursive: true, force: true });
	// Imported late, because its packages may just have been installed.
	const { jestTally } = await import('./setup/jestTally.mjs');
	const counts = await jestTally(results);
	await rm(results, { force: true });
	if (!counts) return false;
	const tally = countSkipped(counts);
	await writeFile(report, JSON.stringify(tally));
	say(summaryOf(tally));
	return code === 0 && tally.failed === 0;
});
