import { z } from 'zod/v4';

const entrySchema = z.looseObject({
	dev: z.boolean().optional(),
	optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * Conventional suffix of binary packages: system, processor, C library (`core-linux-arm64-musl`)
 */
const PLATFORM = /-(darwin|linux|win32|android|freebsd|openbsd|openharmony)-([a-z\d]+)(?:-([a-z]+))?$/;

/**
 * Missing entries of a lock for optional dependencies of its packages.
 * @param {Readonly<Record<string, unknown>>} packages of the lock, by folder
 * @returns {Record<string, object>} by folder
 * @throws {Error} for a name without a platform
 */
export function missingBinaries(packages) {
	/** @type {Record<string, object>} */
	const missing = {};
	for (const [folder, raw] of Object.entries(packages)) {
		const { dev, optionalDependencies } = entrySchema.parse(raw);
		for (const [name, version] of Object.entries(optionalDependencies)) {
			if (isLocked(packages, folder, name)) continue;
			const [, os, cpu, abi] = PLATFORM.exec(name) ?? [];
			if (os === undefined || cpu === undefined) throw new Error(`The name ${name} contains no platform`);
			missing[`node_modules/${name}`] = {
				version,
				cpu: [cpu],
				...(dev === true ? { dev } : {}),
				...(os === 'linux' && abi !== undefined ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
				optional: true,
				os: [os],
			};
		}
	}
	return missing;
}

/**
 * Whether Node would resolve a package from a folder: there, or in a folder above.
 * @param {Readonly<Record<string, unknown>>} packages
 * @param {string} folder
 * @param {string} name
 * @returns {boolean}
 */
function isLocked(packages, folder, name) {
	if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true;
	if (folder === '') return false;
	const above = folder.lastIndexOf('node_modules/');
	return isLocked(packages, folder.slice(0, Math.max(0, above - 1)), name);
}
