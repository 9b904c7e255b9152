import { setTimeout as sleep } from 'node:timers/promises';
import { id, makeGrid, type Caller } from '../http';
import { ServiceProcess } from '../upkeep/serviceProcess';

/** Number of rows; each has 1.9 MB, the maximum body size, so a page of all has 152 MB. */
const ROWS = 80;
const TEXT = 'x'.repeat(950_000);
/**
 * What the service may hold for a page whose reader waits after the first bytes. A CSV export
 * begins with a portion of 16 rows (30 MB), held as text and as bytes to be sent.
 */
const MAX_ADDED_MIB = 80;
/** How long the reader waits. */
const PAUSE_MS = 2_000;

let service: ServiceProcess;
let owner: Caller;
let grid: string;
let view: string;
let ids: Record<string, string>;

beforeAll(async () => {
	service = new ServiceProcess();
	owner = await service.start();
	({ grid, ids } = await makeGrid(owner, {
		a: { name: 'richText' },
		b: { name: 'richText' },
		n: { name: 'integer' },
	}));
	const form = await owner.create(`${grid}/links`, { kind: 'form' });
	view = await owner.create(`${grid}/links`, { kind: 'view' });
	for (let n = 0; n < ROWS; n++) {
		await owner.create(form, { [id(ids, 'a')]: TEXT, [id(ids, 'b')]: TEXT, [id(ids, 'n')]: n });
	}
}, 600_000);
afterAll(() => service.remove());

/**
 * Reads a response as a stream, with a pause after the first bytes.
 * @returns status, length, number of occurrences of `wanted`, last characters, and what the service
 * holds at the end of the pause in MiB
 */
async function readStream(path: string, wanted: string) {
	let response = await owner.stream(path);
	// On a busy machine the search may exceed its time limit.
	while (response.status === 503) response = await owner.stream(path);
	let [length, count, tail, held] = [0, 0, '', 0];
	const chunks: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
	if (!chunks) throw new Error('The response has no body');
	for await (const chunk of chunks) {
		if (length === 0) {
			await sleep(PAUSE_MS);
			held = await service.heldMiB();
		}
		const text = tail + Buffer.from(chunk).toString('latin1');
		length += chunk.length;
		// Occurrences within the previous tail are already counted.
		count += text.split(wanted).length - tail.split(wanted).length;
		tail = text.slice(-200);
	}
	return { status: response.status, length, count, tail, held };
}

test(`a page of ${ROWS} rows of 1.9 MB is streamed, and read completely`, async () => {
	const sorting = encodeURIComponent(JSON.stringify({ [id(ids, 'n')]: { $order: 'descending' } }));
	const filter = encodeURIComponent(JSON.stringify({ [id(ids, 'n')]: { $gte: 0 } }));
	const pages: Array<[string, string, number]> = [
		[`${grid}/entities?filter=${filter}&sorting=${sorting}`, '"_id":', ROWS],
		[`${grid}/updates?since=2020-01-01T00%3A00%3A00Z`, '"entityId":', ROWS],
		[`${view}/entities`, '"_id":', ROWS],
		[`${grid}/csv`, '\n', ROWS + 1],
	];
	const added: number[] = [];
	for (const [path, wanted, rows] of pages) {
		const before = await service.heldMiB();
		const { status, length, count, tail, held } = await readStream(path, wanted);
		expect([path, status, count]).toEqual([path, 200, rows]);
		expect(length).toBeGreaterThan(ROWS * 2 * TEXT.length);
		if (wanted !== '\n') expect(tail).toMatch(new RegExp(`"size":${ROWS}}$`));
		added.push(Math.round(held - before));
	}
	process.stderr.write(`${ROWS} rows of 1.9 MB: ${added.join(', ')} MiB more while the reader waits\n`);
	expect(Math.max(...added)).toBeLessThan(MAX_ADDED_MIB);
}, 600_000);

test('the service keeps working after clients disconnect within a page', async () => {
	for (let n = 0; n < 20; n++) {
		const response = await owner.stream(`${grid}/entities`);
		await response.body?.cancel();
	}
	expect(await owner.read(`${grid}/entities`, { pageSize: '1' })).toMatchObject({
		size: 1,
		numberOfItems: ROWS,
	});
}, 600_000);
