import { id, makeGrid, objects, type Caller } from '../http';
import { ServiceProcess } from '../upkeep/serviceProcess';

/**
 * Submissions of 1.9 MB each: as large as a body may be, and as many as take 540 MB in one page.
 */
const ROWS = 285;
const TEXT = 'x'.repeat(950_000);
/**
 * What the service may hold, in MiB; the page alone is 540
 * MiB of text, and its values as much again.
 */
const MAX_MEMORY_MIB = 600;

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

const MEASURED_EVERY_BYTES = 4 * 1024 * 1024;

/**
 * Reads an answer as it comes.
 * @returns its status, its length, how often a text is in
 *   it, its last characters, and the most memory in MiB
 */
async function skim(path: string, wanted: string) {
	let response = await owner.stream(path);
	// On a busy machine the search takes longer than the service lets it.
	while (response.status === 503) response = await owner.stream(path);
	let next = 0;
	let [length, count, tail, memory] = [0, 0, '', 0];
	const chunks: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
	if (!chunks) throw new Error('The answer has no body');
	for await (const chunk of chunks) {
		const text = tail + Buffer.from(chunk).toString('latin1');
		length += chunk.length;
		// What was counted in the tail is not counted again.
		count += text.split(wanted).length - tail.split(wanted).length;
		tail = text.slice(-200);
		if (length > next) {
			memory = Math.max(memory, service.memoryMiB());
			next += MEASURED_EVERY_BYTES;
		}
	}
	return { status: response.status, length, count, tail, memory };
}

test('a page of 285 rows of 1.9 MB is streamed completely', async () => {
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
		const { status, length, count, tail, memory } = await skim(path, wanted);
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

test('a client that disconnects within a page leaves nothing behind', async () => {
	for (let n = 0; n < 20; n++) {
		const response = await owner.stream(`${grid}/entities`);
		await response.body?.cancel();
	}
	expect((await owner.get(`${grid}/entities`, { pageSize: '1' })).json()).toMatchObject({
		size: 1,
		numberOfItems: ROWS,
	});
});
