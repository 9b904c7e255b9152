import { z } from 'zod/v4';
import { caseOf, offered, withTitles } from './cases';
import { badInputsOf, type BadInput } from './cases/badInputs';
import { runNode } from '../../testbed/engine/engine';
import { SampleWorld } from '../../testbed/world/sampleWorld';

/**
 * Tries each input, including options and nested rows, in the first operation that has it:
 * empty, of the wrong type, undefined, of another kind, too long. The run either fails with a
 * message that names the input and a description with a remedy, or the value has a meaning.
 */
const world = SampleWorld.forTests();
let tried = 0;
let accepted = 0;

afterAll(() => {
	process.stdout.write(`${tried} bad inputs: ${accepted} accepted, ${tried - accepted} refused\n`);
});

/** Whether no operation before has this input: operations share the code that reads it. */
const isFirst = ({ mistake, path, isOfTool }: BadInput) => {
	const places = path.map(({ name }) => name);
	const input = JSON.stringify([mistake, isOfTool, places, { ...path.at(-1), displayOptions: undefined }]);
	return seen.size < seen.add(input).size;
};
const seen = new Set<string>();

/** Returns the meaning of a bad input; undefined if it must be refused. */
function meaning({ mistake, path }: BadInput): string | undefined {
	const [outer] = path;
	const inner = path.at(-1) ?? outer;
	if (inner?.type === 'resourceMapper') {
		if (mistake === 'empty' || mistake === 'an expression without a value') return 'the column is omitted';
		if (mistake === 'far too long') return 'no limit of a text is known (§8)';
	}
	if (mistake === 'empty' && !inner?.required) return 'the same as omitting it';
	if (mistake === 'far too long' && inner?.type === 'string') return 'no limit of such a text is known (§8)';
	// The condition is on a column of texts.
	if (mistake === 'of something else' && inner?.displayName === 'Value Name or ID') return 'a text';
	return undefined;
}

/** Error of a run as n8n outputs it: a plain object. */
const errorSchema = z.looseObject({
	message: z.string(),
	description: z
		.string()
		.nullish()
		.transform((text) => text ?? ''),
});

/** Default messages of zod; messages of the service are exempt. */
const ZOD_MESSAGES =
	/^(?!.*(?:The service rejected|: Body: )).*(?:Too (?:small|big): |Invalid (?:input|option|string): |another shape)/;

/** n8n itself refuses a workflow with empty required inputs. */
const isFromN8n = (error: unknown) => error instanceof Error && error.name === 'WorkflowHasIssuesError';

/** Inputs with rows of columns and values. */
const COLUMN_INPUTS = new Set([
	'columns',
	'columnsToSet',
	'onlyRowsWhere',
	'conditions',
	'formFields',
	'matchBy',
]);

/** Whether a text names the input, an enclosing input, or the column of the value. */
function names({ path }: BadInput, text: string): boolean {
	const labels = path.map(({ displayName }) => displayName);
	const columns = path.some(({ name }) => COLUMN_INPUTS.has(name)) ? [...world.orders.fields.keys()] : [];
	return [...labels, ...columns].some((label) => text.includes(`"${label}"`));
}

test.each(withTitles(offered))(
	'%s reports each bad input by name, or gives it a meaning',
	async (_title, operation) => {
		const { parameters, input } = caseOf(operation);
		let base = await parameters(world);
		const wrong: unknown[] = [];
		for (const bad of badInputsOf(world, operation).filter(isFirst)) {
			tried++;
			world.listen();
			const given = { ...base, ...bad.shownBy, ...bad.parameters };
			const settings = world.settings({ ...operation, parameters: given });
			const type = bad.isOfTool ? `${settings.type}Tool` : settings.type;
			const { error } = await runNode({ ...settings, type }, input?.(world)).catch((thrown: unknown) => {
				if (isFromN8n(thrown)) return { error: thrown };
				throw thrown;
			});
			// The next attempt needs fresh targets if this one may have changed them.
			if (!error || world.writes.length > 0) base = await parameters(world);
			const where = [...bad.path.map(({ displayName }) => displayName), bad.mistake].join(' → ');
			if (!error) {
				accepted++;
				if (meaning(bad) === undefined) wrong.push(`${where}: was accepted`);
			} else if (!isFromN8n(error)) {
				const { message, description } = errorSchema.parse(error);
				if (!names(bad, `${message} ${description}`)) wrong.push(`${where}: not named in ${message}`);
				if (ZOD_MESSAGES.test(message)) wrong.push(`${where}: default message of zod in ${message}`);
				if (!description) wrong.push(`${where}: no description with ${message}`);
			}
		}
		expect(wrong).toEqual([]);
	},
	300_000,
);
