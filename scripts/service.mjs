/**
 * `npm run service -- [arguments]`: starts the embedded Data-Grid Service after compiling it if
 * needed. Standard output belongs to the service, so messages of this script go to standard error.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = `${root}dist-service/main.js`;

/**
 * Time of the newest change below a folder; 0 if there is no file.
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

// In this process: a second one would cost 0.1 s and require forwarding of signals.
await import(pathToFileURL(main).href);
