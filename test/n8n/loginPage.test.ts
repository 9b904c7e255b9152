import type { Call } from '../../testbed/world/call';
import { SampleWorld } from '../../testbed/world/sampleWorld';

/** A gateway responds to downloads with its login page (200, HTML). */
const world = SampleWorld.forTests();
const PAGE = '<!DOCTYPE html>\n<html><title>Log in</title><form method="post"></form></html>';
const page = { kind: 'response', status: 200, headers: { 'content-type': 'text/html' }, body: PAGE } as const;

/** A download of the service's own file. */
const download = (): Call => ({
	node: 'entity',
	resource: 'entity',
	operation: 'export',
	parameters: { ...world.inGrid, fileMadeBy: 'service' },
});

test.each(['text/html; charset=utf-8', 'application/xhtml+xml'])(
	'a login page with the content type %s is no CSV file',
	async (type) => {
		const headers = { 'content-type': type };
		world.listen(({ path }) => (path.includes('/csv') ? { ...page, headers } : undefined));
		const { error, rows } = await world.run(download());
		expect(rows).toEqual([]);
		expect(error?.message).toContain('The service responded with an HTML page');
	},
);

test('accepts a CSV file with the content type of an HTML page', async () => {
	const file = { ...page, body: 'Order\nA-1\n' };
	world.listen(({ path }) => (path.includes('/csv') ? file : undefined));
	const { items } = await world.run(download());
	const [stored] = Object.values(items[0]?.binary ?? {});
	expect(Buffer.from(stored?.data ?? '', 'base64').toString()).toBe('Order\nA-1\n');
});
