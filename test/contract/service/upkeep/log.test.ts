import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { LogFile } from '../../../../service/http/logFile';
import { object, startWithOwner, type Json } from '../http';
import { CompiledService } from './compiledService';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';

const folder = new TemporaryFolder();

test('a log on a full disk is reported once and holds up neither requests nor the stop', async () => {
	const faults: string[] = [];
	const onFault = (error: unknown) => faults.push(String(error));
	const { service, anonymous } = await startWithOwner({ log: '/dev/full', onFault });
	for (let n = 0; n < 5; n++) expect((await anonymous.get('/api/health')).status).toBe(200);
	await service.stop();
	expect(faults).toEqual([expect.stringMatching(/log \/dev\/full cannot be written: .*ENOSPC/)]);
});

test('the service does not start with a log that cannot be opened, and leaves its data file free', async () => {
	const file = folder.file('file');
	writeFileSync(file, '');
	const data = folder.file('data.db');
	await expect(startWithOwner({ data, log: join(file, 'access.log') })).rejects.toThrow(file);
	await expect(startWithOwner({ data, log: folder.path })).rejects.toThrow('EISDIR');
	const { service } = await startWithOwner({ data });
	await service.stop();
});

test('a log is not written into the data file or one beside it', async () => {
	const data = folder.file('data.db');
	const refused = async (log: string) => {
		await expect(startWithOwner({ data, log })).rejects.toThrow('belongs to the data file');
	};
	await refused(data);
	await (await startWithOwner({ data })).service.stop();
	const link = folder.file('link');
	symlinkSync(data, link);
	for (const log of [link, `${folder.path}/./data.db`, `${data}-wal`, `${data}.lock`, `${data}.owner.json`])
		await refused(log);
	await (await startWithOwner({ data, log: `${data}.log` })).service.stop();
});

/** What a pipe holds, as soon as it holds something. */
async function contentOf(pipe: number): Promise<string> {
	const bytes = Buffer.alloc(65536);
	for (;;) {
		try {
			return bytes.toString('utf8', 0, readSync(pipe, bytes));
		} catch (error) {
			expect(String(error)).toContain('EAGAIN');
			await turn();
		}
	}
}

test('while a log cannot be written, lines wait, then are lost with a count; none is cut', async () => {
	const pipe = folder.file('pipe');
	execFileSync('mkfifo', [pipe]);
	const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
	const log = new LogFile(pipe, () => undefined);
	const written = 3000;
	for (let n = 0; n < written; n++) log.write({ n, text: 'x'.repeat(1000) });
	let text = '';
	while (!/"lostLines":\d+}\n$/.test(text)) text += await contentOf(reader);
	closeSync(reader);
	const lines: Json[] = text.trim().split('\n').map((line) => object(JSON.parse(line))); // prettier-ignore
	const kept = lines.slice(0, -1);
	expect(kept.map(({ n }) => n)).toEqual(kept.map((_, n) => n));
	expect(kept.length + Number(lines.at(-1)?.['lostLines'])).toBe(written);
	await log.close();
});

test('--log - stops with the service, also if nobody reads standard error', async () => {
	const compiled = new CompiledService();
	const args = [compiled.main, '--port', '0', '--data', ':memory:', '--log', '-'];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
	try {
		const line = String(await once(createInterface({ input: child.stdout }), 'line'));
		const { url } = object(JSON.parse(line));
		const address = `${String(url)}/api/health`;
		// Fills the pipe several times.
		const batch = Array.from({ length: 100 });
		for (let n = 0; n < 15; n++) await Promise.all(batch.map(async () => (await fetch(address)).text()));
		const gone = once(child, 'exit');
		child.kill('SIGTERM');
		expect(await gone).toEqual([0, null]);
	} finally {
		child.kill('SIGKILL');
		compiled.remove();
	}
});
