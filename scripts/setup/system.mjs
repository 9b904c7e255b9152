import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process, { env } from 'node:process';
import { run } from './command.mjs';
import { Fault } from './faults.mjs';
import { withProgress } from './terminal.mjs';

/**
 * System tools that some tests need.
 * @typedef {'chromium' | 'docker' | 'redis' | 'postgresql'} SystemTool
 */

const CHROMIUM = [
	env['CHROMIUM'],
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
/** Makes apt-get wait up to 300 seconds for its lock, e.g. while a new machine updates itself. */
const LOCK_TIMEOUT = ['-o', 'DPkg::Lock::Timeout=300'];

/** @typedef {{ packages: readonly string[], find: () => string | undefined }} SystemPackages */

/** @type {Readonly<Record<SystemTool, SystemPackages>>} */
const TOOLS = {
	chromium: {
		packages: ['chromium', 'fonts-liberation'],
		find: () => CHROMIUM.find((path) => path !== undefined && existsSync(path)),
	},
	// debootstrap: where no registry of images can be reached.
	docker: { packages: ['docker.io', 'docker-compose', 'debootstrap'], find: () => onPath('dockerd') },
	redis: { packages: ['redis-server'], find: () => onPath('redis-server') },
	postgresql: { packages: ['postgresql'], find: findPostgres },
};

/** @param {string} name @returns {string | undefined} its file */
function onPath(name) {
	const folders = (env['PATH'] ?? '').split(delimiter);
	return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** The newest PostgreSQL server in Debian's folder, or the one on the PATH. */
function findPostgres() {
	const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
	const newest = versions.map(Number).sort((a, b) => b - a);
	const server = newest
		.map((version) => join(DEBIAN_POSTGRES, String(version), 'bin', 'postgres'))
		.find((file) => existsSync(file));
	return server ?? onPath('postgres');
}

/**
 * @param {SystemTool} tool
 * @returns {string} its binary
 * @throws {Fault} if it is not installed
 */
export function toolOf(tool) {
	const { find, packages } = TOOLS[tool];
	const found = find();
	if (found !== undefined) return found;
	throw new Fault(
		`There is no ${tool} on this machine.`,
		`Install it (Debian and Ubuntu: \`sudo apt-get install -y ${packages.join(' ')}\`) and run the same command again.`,
	);
}

/**
 * Installs missing tools with apt-get, as root or with a sudo that needs no password.
 * @param {readonly SystemTool[]} tools
 * @throws {Fault} if it cannot be installed, with a hint
 */
export async function ensureTools(tools) {
	const missing = tools.filter((tool) => TOOLS[tool].find() === undefined);
	if (missing.length === 0) return;
	const apt = onPath('apt-get');
	const sudo = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
	if (apt !== undefined && (sudo.length === 0 || onPath('sudo') !== undefined)) {
		const packages = missing.flatMap((tool) => TOOLS[tool].packages);
		const label = `Installing ${missing.join(', ')} with apt-get`;
		const [file = apt, ...before] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', apt, ...LOCK_TIMEOUT];
		await withProgress({ label, usually: '1 to 2 minutes' }, async () => {
			await run({ label: 'Updating the list of packages', file, args: [...before, 'update'], cwd: '/' });
			const install = [...before, 'install', '--yes', '--no-install-recommends', ...packages];
			await run({ label, file, args: install, cwd: '/' });
		});
	}
	for (const tool of missing) toolOf(tool);
}
