import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that notes which process polls the updates feed. */
export interface FeedPollers {
	url: string;
	/** Number of requests for the feed by process ID; 0 if no given process holds the connection. */
	counts: Map<number, number>;
	close: () => void;
}

/**
 * @param target the service's address
 * @param processes the ids of those who may come
 */
export async function watchFeedPollers(
	target: string,
	processes: () => readonly number[],
): Promise<FeedPollers> {
	const { port, hostname } = new URL(target);

	const counts: Map<number, number> = new Map();

	const open: Set<Socket> = new Set();
	const server = createServer((incoming) => {
		const onward = connect(Number(port), hostname);
		const { localPort = 0, remotePort = 0 } = incoming;
		// n8n opens a connection for each request: the first piece tells what it is.
		incoming.once('data', (piece) => {
			if (!/^GET \S*\/updates\?/.test(piece.toString('latin1'))) return;
			const pid = ownerOf({ localPort, remotePort }, processes()) ?? 0;
			counts.set(pid, (counts.get(pid) ?? 0) + 1);
		});
		for (const [one, other] of [
			[incoming, onward],
			[onward, incoming],
		] as const) {
			open.add(one);
			one.pipe(other);
			one.on('error', () => other.destroy());
			one.on('close', () => open.delete(one));
		}
	});
	await new Promise((resolve) =>
		server.listen(0, '127.0.0.1', () => {
			resolve(undefined);
		}),
	);
	const address = server.address();
	const own = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${String(own)}`,
		counts,
		close: () => {
			server.close();
			for (const socket of open) socket.destroy();
		},
	};
}

/**
 * @param connection as this end of it sees it
 * @returns the process that holds the other end
 */
function ownerOf(
	{ localPort, remotePort }: { localPort: number; remotePort: number },
	processes: readonly number[],
): number | undefined {
	const end = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
	const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
	// Both ends: other connections, also such as were closed
	// a moment ago, may come from a port of the same number.
	const line = lines
		.map((text) => text.trim().split(/\s+/))
		.find(([, own, other]) => own?.endsWith(end(remotePort)) && other?.endsWith(end(localPort)));
	const socket = `socket:[${line?.[9] ?? ''}]`;
	return processes.find((pid) => filesOf(pid).includes(socket));
}

/** @returns what it has open; nothing where it has just ended */
function filesOf(pid: number): string[] {
	const folder = `/proc/${String(pid)}/fd`;
	try {
		return readdirSync(folder).map((file) => {
			try {
				return readlinkSync(`${folder}/${file}`);
			} catch {
				// Closed between the listing and the look at it.
				return '';
			}
		});
	} catch {
		return [];
	}
}
