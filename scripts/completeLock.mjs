// Adds binaries of other platforms to package-lock.json. npm omits those that the current registry
// lacks, and `npm ci` then rejects the lock. The entries have no checksum; npm adds it if the
// registry has the package.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { missingBinaries } from './setup/lockfile.mjs';
import { root } from './setup/paths.mjs';

const file = join(root, 'package-lock.json');
const objectSchema = z.record(z.string(), z.unknown());
const lock = objectSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const present = objectSchema.parse(lock['packages']);
const missing = missingBinaries(present);
const packages = Object.entries({ ...present, ...missing });
// Sorted like npm does, so that its next write changes nothing else.
packages.sort(([one], [other]) => one.localeCompare(other, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
process.stdout.write(`${String(Object.keys(missing).length)} packages added to package-lock.json\n`);
