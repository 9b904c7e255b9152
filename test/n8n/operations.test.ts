import { Stage } from '../fixtures/stage';
import { caseOf, offered, orphans, type Offered } from './cases';
import { freezeSchema, publishedSchema, schemaOf } from './outputSchema';

/**
 * Every operation of every node, read from the descriptions: it succeeds, and it is refused with
 * words that help. An operation without a case fails.
 */
let stage: Stage;

beforeAll(async () => {
	stage = await Stage.open();
});

beforeEach(() => {
	stage.listen();
	stage.push.status = 200;
	stage.push.received = 0;
});

afterAll(async () => {
	await stage.close();
});

const table = offered.map((operation): [string, Offered] => [operation.title, operation]);

/** How the output may name the columns of the grid. */
const columns = () => new Set([...stage.fields].flatMap(([name, { id }]) => [name, id]));

test('each case is one of an operation that is offered', () => {
	expect(orphans()).toEqual([]);
	expect(offered.length).toBeGreaterThan(60);
});

test.each(table)('%s succeeds', async (_title, operation) => {
	const { parameters, input, answers } = caseOf(operation);
	const { rows, items, error } = await stage.run(
		operation,
		await parameters(stage),
		undefined,
		input?.(stage),
	);
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject(answers);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	const schema = schemaOf(rows, columns());
	if (process.env.FREEZE === '1') freezeSchema(operation, schema);
	expect(publishedSchema(operation)).toEqual(schema);
});

test.each(table)('%s is refused with words that help', async (_title, operation) => {
	const { parameters, input, refusal } = caseOf(operation);
	const given = { ...(await parameters(stage)), ...refusal.parameters?.(stage) };
	stage.listen();
	refusal.prepare?.(stage);
	const { error } = await stage.run(operation, given, refusal.as?.(stage), input?.(stage));
	expect(error?.message).toMatch(refusal.says);
	expect(error).toMatchObject({ description: expect.stringContaining(refusal.advises) as unknown });
	if (!refusal.asked) expect(stage.writes).toEqual([]);
	if (!refusal.asked) expect(stage.push.received).toBe(0);
});

test.each(table)('%s goes on after an item that failed, with one item for it', async (_title, operation) => {
	const { parameters, input, refusal } = caseOf(operation);
	const given = { ...(await parameters(stage)), ...refusal.parameters?.(stage) };
	refusal.prepare?.(stage);
	const item = input?.(stage)[0] ?? {};
	const run = await stage.run(operation, given, refusal.as?.(stage), [item, item], 'continueErrorOutput');
	expect(run.error).toBeUndefined();
	expect(run.outputs[0]).toEqual([]);
	expect(run.outputs[1]).toHaveLength(2);
	expect(run.outputs[1]?.[0]?.json).toMatchObject({ error: expect.any(String) as unknown });
});
