import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
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

const stepSchema = z.looseObject({
	uses: z.string().optional(),
	run: z.string().optional(),
	with: z.record(z.string(), z.unknown()).default({}),
	env: z.record(z.string(), z.string()).default({}),
});
const jobSchema = z.looseObject({
	permissions: z.record(z.string(), z.string()).optional(),
	needs: z.union([z.string(), z.array(z.string())]).optional(),
	environment: z.string().optional(),
	outputs: z.record(z.string(), z.string()).default({}),
	steps: z.array(stepSchema),
});
const workflowSchema = z.looseObject({
	on: z.unknown(),
	permissions: z.record(z.string(), z.string()),
	jobs: z.record(z.string(), jobSchema),
});
const workflowOf = (file: string) => workflowSchema.parse(parse(textOf(`.github/workflows/${file}`)));
const workflows = readdirSync(join(root, '.github/workflows')).filter((file) => /\.ya?ml$/.test(file));
const runsOf = (job: z.infer<typeof jobSchema> | undefined) =>
	(job?.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run.trim()]));

describe('the workflows of the repository', () => {
	it('test with each Node that n8n runs on, and look at the package as n8n does', () => {
		const workflow = textOf('.github/workflows/test.yml');
		expect(/node: \[(.*)\]/.exec(workflow)?.[1]?.match(/\d+(?=[.'])/g)).toEqual(
			expect.arrayContaining(['20', '22', '24']),
		);
		expect(runsOf(workflowOf('test.yml').jobs['test'])).toEqual(['npm ci', 'npm test', 'npm run scan']);
		expect(runsOf(workflowOf('test.yml').jobs['whole-path'])).toEqual(['npm ci', '.ci/run']);
	});

	it.each(workflows)('%s runs actions of pinned commits only, and keeps no credentials', (file) => {
		const steps = Object.values(workflowOf(file).jobs).flatMap((job) => job.steps);
		const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
		expect(used.length).toBeGreaterThan(0);
		expect(used.filter((uses) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
		// The version beside each commit, for people and for the updates of dependabot.
		expect(textOf(`.github/workflows/${file}`).match(/uses: .*/g)).toEqual(
			used.map(
				(uses) => expect.stringMatching(new RegExp(`^uses: ${uses} # v\\d+\\.\\d+\\.\\d+$`)) as unknown,
			),
		);
		const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		expect(checkouts.map((step) => step.with['persist-credentials'])).toEqual(checkouts.map(() => false));
	});

	it.each(workflows)('%s puts nothing that others say into a script', (file) => {
		const scripts = Object.values(workflowOf(file).jobs).flatMap(runsOf);
		expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
	});

	it.each(workflows)('%s may only read, but for the job that publishes', (file) => {
		const { permissions, jobs } = workflowOf(file);
		expect(permissions).toEqual({ contents: 'read' });
		const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
		expect(more.map(([name, job]) => [name, job.permissions])).toEqual(
			file === 'publish.yml' ? [['publish', { 'id-token': 'write' }]] : [],
		);
	});
});

describe('publishing', () => {
	const { on, jobs } = workflowOf('publish.yml');
	const { build, publish } = jobs;

	it('is started by a tag on main that names the version', () => {
		expect(on).toEqual({ push: { tags: ['v*'] } });
		const [first, second] = runsOf(build);
		expect(first).toBe('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(second).toContain(`= "$GITHUB_REF_NAME"`);
		const checkout = build?.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
		expect(checkout?.with['fetch-depth']).toBe(0);
	});

	it('holds no token: npm trusts the workflow', () => {
		const text = textOf('.github/workflows/publish.yml');
		expect(text).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN|registry-url/);
		expect(publish?.environment).toBe('npm');
	});

	it('tests and scans the tarball without any right to publish', () => {
		expect(runsOf(build).slice(2)).toEqual([
			'npm ci',
			'npm run release:check',
			'npm test',
			'npm run build',
			expect.stringMatching(
				/^mkdir release\nnpm pack --ignore-scripts --pack-destination release\n.*sha256sum/,
			),
			'npm run scan -- release/*.tgz',
			'DATAGRID_TARBALL="$(ls "$PWD"/release/*.tgz)" npm run e2e -- install',
			expect.stringContaining('sha256sum --check --strict'),
		]);
		expect(build?.outputs).toEqual({ sha256: '${{ steps.pack.outputs.sha256 }}' });
		const upload = build?.steps.at(-1);
		expect(upload?.uses).toMatch(/^actions\/upload-artifact@/);
		expect(upload?.with).toMatchObject({ path: 'release/*.tgz', 'if-no-files-found': 'error' });
	});

	it('publishes that very tarball, and runs nothing else beside it', () => {
		expect(publish?.needs).toBe('build');
		const used = publish?.steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses.replace(/@.*/, '')]));
		expect(used).toEqual(['actions/download-artifact', 'actions/setup-node']);
		expect(runsOf(publish)).toEqual([
			'echo "$SHA256  $(ls release/*.tgz)" | sha256sum --check --strict',
			'npm publish ./release/*.tgz --provenance --access public --ignore-scripts',
		]);
		const check = publish?.steps.find(({ run }) => run?.includes('sha256sum'));
		expect(check?.env).toEqual({ SHA256: '${{ needs.build.outputs.sha256 }}' });
	});

	it('restores no cache, which another workflow may have filled', () => {
		const steps = Object.values(jobs).flatMap((job) => job.steps);
		const nodes = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'));
		expect(nodes.length).toBe(2);
		expect(nodes.map((step) => [step.with['cache'], step.with['package-manager-cache']])).toEqual(
			nodes.map(() => [undefined, false]),
		);
	});
});

describe('the lock', () => {
	const { packages } = z
		.looseObject({ packages: z.record(z.string(), z.looseObject({})) })
		.parse(JSON.parse(textOf('package-lock.json')));
	const entrySchema = z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).default({}) });

	it('names every package of every platform, or `npm ci` refuses it (`node scripts/completeLock.mjs`)', () => {
		const names = new Set(Object.keys(packages).map((folder) => folder.replace(/^.*node_modules\//, '')));
		const wanted = Object.values(packages).flatMap((entry) =>
			Object.keys(entrySchema.parse(entry).optionalDependencies),
		);
		expect(wanted.length).toBeGreaterThan(0);
		expect(wanted.filter((name) => !names.has(name))).toEqual([]);
	});
});

describe('SECURITY.md', () => {
	const [, promises = ''] = textOf('SECURITY.md').split('## What this package promises');
	const rows =
		promises
			.split('\n## ')[0]
			?.split('\n')
			.filter((line) => line.startsWith('| **')) ?? [];

	it('names a test for each promise, and each of them is there', () => {
		expect(rows.length).toBeGreaterThan(5);
		for (const row of rows) {
			const tests = row.match(/`test\/[^`]+\.test\.ts`/g) ?? [];
			expect([row, tests.length > 0]).toEqual([row, true]);
			expect(tests.filter((test) => !existsSync(join(root, test.slice(1, -1))))).toEqual([]);
		}
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
