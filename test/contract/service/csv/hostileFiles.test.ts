import type { Caller, Reply } from '../http';
import { ServiceProcess } from '../upkeep/serviceProcess';

const LENGTH = 40 * 1024 * 1024;

let service: ServiceProcess;
let owner: Caller;
let space: string;
beforeAll(async () => {
	service = new ServiceProcess();
	owner = await service.start();
	space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Uploads' });
});
afterAll(() => service.remove());

/** Uploads a file. @returns the response, and the maximum memory of the service in MiB */
async function upload(file: string) {
	const form = new FormData();
	form.append('name', 'Hostile');
	form.append('file', file);
	const ended: Reply[] = [];
	const sent = owner.upload(`${space}/uploadCSV`, form).then((reply) => ended.push(reply));
	let memory = 0;
	while (ended.length === 0) {
		memory = Math.max(memory, service.memoryMiB());
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	await sent;
	return { reply: ended[0], memory };
}

test.each([
	['a header of millions of columns', ','.repeat(LENGTH), 'first line'],
	['a header that does not end', 'a'.repeat(LENGTH), 'first line'],
	['a quoted header that does not end', `"${','.repeat(LENGTH)}`, 'first line'],
	['a row of millions of cells', `a,b\n1,2\n${','.repeat(LENGTH)}`, 'line 3'],
	['a row of millions of cells after line ends of old Macs', `a;b\r1;2\r${';'.repeat(LENGTH)}`, 'line 3'],
])('%s is refused without much memory', async (_what, file, message) => {
	const { reply, memory } = await upload(file);
	expect([reply?.status, reply?.text]).toEqual([400, expect.stringContaining(message)]);
	expect(memory).toBeLessThan(1000);
});

test('a file of 63 MB takes at most 300 MB of memory while it is imported', async () => {
	const idle = service.memoryMiB();
	const line = `${'ä'.repeat(500)},${'ö'.repeat(500)}\n`;
	const { reply, memory } = await upload(`a,b\n${line.repeat(31_500)}`);
	expect(reply?.status).toBe(201);
	expect(memory - idle).toBeLessThan(300);
}, 300_000);
