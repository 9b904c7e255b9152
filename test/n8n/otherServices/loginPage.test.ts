import { caseOf, offered, type Offered } from '../cases';
import { SampleWorld } from '../../../testbed/world/sampleWorld';
import type * as SkippedWaits from '../../fixtures/skippedWaits';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof SkippedWaits>('../../fixtures/skippedWaits').withoutWaits(),
);

/**
 * Every operation, where a gateway answers each write with its login page (200, HTML) and lets
 * reads through; and the file of an export. None may say that it was carried out.
 */
let world: SampleWorld;
const PAGE = '<!DOCTYPE html>\n<html><title>Log in</title><form method="post"></form></html>';
const page = { kind: 'response', status: 200, headers: { 'content-type': 'text/html' }, body: PAGE } as const;

beforeAll(async () => {
	world = await SampleWorld.start();
});
afterAll(async () => {
	await world.stop();
});

const written = new Set<string>();

test.each(offered.map((operation): [string, Offered] => [operation.title, operation]))(
	'%s',
	async (title, operation) => {
		const { parameters, input } = caseOf(operation);
		world.listen();
		const given = await parameters(world);
		world.listen(({ method }) => (method === 'GET' ? undefined : page));
		const { error, rows } = await world.run({ ...operation, parameters: given }, { input: input?.(world) });
		if (world.writes.length === 0) return;
		written.add(title);
		expect(rows).toEqual([]);
		expect(error?.message).toContain('It is unknown whether the service carried out the request');
		// A row with a key is looked up, and sent again if it is missing.
		expect(new Set(world.writes).size).toBe(1);
	},
	60_000,
);

test('covers every operation that writes', () => {
	// Its row has no history yet: there is nothing to restore.
	const reading = /\.(count|get|lookUp|search|export|send|restore)/i;
	const writing = offered.map(({ title }) => title).filter((title) => !reading.test(title));
	expect(writing.filter((title) => !written.has(title))).toEqual([]);
});

test('refuses a login page as a CSV file, whatever its content type', async () => {
	const operation = offered.find(({ title }) => title === 'grid → grid.exportCsv');
	if (!operation) throw new Error('There is no such operation');
	for (const headers of [
		{ 'content-type': 'text/html; charset=utf-8' },
		{ 'content-type': 'application/xhtml+xml' },
	]) {
		world.listen(({ path }) => (path.includes('/csv') ? { ...page, headers } : undefined));
		const { error, rows } = await world.run({
			...operation,
			parameters: await caseOf(operation).parameters(world),
		});
		expect(rows).toEqual([]);
		expect(error?.message).toContain('The service responded with an HTML page');
	}
});

test('accepts a CSV file with the content type of a page', async () => {
	const operation = offered.find(({ title }) => title === 'grid → grid.exportCsv');
	if (!operation) throw new Error('There is no such operation');
	const answer = { ...page, body: 'Order\nA-1\n' };
	world.listen(({ path }) => (path.includes('/csv') ? answer : undefined));
	const { items } = await world.run({ ...operation, parameters: await caseOf(operation).parameters(world) });
	const [file] = Object.values(items[0]?.binary ?? {});
	expect(Buffer.from(file?.data ?? '', 'base64').toString()).toBe('Order\nA-1\n');
});
