import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { SampleWorld } from '../testbed/world/sampleWorld';
import { registeredTests } from './fixtures/registeredTests';
import { RUNS_IN_TESTS, tried } from './fuzz/node';
import { offered, withTitles, type Offered } from './n8n/cases';
import { badInputsOf } from './n8n/cases/badInputs';

/**
 * Each operation needs tests of success, refusal and a failed item in n8n's engine, tests of bad
 * values for each input, a fuzz test and documentation. The titles of the registered tests show
 * which of these exist.
 */
const world = SampleWorld.forTests();
let inEngine: Set<string>;
let withBadInput: Set<string>;

beforeAll(async () => {
	inEngine = await registeredTests(() => import('./n8n/operations.test'));
	withBadInput = await registeredTests(() => import('./n8n/badInput.test'));
});

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

/** Whether a section names an input that the page describes once for several operations. */
function isShared(page: string, section: string, label: string): boolean {
	const named = /^\[Shared inputs\]\(#shared-inputs\): (.*)\.$/m.exec(section)?.[1] ?? '';
	const described = below(page, '## Shared inputs') ?? '';
	return label === 'Options'
		? named.includes('Options → ')
		: named.split(', ').includes(label) && described.includes(`\n| ${label} `);
}

/** Inputs that the section of the operation lacks. */
function undocumentedInputs({ node, resourceName, option, properties }: Offered): string[] {
	const page = readFileSync(join(__dirname, '..', 'docs', 'nodes', `${node}.md`), 'utf8');
	const ofResource = below(page, `## ${resourceName}`);
	// A node with one operation has no sections of operations.
	const section = resourceName === 'Inputs' ? ofResource : below(ofResource ?? '', `### ${option.name}`);
	if (section === undefined) return ['the operation'];
	return properties
		.filter(isVisible)
		.map(({ displayName }) => displayName)
		.filter((label) => !section.includes(`\n| ${label} `) && !isShared(page, section, label));
}

test('each node except the trigger has operations to check', () => {
	const manifest = readFileSync(join(__dirname, '..', 'package.json'), 'utf8');
	const { n8n } = z.object({ n8n: z.object({ nodes: z.array(z.string()) }) }).parse(JSON.parse(manifest));
	const names = n8n.nodes.map((path) =>
		path.replace(/^.*\/(\w)(\w*)\.node\.js$/, (_, first: string, rest: string) => first.toLowerCase() + rest),
	);
	expect([...new Set(offered.map(({ node }) => node)), 'entityTrigger'].sort()).toEqual(names.sort());
});

test.each(withTitles(offered))('%s has each kind of test and documentation', (title, operation) => {
	expect({
		notInEngine: [
			`${title} succeeds`,
			`${title} is refused with a helpful message`,
			`${title} continues after a failed item, and outputs one item for it`,
		].filter((one) => !inEngine.has(one)),
		badInput: withBadInput.has(`${title} reports each bad input by name, or gives it a meaning`),
		withoutBadInput: untestedInputs(operation),
		fuzzed: fuzzed.has(title),
		undocumented: undocumentedInputs(operation),
	}).toEqual({
		notInEngine: [],
		badInput: true,
		withoutBadInput: [],
		fuzzed: true,
		undocumented: [],
	});
});

const deletions = offered.filter(
	({ node, operation }) => node !== 'entity' && operation.startsWith('delete'),
);

test.each(withTitles(deletions))('%s shows its consequences in the panel', (_title, { properties }) => {
	const notices = properties.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName);
	expect(notices).toEqual([expect.stringMatching(/\.$/)]);
});
