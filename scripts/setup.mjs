import { join } from 'node:path';
import { argv } from 'node:process';
import { runCommand } from './setup/entry.mjs';
import { Fault } from './setup/faults.mjs';
import { withLock } from './setup/lock.mjs';
import { installN8n, PINNED_N8N } from './setup/n8n.mjs';
import { root } from './setup/paths.mjs';
import { installProject } from './setup/project.mjs';

// Installs missing packages. Needs only Node.
//
//   node scripts/setup.mjs                  the project's packages
//   node scripts/setup.mjs n8n [version]    also a pinned n8n (default: the newest)
//   node scripts/setup.mjs test [--all]     also runs the checks: this is `npm test`
const [what = 'project', version = PINNED_N8N] = argv.slice(2);

await runCommand(async () => {
	if (!['project', 'n8n', 'test'].includes(what)) {
		throw new Fault(`There is no "${what}" to set up.`, 'Use `test`, `n8n` or no argument.');
	}
	await withLock(join(root, 'build', 'setup.lock'), 'setting up this project', async () => {
		await installProject();
		if (what === 'n8n') await installN8n(version);
	});
	if (what !== 'test') return true;
	const { runChecks } = await import('./setup/checks.mjs');
	const { runsAll } = await import('./setup/tiers.mjs');
	return await runChecks(runsAll(argv));
});
