// Adds to package-lock.json the binaries for other platforms that its packages name and the
// registry in use does not have: npm leaves them out when it writes the lock, and `npm ci` then
// refuses it. They get no checksum here; npm adds it where the registry has them.
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
// npm's own order, so that its next write changes nothing else.
packages.sort(([one], [other]) => one.localeCompare(other, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
process.stdout.write(`${String(Object.keys(missing).length)} packages added to package-lock.json\n`);
