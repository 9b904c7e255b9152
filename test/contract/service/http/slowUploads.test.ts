import { connect } from 'node:net';
import { until } from '../../../../testbed/until';
import { startWithPeople } from '../people';

const MiB = 1024 * 1024;
const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
const BEGINNING = `${part('name')}Slow\r\n${part('file')}a\n`;

type Context = Awaited<ReturnType<typeof startWithPeople>>;

/** An account that may upload files to a space of its own. */
async function member(context: Context, name: string) {
	const { caller, userId } = context.person(name);
	return { caller, path: `${await caller.create(`/api/users/${userId}/spaces`, { name })}/uploadCSV` };
}
type Member = Awaited<ReturnType<typeof member>>;

/** Begins an upload whose body ends after `size` more bytes. */
function beginUpload({ caller, path }: Member, size: number) {
	const socket = connect(Number(new URL(caller.url).port), '127.0.0.1');
	let response = '';
	socket.on('data', (data: Buffer) => (response += data.toString('latin1')));
	const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
	const head = [
		`POST ${path} HTTP/1.1`,
		'Host: a',
		`Authorization: ${caller.authorization ?? ''}`,
		'Content-Type: multipart/form-data; boundary=x',
		`Content-Length: ${BEGINNING.length + size}`,
	];
	socket.write(`${head.join('\r\n')}\r\n\r\n${BEGINNING}`);
	return { socket, closed, status: () => /^HTTP\/1\.1 (\d+)/.exec(response)?.[1] };
}

/** The response to a whole body, or undefined if it was refused while it arrived. */
async function statusOf(member: Member, size: number): Promise<string | undefined> {
	const { socket, status } = beginUpload(member, size);
	socket.write(Buffer.alloc(size, 'b'));
	await until('a response', () => status() !== undefined || socket.destroyed);
	socket.destroy();
	return status() === '503' ? undefined : status();
}
/** To a file whose last part does not end. */
const READ = '400';

test('a slow upload takes the share of its account, and returns it when it ends', async () => {
	const context = await startWithPeople();
	const [slow, other] = [await member(context, 'slow'), await member(context, 'other')];
	/** Sends all but the end, which never comes. */
	const fill = async () => {
		const upload = beginUpload(slow, 63 * MiB);
		await new Promise((sent) => upload.socket.write(Buffer.alloc(63 * MiB - 1, 'b'), sent));
		return upload;
	};
	let upload = await fill();
	const isRefused = async () => (await statusOf(slow, 2 * MiB)) === undefined;
	const isFull = async () => {
		// On a busy machine, its last bytes may arrive while another upload holds what is left.
		if (upload.status() !== undefined) upload = await fill();
		return await isRefused();
	};
	await until('a full share', isFull, { withinMs: 60_000 });
	expect(await statusOf(other, 8 * MiB)).toBe(READ);
	upload.socket.destroy();
	await until('the returned share', async () => !(await isRefused()), { withinMs: 25_000 });
	await context.end();
});

test('an upload that does not arrive in time is ended with 408', async () => {
	const context = await startWithPeople({ requestTimeout: 1000 });
	const upload = beginUpload(await member(context, 'steady'), 150);
	// A byte at a time, so that the connection is never idle. The whole body would take 15 s.
	const timer = setInterval(() => upload.socket.write('b'), 100);
	await upload.closed;
	clearInterval(timer);
	expect(upload.status()).toBe('408');
	await context.end();
});
