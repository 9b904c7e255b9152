const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src } = require('gulp');

/**
 * Runs the compiler of this project, so that build, editor and type check
 * read the same strict settings. Its output goes straight to the terminal:
 * gulp itself tells of a failed process no more than its exit code.
 */
function compile(project) {
	const run = () =>
		spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', project], { stdio: 'inherit' });
	run.displayName = `compile ${project}`;
	return run;
}

function clean(folder) {
	const run = () => rm(folder, { recursive: true, force: true });
	run.displayName = `clean ${folder}`;
	return run;
}

/**
 * Icons are read by n8n beside the compiled credentials and
 * nodes; a png or svg must not be re-encoded.
 */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
icons.displayName = 'icons';

/**
 * What n8n reads beside a built node: its place in the nodes panel, and the members of its output.
 */
const codex = () => src('nodes/**/{*.node,__schema__/**/*}.json', { base: 'nodes' }).pipe(dest('dist/nodes'));
codex.displayName = 'codex';

/** n8n loads every node when it starts; what is only needed to run one waits until then. */
const defer = async () => {
	const { deferNodes } = await import('./scripts/deferNodes.mjs');
	await deferNodes(__dirname);
};
defer.displayName = 'defer the code of nodes';

exports.build = series(clean('dist'), parallel(compile('tsconfig.build.json'), icons, codex), defer);
exports.service = series(clean('dist-service'), compile('tsconfig.service.json'));
exports.default = parallel(exports.build, exports.service);
