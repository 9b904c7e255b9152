import { isBuilt } from './built.mjs';
import { npm } from './command.mjs';
import { withSetupLock } from './lock.mjs';
import { countPackages, INSTALL_AS_LOCKED, isInstalled, needDisk } from './packages.mjs';
import { root } from './paths.mjs';
import { withProgress } from './terminal.mjs';

/** Installs the project's packages if they are missing, incomplete or older than the lock. */
export async function installProject() {
	if (await isInstalled(root)) return;
	await needDisk(root, 1.5, "Installing the project's packages");
	const label = "Installing the project's packages";
	const progress = { label, usually: '1 to 2 minutes the first time', measure: countPackages(root) };
	await withSetupLock(() => withProgress(progress, () => npm({ label, args: INSTALL_AS_LOCKED, cwd: root })));
}

/** Builds package (`dist/`) and embedded service (`dist-service/`) if a source has changed. */
export async function buildProject() {
	/** @type {string[]} */
	const scripts = [];
	if (!(await isBuilt('build'))) scripts.push('build');
	if (!(await isBuilt('service'))) scripts.push('build:service');
	if (scripts.length === 0) return;
	const label = 'Building the package and the service';
	const build = async () => {
		for (const script of scripts)
			await npm({ label: `${label}: ${script}`, args: ['run', script], cwd: root });
	};
	await withSetupLock(() => withProgress({ label, usually: '15 seconds' }, build));
}
