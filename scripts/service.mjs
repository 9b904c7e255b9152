/**
 * `npm run service -- [arguments]`: starts the embedded Data-Grid Service, compiling it first when
 * that is missing or older than its source. Standard output belongs to the service (its first line
 * is JSON), so everything said here goes to standard error.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = `${root}dist-service/main.js`;

/**
 * The time of the newest change below a folder; 0 when there is no such file.
 * @param {string} path
 * @returns {number}
 */
function newest(path) {
	const entry = statSync(path, { throwIfNoEntry: false });
	if (!entry) return 0;
	if (!entry.isDirectory()) return entry.mtimeMs;
	return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(`${path}/${name}`)));
}

const source = Math.max(newest(`${root}service`), newest(`${root}tsconfig.service.json`));
if (newest(main) < source) {
	process.stderr.write('Compiling the service …\n');
	const gulp = `${root}node_modules/gulp/bin/gulp.js`;
	execFileSync(process.execPath, [gulp, 'service'], { cwd: root, stdio: ['ignore', 2, 2] });
}

// Within this process: a second one would take a tenth of a
// second more to start, and signals would have to be handed on.
await import(pathToFileURL(main).href);
