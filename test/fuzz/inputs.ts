import fc from 'fast-check';
import { inspect } from 'node:util';
import type {
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { SampleWorld } from '../../testbed/world/sampleWorld';
import { caseOf, offered, type Offered } from '../n8n/cases';
import { note, type FuzzResult } from './client';

/** Operations that read, plan and write rows: `resource.operation`. */
const TRIED = new Set([
	'entity.create',
	'entity.upsert',
	'entity.update',
	'entity.delete',
	'entity.updateMany',
	'entity.deleteMany',
	'entity.count',
	'entity.lookUp',
	'entity.sync',
	'entity.importFile',
	'entity.export',
]);
const READING: ReadonlySet<string> = new Set(['count', 'lookUp', 'export']);
/** Runs after which the service is set up anew: its grid has become long by then. */
const SET_UP_ANEW = 200;

const operations = offered.filter(({ node, resource, operation }) => {
	return node === 'entity' && TRIED.has(`${resource}.${operation}`);
});

/** Any JSON but expressions, which n8n itself evaluates. */
const anything = fc
	.oneof(
		fc.string({ unit: 'binary', maxLength: 40 }),
		fc.constantFrom('', ' ', 'Order', 'Quantity', '__proto__', 'constructor', '0', '-1', '1e400', '$eq'),
		fc.constantFrom(0, -1, 0.5, 1e308, Number.MAX_SAFE_INTEGER, true, false, null),
		fc.jsonValue({ maxDepth: 3 }),
	)
	.map((value) => (typeof value === 'string' && value.startsWith('=') ? ` ${value}` : value));
const items = fc.array(
	fc.dictionary(
		fc.constantFrom('Order', 'Quantity', 'Due', 'Customer', 'error', 'json', '_id', 'x'),
		anything,
		{
			maxKeys: 4,
		},
	),
	{ minLength: 1, maxLength: 3 },
);

const isChoice = (option: unknown): option is INodePropertyOptions =>
	typeof option === 'object' && option !== null && 'value' in option;
const isInput = (option: unknown): option is INodeProperties =>
	typeof option === 'object' && option !== null && 'type' in option;
const isGroup = (option: unknown): option is INodePropertyCollection =>
	typeof option === 'object' && option !== null && 'values' in option;

/** A value that the editor could hold for an input, or now and then anything. */
function valueFor(property: INodeProperties): fc.Arbitrary<unknown> {
	const fitting = fittingFor(property);
	// n8n itself runs no workflow whose collections have other members.
	if (property.type === 'collection' || property.type === 'fixedCollection') return fitting;
	return fc.oneof({ weight: 30, arbitrary: fitting }, { weight: 1, arbitrary: anything });
}

function fittingFor({ type, options = [], default: usual }: INodeProperties): fc.Arbitrary<unknown> {
	if (type === 'boolean') return fc.boolean();
	if (type === 'options')
		return fc.constantFrom(usual, ...options.filter(isChoice).map(({ value }) => value));
	if (type === 'collection') return someOf(options.filter(isInput));
	if (type === 'fixedCollection') {
		const groups = options
			.filter(isGroup)
			.map(({ name, values }) => [name, fc.array(someOf(values))] as const);
		return fc.record(Object.fromEntries(groups), { requiredKeys: [] });
	}
	return fc.constant(usual);
}

const someOf = (inputs: readonly INodeProperties[]): fc.Arbitrary<object> =>
	fc.record(Object.fromEntries(inputs.map((input) => [input.name, valueFor(input)])), { requiredKeys: [] });

/** Inputs that decide which grid is meant stay, or nothing else would be tried. */
const GIVEN = new Set(['resource', 'operation', 'space', 'grid', 'columns', 'matchBy', 'keyColumns']);

const attemptsOf = (operation: Offered) =>
	fc.record({
		operation: fc.constant(operation),
		parameters: someOf(operation.properties.filter(({ name }) => !GIVEN.has(name))),
		input: fc.option(items),
	});
const attempts = fc.oneof(...operations.map(attemptsOf));
type Attempt = typeof attempts extends fc.Arbitrary<infer Value> ? Value : never;

const errorSchema = z.looseObject({
	name: z.enum(['NodeApiError', 'NodeOperationError', 'WorkflowHasIssuesError']),
	message: z.string().min(5).max(2100),
});
const planSchema = z.looseObject({
	dryRun: z.unknown(),
});
const parametersSchema = z.custom<INodeParameters>();
const inputSchema = z.custom<INodeExecutionData[]>();

async function attemptOne(
	world: SampleWorld,
	{ operation, parameters, input }: Attempt,
	reading: ReadonlySet<string>,
) {
	const { parameters: usual, input: usualInput } = caseOf(operation);
	const given = { ...(await usual(world)), ...parametersSchema.parse(parameters) };
	// A member named `json` would make an n8n item of it.
	const wrapped = input ? inputSchema.parse(input.map((json) => ({ json }))) : undefined;
	const shown = usualInput?.(world) ?? wrapped;
	world.listen(() => undefined);
	const run = world.run({ ...operation, parameters: given }, { input: shown });
	const error = await run.then(({ error: told }) => told, refusedByN8n);
	return {
		error,
		problem: problemOf({ error, given, isReading: reading.has(operation.operation), writes: world.writes }),
	};
}

/** Parameters that the editor would mark; n8n then runs nothing. */
function refusedByN8n(error: unknown): Error {
	if (error instanceof Error && error.name === 'WorkflowHasIssuesError') return error;
	throw error;
}

interface Came {
	error: Error | undefined;
	given: INodeParameters;
	isReading: boolean;
	writes: readonly string[];
}

function problemOf({ error, given, isReading, writes }: Came): string | undefined {
	const told = error && errorSchema.safeParse(error);
	if (told && !told.success) return `Not as a node tells it: ${inspect(error).slice(0, 1000)}`;
	const { dryRun } = planSchema.parse({ dryRun: undefined, ...given });
	const isDry = dryRun === true;
	const mayWrite = !isReading && !isDry && (told === undefined || told.data.name === 'NodeApiError');
	return mayWrite || writes.length === 0 ? undefined : `Written nevertheless: ${writes.join(', ')}`;
}

/**
 * Seeded: the operations that plan before they write, with random inputs. None may crash, and where
 * an input is refused, or a dry run asked for, nothing may be written.
 * @param reading operations that may never write
 */
export async function fuzzInputs(
	seed: number,
	runs: number,
	progress: (result: FuzzResult) => void = () => undefined,
	reading = READING,
): Promise<FuzzResult> {
	const result: FuzzResult = { runs: 0, inputs: 0, results: 0, messages: 0, crashes: 0, hangs: 0 };
	let world = await SampleWorld.start();
	try {
		for (const [index, attempt] of fc.sample(attempts, { numRuns: runs, seed }).entries()) {
			if (index > 0 && index % SET_UP_ANEW === 0) {
				await world.stop();
				world = await SampleWorld.start();
			}
			const { error, problem } = await attemptOne(world, attempt, reading);
			result.runs++;
			result.inputs += world.sent.length;
			result[error === undefined ? 'results' : 'messages']++;
			if (problem !== undefined) {
				const { operation, ...drawn } = attempt;
				result.crashes++;
				result.counterexample ??= JSON.stringify({ name: operation.title, problem, ...drawn }).slice(0, 4000);
				note(result, `${operation.title}: ${problem}`);
			}
			progress(result);
		}
	} finally {
		await world.stop();
	}
	return result;
}
