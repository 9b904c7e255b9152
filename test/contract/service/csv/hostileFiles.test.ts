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

/** Uploads a file. @returns the response, and the most that the service held meanwhile, in MiB */
async function upload(file: string) {
	const form = new FormData();
	form.append('name', 'Hostile');
	form.append('file', file);
	const ended: Reply[] = [];
	const sent = owner.upload(`${space}/uploadCSV`, form).then((reply) => ended.push(reply));
	let held = 0;
	while (ended.length === 0) {
		held = Math.max(held, await service.heldMiB());
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	await sent;
	return { reply: ended[0], held };
}

test.each([
	['a header of millions of columns', ','.repeat(LENGTH), 'first line'],
	['a header that does not end', 'a'.repeat(LENGTH), 'first line'],
	['a quoted header that does not end', `"${','.repeat(LENGTH)}`, 'first line'],
	['a row of millions of cells', `a,b\n1,2\n${','.repeat(LENGTH)}`, 'line 3'],
	['a row of millions of cells after line ends of old Macs', `a;b\r1;2\r${';'.repeat(LENGTH)}`, 'line 3'],
])('%s is refused without much memory', async (_what, file, message) => {
	const { reply, held } = await upload(file);
	expect([reply?.status, reply?.text]).toEqual([400, expect.stringContaining(message)]);
	expect(held).toBeLessThan(300);
});

test('while a file of 63 MB is imported, the service holds little more than the file', async () => {
	const line = `${'ж'.repeat(500)},${'я'.repeat(500)}\n`;
	const { reply, held } = await upload(`a,b\n${line.repeat(31_500)}`);
	expect(reply?.status).toBe(201);
	expect(held).toBeLessThan(160);
}, 300_000);
