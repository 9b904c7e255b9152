const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { join } = require('node:path');
const { dest, parallel, series, src } = require('gulp');

/**
 * Runs the project's compiler, so that build, editor and type check use the same settings. Its
 * output goes to the terminal, because gulp reports only the exit code.
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

/** Copies icons unchanged (no re-encoding). */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
icons.displayName = 'icons';

/** Copies the metadata of nodes for the nodes panel and their output schemas. */
const codex = () => src('nodes/**/{*.node,__schema__/**/*}.json', { base: 'nodes' }).pipe(dest('dist/nodes'));
codex.displayName = 'codex';

/** Joins the compiled modules, because n8n loads few files faster than hundreds. */
const bundle = async () => {
	const bundler = await import('./scripts/bundle.mjs');
	await bundler.bundle(__dirname, join(__dirname, 'build', 'compiled'));
};
bundle.displayName = 'bundle the modules';

/** Defers code that n8n does not need at start. */
const defer = async () => {
	const { deferNodes } = await import('./scripts/deferNodes.mjs');
	const { patternsIn } = await import('./scripts/patterns.mjs');
	await deferNodes(__dirname, await patternsIn(join(__dirname, 'examples')));
};
defer.displayName = 'defer the code of nodes';

/** Bundles the scripts and styles of the service's page. */
const page = async () => {
	const { bundlePage } = await import('./scripts/bundlePage.mjs');
	await bundlePage();
};
page.displayName = 'bundle the page';

/** Notes what a build has read and written, so that it is only repeated after a change. */
function noted(name, ...tasks) {
	let sources = '';
	const begin = async () => {
		const { sourcesOf } = await import('./scripts/setup/built.mjs');
		sources = await sourcesOf(name);
	};
	begin.displayName = `read the sources of ${name}`;
	const end = async () => {
		const { noteBuild } = await import('./scripts/setup/built.mjs');
		await noteBuild(name, sources);
	};
	end.displayName = `note ${name}`;
	return series(begin, ...tasks, end);
}

exports.build = noted(
	'build',
	parallel(clean('dist'), clean('build/compiled')),
	parallel(compile('tsconfig.build.json'), icons, codex),
	bundle,
	defer,
);
exports.service = noted('service', clean('dist-service'), parallel(compile('tsconfig.service.json'), page));
exports.default = parallel(exports.build, exports.service);
