import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod/v4';

const root = resolve(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = z
	.looseObject({ scripts: z.record(z.string(), z.string()), files: z.array(z.string()) })
	.parse(JSON.parse(textOf('package.json')));

describe('the published package', () => {
	it('brings nothing with it, so that an audit of it has nothing to look at', () => {
		const brought = Object.keys(manifest).filter((name) => /dependencies|overrides/i.test(name));
		expect(brought.filter((name) => name !== 'devDependencies')).toEqual(['peerDependencies']);
		expect(manifest['peerDependencies']).toEqual({ 'n8n-workflow': '*' });
	});

	it('holds what was built and nothing else, and runs nothing when it is installed', () => {
		expect(manifest.files).toEqual(['dist']);
		const ownHooks = ['install', 'prepare', 'prepublish', 'prepublishOnly', 'prepack', 'uninstall'];
		const hooks = ownHooks.flatMap((name) => [name, `pre${name}`, `post${name}`]);
		expect(hooks.filter((name) => name in manifest.scripts)).toEqual([]);
	});
});

describe('the workflows of the repository', () => {
	it('test with each Node that n8n runs on, and look at the package as n8n does', () => {
		const workflow = textOf('.github/workflows/test.yml');
		expect(/node: \[(.*)\]/.exec(workflow)?.[1]?.match(/\d+(?=[.'])/g)).toEqual(
			expect.arrayContaining(['20', '22', '24']),
		);
		expect(workflow).toMatch(/run: npm test\n\s+- run: npm run scan\n/);
	});

	it('publish from a tag only, with provenance, after the tests and the scan', () => {
		const workflow = textOf('.github/workflows/publish.yml');
		expect(workflow).toMatch(/^on:\n\s+push:\n\s+tags: \['v\*'\]\n\n/m);
		expect(workflow).toMatch(/id-token: write/);
		const steps = [...workflow.matchAll(/run: (npm .*)/g)].map((match) => match[1]);
		expect(steps).toEqual([
			'npm test',
			'npm run scan',
			'npm run build',
			expect.stringMatching(/^npm publish --provenance /),
		]);
	});
});

it.each([
	'SECURITY.md',
	'CONTRIBUTING.md',
	'CHANGELOG.md',
	'.github/dependabot.yml',
	'.github/ISSUE_TEMPLATE/bug.yml',
])('%s is there', (file) => {
	expect(existsSync(join(root, file))).toBe(true);
});
