// `node scripts/container/keepPackages.mjs build service`: removes all other packages from
// package.json, so that the next `npm install` or `npm prune` is small. For the Dockerfile: it
// changes the file.
import { readFileSync, writeFileSync } from 'node:fs';
import process, { argv } from 'node:process';
import { PACKAGES } from './packages.mjs';

/** @param {unknown} value @returns {Record<string, unknown>} */
const membersOf = (value) => (typeof value === 'object' ? { ...value } : {});

// Without a schema, because it runs before any package is installed.
const manifest = membersOf(JSON.parse(readFileSync('package.json', 'utf8')));
/** @type {Set<string>} */
const kept = new Set(Object.entries(PACKAGES).flatMap(([name, list]) => (argv.includes(name) ? list : [])));
if (kept.size === 0) {
	process.stderr.write(`Name one of ${Object.keys(PACKAGES).join(', ')}.\n`);
	process.exit(1);
}
const versions = Object.entries(membersOf(manifest['devDependencies'])).filter(([name]) => kept.has(name));
const rest = { ...manifest, peerDependencies: {}, devDependencies: Object.fromEntries(versions) };
writeFileSync('package.json', JSON.stringify(rest));
