import { z } from 'zod/v4';
import { caseOf, offered, type Offered } from './cases';
import { badInputsOf, type BadInput } from './cases/badInputs';
import { runNode } from '../../testbed/engine/engine';
import { SampleWorld } from '../../testbed/world/sampleWorld';

/**
 * Every input of every operation, its options and the rows within it, given what a person gives by
 * mistake: nothing, the wrong type, an expression without a value, something else's id, far too
 * much. It is refused in words that name the input and a way out, or it means something.
 */
let world: SampleWorld;
let tried = 0;
let accepted = 0;

beforeAll(async () => {
	world = await SampleWorld.start();
});

afterAll(async () => {
	await world.stop();
	process.stdout.write(`${tried} bad inputs: ${accepted} mean something, ${tried - accepted} are refused\n`);
});

/** What a bad input means where it is taken; undefined where it has to be refused. */
function meaning({ fault, path }: BadInput): string | undefined {
	const [outer] = path;
	const inner = path.at(-1) ?? outer;
	if (inner?.type === 'resourceMapper') {
		if (fault === 'empty' || fault === 'an expression without a value') return 'the column is left out';
		if (fault === 'far too long') return 'no limit of a text is known (§8)';
	}
	if (fault === 'empty' && !inner?.required) return 'the same as leaving it out';
	if (fault === 'far too long' && inner?.type === 'string') return 'no limit of such a text is known (§8)';
	return undefined;
}

/** An error of a run, which n8n copies into a plain object. */
const errorSchema = z.looseObject({
	message: z.string(),
	description: z
		.string()
		.nullish()
		.transform((text) => text ?? ''),
});

/** Messages that zod writes where a schema has none of its own; those of the service stay. */
const CODE_WORDS =
	/^(?!.*(?:The service rejected|: Body: )).*(?:Too (?:small|big): |Invalid (?:input|option|string): |another shape)/;

/** n8n itself refuses a workflow whose shown inputs are empty. */
const byN8n = (error: unknown) => error instanceof Error && error.name === 'WorkflowHasIssuesError';

/** Words that name one of the inputs that hold it, or the column that a value was for. */
function names({ path }: BadInput, text: string): boolean {
	const labels = path.map(({ displayName }) => displayName);
	const columns = path.some(({ name }) => ['columns', 'formFields', 'conditions', 'matchBy'].includes(name))
		? [...world.orders.fields.keys()]
		: [];
	return [...labels, ...columns].some((label) => text.includes(`"${label}"`));
}

test.each(offered.map((operation): [string, Offered] => [operation.title, operation]))(
	'%s',
	async (_title, operation) => {
		const { parameters, input } = caseOf(operation);
		let base = await parameters(world);
		const wrong: unknown[] = [];
		for (const bad of badInputsOf(world, operation)) {
			tried++;
			world.listen();
			const given = { ...base, ...bad.shownBy, ...bad.parameters };
			const version = bad.version ?? operation.versions.at(-1);
			const settings = world.settings({ ...operation, parameters: given }, { version });
			const type = bad.isOfTool ? `${settings.type}Tool` : settings.type;
			const { error } = await runNode({ ...settings, type }, input?.(world)).catch((thrown: unknown) => {
				if (byN8n(thrown)) return { error: thrown };
				throw thrown;
			});
			// What was done has to be undone before the next one; a target of its own is simpler.
			if (!error || world.writes.length > 0) base = await parameters(world);
			const where = [...bad.path.map(({ displayName }) => displayName), bad.fault].join(' → ');
			if (!error) {
				accepted++;
				if (meaning(bad) === undefined) wrong.push(`${where}: was accepted`);
			} else if (!byN8n(error)) {
				const { message, description } = errorSchema.parse(error);
				if (!names(bad, `${message} ${description}`)) wrong.push(`${where}: not named in ${message}`);
				if (CODE_WORDS.test(message)) wrong.push(`${where}: words of the code in ${message}`);
				if (!description) wrong.push(`${where}: no way out is told with ${message}`);
			}
		}
		expect(wrong).toEqual([]);
	},
	300_000,
);
