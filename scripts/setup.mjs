import { argv } from 'node:process';
import { runCommand } from './setup/entry.mjs';
import { Fault } from './setup/faults.mjs';
import { installN8n, N8N_VERSIONS } from './setup/n8n.mjs';
import { installProject } from './setup/project.mjs';

// Installs missing packages. Needs only Node.
//
//   node scripts/setup.mjs                  the project's packages
//   node scripts/setup.mjs n8n              also each n8n that the end-to-end tests run in
//   node scripts/setup.mjs test [--all]     also runs the checks: this is `npm test`
const [what = 'project'] = argv.slice(2);

await runCommand(async () => {
	if (!['project', 'n8n', 'test'].includes(what)) {
		throw new Fault(`There is no "${what}" to set up.`, 'Use `test`, `n8n` or no argument.');
	}
	await installProject();
	if (what === 'n8n') for (const version of N8N_VERSIONS) await installN8n(version);
	if (what !== 'test') return true;
	const { runChecks } = await import('./setup/checks.mjs');
	const { runsAll } = await import('./setup/tiers.mjs');
	return await runChecks(runsAll(argv));
});
