import { id, makeGrid, objects, type Caller } from '../http';
import { ServiceProcess } from '../upkeep/serviceProcess';

/**
 * Number of rows; each has 1.9 MB, the maximum body size, so a page of all has 540 MB.
 */
const ROWS = 285;
const TEXT = 'x'.repeat(950_000);
/**
 * Maximum memory of the service. The text of one page has 540 MiB, and the service 250 MiB before:
 * a page that is not streamed needs 790 MiB at least. On a busy machine, memory is freed late.
 */
const MAX_MEMORY_MIB = 720;

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
}, 300_000);
afterAll(() => service.remove());

const MEASURE_INTERVAL_BYTES = 4 * 1024 * 1024;

/**
 * Reads a response as a stream.
 * @returns status, length, number of occurrences of `wanted`, last characters, and the peak
 * memory of the service in MiB
 */
async function readStream(path: string, wanted: string) {
	let response = await owner.stream(path);
	// On a busy machine the search may exceed its time limit.
	while (response.status === 503) response = await owner.stream(path);
	let next = 0;
	let [length, count, tail, memory] = [0, 0, '', 0];
	const chunks: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
	if (!chunks) throw new Error('The response has no body');
	for await (const chunk of chunks) {
		const text = tail + Buffer.from(chunk).toString('latin1');
		length += chunk.length;
		// Occurrences within the previous tail are already counted.
		count += text.split(wanted).length - tail.split(wanted).length;
		tail = text.slice(-200);
		if (length > next) {
			memory = Math.max(memory, service.memoryMiB());
			next += MEASURE_INTERVAL_BYTES;
		}
	}
	return { status: response.status, length, count, tail, memory };
}

test('a page of 285 rows of 1.9 MB is streamed completely and within the memory limit', async () => {
	const before = service.memoryMiB();
	const sorting = encodeURIComponent(JSON.stringify({ [id(ids, 'n')]: { $order: 'descending' } }));
	const filter = encodeURIComponent(JSON.stringify({ [id(ids, 'n')]: { $gte: 0 } }));
	const pages: Array<[string, string, number]> = [
		[`${grid}/entities?filter=${filter}&sorting=${sorting}`, '"_id":', ROWS],
		[`${grid}/updates?since=2020-01-01T00%3A00%3A00Z`, '"entityId":', ROWS],
		[`${view}/entities`, '"_id":', ROWS],
		[`${grid}/csv`, '\n', ROWS + 1],
	];
	const most: number[] = [];
	for (const [path, wanted, rows] of pages) {
		const { status, length, count, tail, memory } = await readStream(path, wanted);
		expect([path, status, count]).toEqual([path, 200, rows]);
		expect(length).toBeGreaterThan(ROWS * 2 * TEXT.length);
		if (wanted !== '\n') expect(tail).toMatch(new RegExp(`"size":${ROWS}}$`));
		most.push(Math.round(memory));
	}
	process.stderr.write(
		`285 rows of 1.9 MB: ${Math.round(before)} MiB before, at most ${most.join(', ')} MiB\n`,
	);
	expect(Math.max(...most)).toBeLessThan(MAX_MEMORY_MIB);
}, 300_000);

test('pages of large rows by pageIndex contain each row exactly once', async () => {
	const seen: number[] = [];
	for (let page = 1, pages = 1; page <= pages; page++) {
		const body = (
			await owner.get(`${grid}/entities`, { layout: 'indexed', pageSize: '40', pageIndex: String(page) })
		).json();
		pages = Number(body['numberOfPages']);
		const items = objects(body['items']);
		expect([body['page'], body['pageSize'], body['numberOfItems'], body['size']]).toEqual([
			page,
			40,
			ROWS,
			items.length,
		]);
		for (const { fields } of items) if (Array.isArray(fields)) seen.push(Number(fields[2]));
	}
	expect(seen).toEqual(Array.from({ length: ROWS }, (_, n) => n));
}, 300_000);

test('the service keeps working after clients disconnect within a page', async () => {
	for (let n = 0; n < 20; n++) {
		const response = await owner.stream(`${grid}/entities`);
		await response.body?.cancel();
	}
	expect((await owner.get(`${grid}/entities`, { pageSize: '1' })).json()).toMatchObject({
		size: 1,
		numberOfItems: ROWS,
	});
});
