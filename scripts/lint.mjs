// Lints the published folders with n8n's unmodified config, and everything with ours; checks the
// types as well. `--fix` also mends.
import { dirname, join } from 'node:path';
import { argv, exit, stdout } from 'node:process';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { root } from './setup/paths.mjs';
import { runProgram } from './setup/program.mjs';

const fix = argv.slice(2).includes('--fix');

/** @returns {Promise<boolean>} whether the published folders pass n8n's rules */
async function lintPublished() {
	const args = ['-c', 'eslint.config.mjs', 'client', 'credentials', 'nodes', 'package.json'];
	const given = fix ? [...args, '--fix'] : args;
	return (await runProgram('eslint/bin/eslint.js', given, { stdio: 'inherit' })) === 0;
}

/** @type {ts.FormatDiagnosticsHost} */
const texts = {
	getCanonicalFileName: (name) => name,
	getCurrentDirectory: () => root,
	getNewLine: () => '\n',
};

/**
 * @param {string} file its config
 * @returns {ts.Program} as the linter needs it: with the parent of each node
 */
function programOf(file) {
	const config = ts.readJsonConfigFile(join(root, file), (path) => ts.sys.readFile(path));
	const parsed = ts.parseJsonSourceFileConfigFileContent(
		config,
		ts.sys,
		join(root, dirname(file)),
		undefined,
		join(root, file),
	);
	const { fileNames: rootNames, options, errors: configFileParsingDiagnostics } = parsed;
	const host = ts.createCompilerHost(options, true);
	return ts.createProgram({ rootNames, options, host, configFileParsingDiagnostics });
}

/**
 * Checks the types, and lints with them: both in one process, because the types take most of the
 * time of both.
 * @returns {Promise<boolean>} whether all files pass our rules and the compiler
 */
async function checkAll() {
	const sources = programOf('tsconfig.json');
	const page = programOf('service/page/tsconfig.json');
	const scripts = programOf('tsconfig.tools.json');
	const wrong = [sources, page, scripts].flatMap((program) => ts.getPreEmitDiagnostics(program));
	stdout.write(ts.formatDiagnosticsWithColorAndContext(wrong, texts));
	const eslint = new ESLint({
		cwd: root,
		fix,
		overrideConfigFile: 'eslint.tools.mjs',
		overrideConfig: [
			{ files: ['**/*.ts'], languageOptions: { parserOptions: { programs: [sources] } } },
			{ files: ['service/page/**/*.ts'], languageOptions: { parserOptions: { programs: [page] } } },
			{ files: ['**/*.mjs'], languageOptions: { parserOptions: { programs: [scripts] } } },
		],
	});
	const results = await eslint.lintFiles(['.']);
	if (fix) await ESLint.outputFixes(results);
	stdout.write(await (await eslint.loadFormatter('stylish')).format(results));
	return wrong.length === 0 && results.every((result) => result.errorCount === 0);
}

const passed = await Promise.all([lintPublished(), checkAll()]);
exit(passed.every(Boolean) ? 0 : 1);
