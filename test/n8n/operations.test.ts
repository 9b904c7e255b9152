import { caseOf, offered, orphans, type Offered, withTitles } from './cases';
import { freezeSchema, publishedSchema, schemaOf } from './outputSchema';
import { SampleWorld } from '../../testbed/world/sampleWorld';

/**
 * Each operation, read from the descriptions of the nodes, succeeds once and is refused once. An
 * operation without a case fails.
 */
let world: SampleWorld;

beforeAll(async () => {
	world = await SampleWorld.start();
});

beforeEach(() => {
	world.listen();
	world.push.status = 200;
	world.push.received = 0;
});

afterAll(async () => {
	await world.stop();
});

/** Each operation in each version of its node. */
const versions = offered.flatMap((operation) =>
	operation.versions.map((version): [string, number, Offered] => [operation.title, version, operation]),
);

const table = withTitles(offered);

/** Names and IDs that the output may use for the columns of the grid. */
const columns = () => new Set([...world.orders.fields].flatMap(([name, { id }]) => [name, id]));

test('each case belongs to an existing operation', () => {
	expect(orphans()).toEqual([]);
	expect(offered.length).toBeGreaterThan(60);
});

test.each(versions)('%s succeeds in version %d', async (_title, version, operation) => {
	const { parameters, input, output, outputSince2 = output } = caseOf(operation);
	const { rows, items, error } = await world.run(
		{ ...operation, parameters: await parameters(world) },
		{ input: input?.(world), version },
	);
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject(version === 1 ? output : outputSince2);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	const schema = schemaOf(rows, columns());
	const file = { ...operation, version };
	if (process.env.FREEZE === '1') freezeSchema(file, schema);
	expect(publishedSchema(file)).toEqual(schema);
});

test.each(table)('%s is refused with a helpful message', async (_title, operation) => {
	const { parameters, input, refusal } = caseOf(operation);
	const given = {
		...operation,
		parameters: { ...(await parameters(world)), ...refusal.parameters?.(world) },
	};
	world.listen();
	refusal.prepare?.(world);
	const { error } = await world.run(given, {
		as: refusal.as,
		input: input?.(world),
		version: operation.versions.at(-1),
	});
	expect(error?.message).toMatch(refusal.message);
	expect(error).toMatchObject({ description: expect.stringContaining(refusal.description) as unknown });
	if (!refusal.isSent) expect(world.writes).toEqual([]);
	if (!refusal.isSent) expect(world.push.received).toBe(0);
});

test.each(table)(
	'%s continues after a failed item, and outputs one item for it',
	async (_title, operation) => {
		const { parameters, input, refusal } = caseOf(operation);
		const given = {
			...operation,
			parameters: { ...(await parameters(world)), ...refusal.parameters?.(world) },
		};
		refusal.prepare?.(world);
		const item = input?.(world)[0] ?? {};
		const run = await world.run(given, {
			as: refusal.as,
			version: operation.versions.at(-1),
			input: [item, item],
			onError: 'continueErrorOutput',
		});
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toEqual([]);
		expect(run.outputs[1]).toHaveLength(2);
		expect(run.outputs[1]?.[0]?.json).toMatchObject({ error: expect.any(String) as unknown });
	},
);
