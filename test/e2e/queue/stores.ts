import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process, { env } from 'node:process';
import { promisify } from 'node:util';
import { z, type ZodType } from 'zod/v4';
import { run } from '../../../scripts/setup/command.mjs';
import { toolOf } from '../../../scripts/setup/system.mjs';
import { freePort } from '../../../scripts/setup/ports.mjs';
import { startProcess, type Running } from '../../../testbed/process';
import { until } from '../../../testbed/until';

const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/** PostgreSQL or Redis, with its data in a temporary folder */
export interface Store {
	/** On 127.0.0.1 */
	port: number;
	/** Stops it and removes its data */
	end: () => Promise<void>;
}

export type Database = Store & { select: Select };
/** The rows of a query */
type Select = <Row>(schema: ZodType<Row>, sql: string) => Promise<Row[]>;

/** PostgreSQL refuses to run as root: then it runs as the user that its Debian package brings. */
async function postgresUser() {
	if (process.getuid?.() !== 0) return undefined;
	const ids = await Promise.all(
		['-u', '-g'].map(async (flag) => Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout)),
	);
	const [uid = 0, gid = 0] = ids;
	return { uid, gid };
}

/** @param options.user its owner, and the name of the database */
export async function startPostgres({
	user,
	database,
	password,
}: {
	user: string;
	database: string;
	password: string;
}): Promise<Database> {
	const server = toolOf('postgresql');
	const programs = dirname(server);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-postgres-'));
	const owner = await postgresUser();
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, password);

	const as: string[] = [];
	if (owner !== undefined) {
		for (const path of [folder, passwordFile]) await chown(path, owner.uid, owner.gid);
		as.push('setpriv', `--reuid=${String(owner.uid)}`, `--regid=${String(owner.gid)}`, '--clear-groups');
	}

	const command = (program: string, ...args: string[]) => {
		const [file = program, ...rest] = [...as, program, ...args];
		return { file, args: rest, cwd: folder };
	};
	const encoding = ['--encoding=UTF8', '--locale=C.UTF-8', '--auth=scram-sha-256'];
	const initdb = join(programs, 'initdb');
	await run({
		label: 'Making a database',
		...command(initdb, '-D', data, '-U', user, `--pwfile=${passwordFile}`, ...encoding),
	});
	const port = await freePort();
	const settings = {
		listen_addresses: '127.0.0.1',
		port: String(port),
		unix_socket_directories: folder,
		max_connections: '200',
	};
	const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const running = await startProcess({
		...command(server, '-D', data, ...flags),
		env,
		log: join(tmpdir(), `${folder.split('/').at(-1) ?? 'postgres'}.log`),
	});
	const end = async () => {
		await running.stop();
		await Promise.all([rm(folder, { recursive: true, force: true }), rm(running.log, { force: true })]);
	};
	try {
		await untilListening(port, running);
		const access = ['-h', '127.0.0.1', '-p', String(port), '-U', user];
		await untilTrue(running, async () => {
			const ready = promisify(execFile)(join(programs, 'pg_isready'), access);
			return await ready.then(() => true).catch(() => false);
		});
		await run({
			label: 'Naming the database',
			...command(join(programs, 'createdb'), ...access, database),
			env: { PGPASSWORD: password },
		});

		const select: Select = async (schema, sql) => {
			const asJson = `SELECT coalesce(json_agg(found), '[]') FROM (${sql}) AS found`;
			const { stdout } = await promisify(execFile)(
				join(programs, 'psql'),
				[...access, '-d', database, '--no-psqlrc', '--tuples-only', '--no-align', '--command', asJson],
				{ env: { ...env, PGPASSWORD: password }, maxBuffer: MAX_RESPONSE_BYTES },
			);
			return z.array(schema).parse(JSON.parse(stdout));
		};
		return { port, end, select };
	} catch (error) {
		await end();
		throw error;
	}
}

export async function startRedis({ password }: { password: string }): Promise<Store> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-redis-'));
	const port = await freePort();
	const flags = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--requirepass', password];
	const policy = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
	const running = await startProcess({
		file: toolOf('redis'),
		args: [...flags, ...policy],
		cwd: folder,
		env,
		log: join(folder, 'redis.log'),
	});
	const end = async () => {
		await running.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await untilListening(port, running);
		return { port, end };
	} catch (error) {
		await end();
		throw error;
	}
}

async function untilListening(port: number, running: Running) {
	await untilTrue(
		running,
		() =>
			new Promise((resolve) => {
				const socket = connect(port, '127.0.0.1');
				socket.once('connect', () => {
					socket.destroy();
					resolve(true);
				});
				socket.once('error', () => {
					resolve(false);
				});
			}),
	);
}

async function untilTrue(running: Running, isSo: () => Promise<boolean>) {
	await until('a store to start', async () => {
		if (!running.isRunning()) throw new Error(`A store did not start:\n${running.lastOutput().trim()}`);
		return await isSo();
	});
}
