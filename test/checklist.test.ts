import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { nodeTypeNamed } from '../testbed/engine/nodeTypes';
import { SampleWorld } from '../testbed/world/sampleWorld';
import { registeredTests } from './fixtures/registeredTests';
import { RUNS_IN_TESTS, tried } from './fuzz/node';
import { offered, withTitles, type Offered } from './n8n/cases';
import { badInputsOf } from './n8n/cases/badInputs';
import { chosenIn } from './saved/coverage';
import { recorded, saved, stepsOf } from './saved/workflow';

/**
 * Each operation needs tests of success, refusal and a failed item in n8n's engine, tests of bad
 * values for each input, a fuzz test, documentation and a saved workflow. The titles of the
 * registered tests show which of these exist.
 */
let world: SampleWorld;
let inEngine: Set<string>;
let withBadInput: Set<string>;
let ofSaved: Set<string>;

beforeAll(async () => {
	inEngine = await registeredTests(() => import('./n8n/operations.test'));
	withBadInput = await registeredTests(() => import('./n8n/badInput.test'));
	ofSaved = await registeredTests(() => import('./saved/saved.test'));
	world = await SampleWorld.start();
});

afterAll(() => world.stop());

const isVisible = ({ type }: INodeProperties) => type !== 'notice' && type !== 'hidden';
const fuzzed = new Set(tried(RUNS_IN_TESTS));

/** Inputs that are not tested with bad values. */
function untestedInputs(operation: Offered): string[] {
	const given = new Set(badInputsOf(world, operation).map(({ path: [outer] }) => outer?.name));
	return operation.properties
		.filter((property) => isVisible(property) && !given.has(property.name))
		.map(({ displayName }) => displayName);
}

/** Returns the section of a page below a heading, up to the next heading of the same level. */
const below = (text: string, heading: string) =>
	text
		.split(new RegExp(`^${heading.split(' ')[0] ?? ''} `, 'm'))
		.find((part) => part.startsWith(`${heading.replace(/^#+ /, '')}\n`));

/** Inputs that the section of the operation lacks; the page describes the newest version. */
function undocumentedInputs({ node, resourceName, option, properties, versions }: Offered): string[] {
	const page = readFileSync(join(__dirname, '..', 'docs', 'nodes', `${node}.md`), 'utf8');
	const section = below(below(page, `## ${resourceName}`) ?? '', `### ${option.name}`);
	if (section === undefined) return ['the operation'];
	const newest = versions.at(-1) ?? 1;
	return properties
		.filter(
			(property) =>
				isVisible(property) && (property.displayOptions?.show?.['@version']?.includes(newest) ?? true),
		)
		.map(({ displayName }) => displayName)
		.filter((label) => !section.includes(`\n| ${label} `));
}

/** The tests that run an operation of a saved workflow whose output is recorded. */
const savedTests = saved.flatMap((name) => {
	const outputs = recorded(name);
	return stepsOf(name)
		.filter((step) => outputs[step.name] !== undefined)
		.map((step) => ({
			title: `${name} ${step.name} produces its recorded output`,
			type: step.type,
			...chosenIn(step, nodeTypeNamed(step.type).description),
		}));
});

const isSaved = ({ node, resource, operation }: Offered) =>
	savedTests.some(
		(saved) =>
			saved.type === `n8n-nodes-datagrid.${node}` &&
			saved.resource === resource &&
			saved.operation === operation &&
			ofSaved.has(saved.title),
	);

test('each node except the trigger has operations to check', () => {
	const manifest = readFileSync(join(__dirname, '..', 'package.json'), 'utf8');
	const { n8n } = z.object({ n8n: z.object({ nodes: z.array(z.string()) }) }).parse(JSON.parse(manifest));
	const names = n8n.nodes.map((path) =>
		path.replace(/^.*\/(\w)(\w*)\.node\.js$/, (_, first: string, rest: string) => first.toLowerCase() + rest),
	);
	expect([...new Set(offered.map(({ node }) => node)), 'gridTrigger'].sort()).toEqual(names.sort());
});

test.each(withTitles(offered))(
	'%s has each kind of test, documentation and a saved workflow',
	(title, operation) => {
		const success = operation.versions.map((version) => `${title} succeeds in version ${version}`);
		expect({
			notInEngine: [
				...success,
				`${title} is refused with a helpful message`,
				`${title} continues after a failed item, and outputs one item for it`,
			].filter((one) => !inEngine.has(one)),
			badInput: withBadInput.has(`${title} reports each bad input by name, or gives it a meaning`),
			withoutBadInput: untestedInputs(operation),
			fuzzed: fuzzed.has(title),
			undocumented: undocumentedInputs(operation),
			savedAndRun: isSaved(operation),
		}).toEqual({
			notInEngine: [],
			badInput: true,
			withoutBadInput: [],
			fuzzed: true,
			undocumented: [],
			savedAndRun: true,
		});
	},
);

const deletions = offered.filter(
	({ node, operation }) => node !== 'entity' && operation.startsWith('delete'),
);

test.each(withTitles(deletions))('%s shows its consequences in the panel', (_title, { properties }) => {
	const notices = properties.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName);
	expect(notices).toEqual([expect.stringMatching(/\.$/)]);
});
