/**
 * `npm run service -- [arguments]`: starts the embedded Data-Grid Service after compiling it if
 * needed. Standard output belongs to the service, so messages of this script go to standard error.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = `${root}dist-service/main.js`;

/** Time of the last change; 0 if there is no such file. @param {string} path */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = readdirSync(`${root}service`, { recursive: true, encoding: 'utf8' });
const paths = ['tsconfig.service.json', ...sources.map((path) => `service/${path}`)];
if (changedAt(main) < Math.max(...paths.map((path) => changedAt(root + path)))) {
	process.stderr.write('Compiling the service …\n');
	const gulp = `${root}node_modules/gulp/bin/gulp.js`;
	execFileSync(process.execPath, [gulp, 'service'], { cwd: root, stdio: ['ignore', 2, 2] });
}

// In this process: a second one would cost 0.1 s and require forwarding of signals.
await import(pathToFileURL(main).href);
