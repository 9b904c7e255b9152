import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './command.mjs';
import { countPackages, isInstalled, needDisk } from './packages.mjs';
import { root } from './paths.mjs';
import { withProgress } from './terminal.mjs';

/** Installs the project's own packages where they are missing, cut short or older than the lock. */
export async function installProject() {
	if (await isInstalled(root)) return;
	await needDisk(root, 1.5, "Installing the project's packages");
	// `npm ci` empties node_modules first: right for a first or cut install, needless after a pull.
	const verb = existsSync(join(root, 'node_modules', '.package-lock.json')) ? 'install' : 'ci';
	const label = "Installing the project's packages";
	await withProgress({ label, usually: '1 to 2 minutes the first time', measure: countPackages(root) }, () =>
		npm({ label, args: [verb, '--no-audit', '--no-fund', '--prefer-offline'], cwd: root }),
	);
}

/** Builds the package (`dist/`) and the embedded service (`dist-service/`). */
export async function buildProject() {
	const label = 'Building the package and the service';
	await withProgress({ label, usually: '15 seconds' }, async () => {
		await npm({ label: 'Building the package', args: ['run', 'build'], cwd: root });
		await npm({ label: 'Building the service', args: ['run', 'build:service'], cwd: root });
	});
}
