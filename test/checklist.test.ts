import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { nodeTypeNamed } from '../testbed/engine/nodeTypes';
import { SampleWorld } from '../testbed/world/sampleWorld';
import { registeredTests } from './fixtures/registeredTests';
import { RUNS_IN_TESTS, tried } from './fuzz/node';
import { offered, type Offered } from './n8n/cases';
import { badInputsOf } from './n8n/cases/badInputs';
import { chosenIn } from './saved/coverage';
import { recorded, saved, stepsOf } from './saved/workflow';

/**
 * What each operation needs: it succeeds, is refused and continues after a failed item in n8n's
 * engine; each of its inputs is given bad values; the fuzz tries it; its page describes it; a saved
 * workflow runs it. The tests themselves tell what they try.
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

/** Inputs that the tests give no bad value. */
function untriedInputs(operation: Offered): string[] {
	const given = new Set(badInputsOf(world, operation).map(({ path: [outer] }) => outer?.name));
	return operation.properties
		.filter((property) => isVisible(property) && !given.has(property.name))
		.map(({ displayName }) => displayName);
}

/** The part of a page below a heading, up to the next one of its level. */
const below = (text: string, heading: string) =>
	text
		.split(new RegExp(`^${heading.split(' ')[0] ?? ''} `, 'm'))
		.find((part) => part.startsWith(`${heading.replace(/^#+ /, '')}\n`));

/**
 * Inputs that the page of the node does not list below the operation. It describes the newest
 * version.
 */
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
			title: `${name} ${step.name} outputs what it did then`,
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

test('each node with operations is in the list', () => {
	const manifest = readFileSync(join(__dirname, '..', 'package.json'), 'utf8');
	const { n8n } = z.object({ n8n: z.object({ nodes: z.array(z.string()) }) }).parse(JSON.parse(manifest));
	const names = n8n.nodes.map((path) =>
		path.replace(/^.*\/(\w)(\w*)\.node\.js$/, (_, first: string, rest: string) => first.toLowerCase() + rest),
	);
	expect([...new Set(offered.map(({ node }) => node)), 'gridTrigger'].sort()).toEqual(names.sort());
});

test.each(offered.map((operation): [string, Offered] => [operation.title, operation]))(
	'%s is tested and documented in each way',
	(title, operation) => {
		const success = operation.versions.map((version) => `${title} succeeds in version ${version}`);
		expect({
			notInEngine: [
				...success,
				`${title} is refused with a helpful message`,
				`${title} continues after a failed item, and outputs one item for it`,
			].filter((one) => !inEngine.has(one)),
			badInput: withBadInput.has(title),
			withoutBadInput: untriedInputs(operation),
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
