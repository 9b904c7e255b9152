import { caseOf, offered, withTitles } from '../cases';
import type { Call } from '../../../testbed/world/call';
import { SampleWorld } from '../../../testbed/world/sampleWorld';
import type * as SkippedWaits from '../../fixtures/skippedWaits';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof SkippedWaits>('../../fixtures/skippedWaits').withoutWaits(),
);

/**
 * A gateway responds to writes and downloads with its login page (200, HTML). No operation may
 * report success.
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

test.each(withTitles(offered))(
	'%s reports an unknown outcome if a write receives a login page',
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
		// A row with a key is looked up, and the write is repeated if the row is missing.
		expect(new Set(world.writes).size).toBe(1);
	},
	60_000,
);

test('covers every operation that writes', () => {
	// Restore has nothing to write, because its row has no history.
	const reading = /\.(count|get|lookUp|search|export|send|restore)/i;
	const writing = offered.map(({ title }) => title).filter((title) => !reading.test(title));
	expect(writing.filter((title) => !written.has(title))).toEqual([]);
});

/** A download of the service's own file. */
const download = (): Call => ({
	node: 'entity',
	resource: 'entity',
	operation: 'export',
	parameters: { ...world.inGrid, fileMadeBy: 'service' },
});

test('refuses a login page as a CSV file, whatever its content type', async () => {
	for (const headers of [
		{ 'content-type': 'text/html; charset=utf-8' },
		{ 'content-type': 'application/xhtml+xml' },
	]) {
		world.listen(({ path }) => (path.includes('/csv') ? { ...page, headers } : undefined));
		const { error, rows } = await world.run(download());
		expect(rows).toEqual([]);
		expect(error?.message).toContain('The service responded with an HTML page');
	}
});

test('accepts a CSV file with the content type of an HTML page', async () => {
	const file = { ...page, body: 'Order\nA-1\n' };
	world.listen(({ path }) => (path.includes('/csv') ? file : undefined));
	const { items } = await world.run(download());
	const [stored] = Object.values(items[0]?.binary ?? {});
	expect(Buffer.from(stored?.data ?? '', 'base64').toString()).toBe('Order\nA-1\n');
});
