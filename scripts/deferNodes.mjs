import { deepStrictEqual } from 'node:assert';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod/v4';

const packageSchema = z.object({ n8n: z.object({ nodes: z.array(z.string()) }) });
const nodeSchema = z.looseObject({
	description: z.record(z.string(), z.unknown()),
	methods: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/**
 * Puts before each built node what n8n needs to show it: its description as JSON and the names of
 * its functions. The code behind it, schemas above all, is loaded when the first of these functions
 * is called: a start of n8n, which loads every node of every package, does not wait for it.
 * @param {string} root the project, whose nodes have been compiled to `dist/`
 * @throws when a description holds what JSON does not
 */
export async function deferNodes(root) {
	const require = createRequire(join(root, 'package.json'));
	const manifest = packageSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
	for (const path of manifest.n8n.nodes) {
		const file = join(root, path);
		const name = basename(file).replace(/\.node\.js$/, '');
		const { [name]: Node } = z.record(z.string(), z.unknown()).parse(require(file));
		if (typeof Node !== 'function') throw new Error(`${path} exports no class ${name}`);
		const { description, methods, ...others } = nodeSchema.parse(Reflect.construct(Node, []));
		deepStrictEqual(Object.keys(others), [], `${path} has members that n8n would not see`);
		const told = JSON.stringify(description);
		deepStrictEqual(JSON.parse(told), description, `${path} describes itself with what JSON cannot hold`);
		const own = Object.getOwnPropertyNames(Node.prototype).filter((one) => one !== 'constructor');
		await rename(file, join(dirname(file), `${name}.code.js`));
		await writeFile(
			join(dirname(file), `${name}.description.js`),
			`module.exports = ${JSON.stringify(told)};\n`,
		);
		await writeFile(file, deferred(name, methods, own));
	}
}

/**
 * @param {string} name of the node's class
 * @param {Readonly<Record<string, Readonly<Record<string, unknown>>>>} methods
 * @param {readonly string[]} own the functions of the class
 */
function deferred(name, methods, own) {
	const groups = Object.entries(methods).map(([group, functions]) => {
		const members = Object.keys(functions).map(
			(one) => `${one}: later((node) => node.methods.${group}.${one}),`,
		);
		return [`${group}: {`, ...members.map((member) => `\t${member}`), '},'];
	});
	return [
		"'use strict';",
		'// Made by the build: what n8n shows of the node. The code behind it is loaded when one of its functions is first called.',
		`const description = require('./${name}.description.js');`,
		'',
		'let loaded;',
		'const later = (find) =>',
		'\tasync function (...given) {',
		`\t\tloaded ??= new (require('./${name}.code.js').${name})();`,
		'\t\treturn await find(loaded).apply(this, given);',
		'\t};',
		'',
		`class ${name} {`,
		'\tdescription = JSON.parse(description);',
		'\tmethods = {',
		...groups.flat().map((line) => `\t\t${line}`),
		'\t};',
		'}',
		...own.map((one) => `${name}.prototype.${one} = later((node) => node.${one});`),
		`exports.${name} = ${name};`,
		'',
	].join('\n');
}
