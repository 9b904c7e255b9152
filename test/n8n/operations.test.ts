import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { caseOf, offered, orphans, withTitles } from './cases';
import { freezeSample, frozenSample, namesIn, sampleOf } from './sampleItems';
import { freezeSchema, publishedSchema, schemaOf } from './outputSchema';
import { SampleWorld } from '../../testbed/world/sampleWorld';

/**
 * Each operation, read from the descriptions of the nodes, succeeds once and is refused once. An
 * operation without a case fails.
 */
const world = SampleWorld.forTests();

beforeEach(() => {
	world.listen();
	world.push.status = 200;
	world.push.received = 0;
});

const table = withTitles(offered);

/** Names and IDs that the output may use for the columns of the grid. */
const columns = () => new Set([...world.orders.fields].flatMap(([name, { id }]) => [name, id]));

/** The values that a case maps to columns, which an item could have. */
function mappedIn({ columns: mapper }: INodeParameters): unknown {
	const values = z.object({ value: z.record(z.string(), z.unknown()) }).safeParse(mapper).data?.value;
	const names = new Map([...world.orders.fields].map(([name, { id }]) => [id, name]));
	const named = Object.entries(values ?? {}).map(([id, value]) => [names.get(id) ?? id, value] as const);
	return Object.fromEntries(named.filter(([, value]) => value !== null));
}

test('each case belongs to an existing operation', () => {
	expect(orphans()).toEqual([]);
	expect(offered.length).toBeGreaterThan(60);
});

test.each(table)('%s succeeds', async (_title, operation) => {
	const { parameters, input, output } = caseOf(operation);
	const given = await parameters(world);
	const { rows, items, error } = await world.run(
		{ ...operation, parameters: given },
		{ input: input?.(world) },
	);
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject(output);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	const schema = schemaOf(rows, columns());
	const sample = sampleOf(input?.(world)[0] ?? mappedIn(given), rows[0]);
	if (process.env.FREEZE === '1') {
		freezeSchema(operation, schema);
		freezeSample(operation, sample);
	}
	const frozen = frozenSample(operation);
	expect(frozen && namesIn(frozen)).toEqual(namesIn(sample));
	expect(publishedSchema(operation)).toEqual(schema);
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
	});
	expect(error?.message).toMatch(refusal.message);
	expect(error?.description).toContain(refusal.description);
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
			input: [item, item],
			onError: 'continueErrorOutput',
		});
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toEqual([]);
		expect(run.outputs[1]).toHaveLength(2);
		expect(run.outputs[1]?.[0]?.json).toMatchObject({ error: expect.any(String) as unknown });
	},
);
