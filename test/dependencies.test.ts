import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v4';

const root = join(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const manifestSchema = z.looseObject({
	devDependencies: z.record(z.string(), z.string()).default({}),
});
const { devDependencies } = manifestSchema.parse(JSON.parse(textOf('package.json')));

/** The packages that docs/development/dependencies.md says are held back. */
const held = textOf('docs/development/dependencies.md')
	.split('\n')
	.flatMap((line) => {
		const [, name, version, reason] = /^\| `([^`]+)` +\| (\S+) +\| (.+?) *\|$/.exec(line) ?? [];
		return name && version && reason ? [{ name, version, reason }] : [];
	});

test('each package is pinned exactly', () => {
	const loose = Object.entries(devDependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
	expect(loose).toEqual([]);
});

test('the table of packages held back names the versions of package.json, and a reason', () => {
	expect(held.length).toBeGreaterThan(5);
	for (const { name, version, reason } of held) {
		expect([name, version]).toEqual([name, devDependencies[name]]);
		expect(reason.length).toBeGreaterThan(10);
	}
});

test('the packages that belong together have versions that do', () => {
	const installed = (name: string) =>
		z
			.looseObject({ dependencies: z.record(z.string(), z.string()).default({}) })
			.parse(JSON.parse(textOf(`node_modules/${name}/package.json`))).dependencies;
	expect(devDependencies['n8n-workflow']).toBe(installed('n8n-core')['n8n-workflow']);
	expect(devDependencies['@n8n/di']).toBe(installed('n8n-core')['@n8n/di']);
	for (const name of ['eslint', 'prettier', 'typescript-eslint'])
		expect(devDependencies[name]).toBe(installed('@n8n/node-cli')[name]);
});
