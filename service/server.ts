import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { signingKeyOf } from './cli/commands';
import { openAccessLog } from './http/accessLog';
import { Draining } from './http/draining';
import { createHttp } from './http/app';
import { ownerOf } from './cli/owner';
import { allRoutes } from './routes/all';
import { seedDemo } from './cli/seed';
import { lockDataFile } from './store/files/lock';
import { Store } from './store/store';

/** How long requests under way may take when the service stops. */
export const GRACE_MS = 10_000;

const DAY_MS = 24 * 3600 * 1000;
/** How often the history is trimmed. */
const TRIMMING_MS = 3600 * 1000;

export interface ServiceOptions {
	/** The data file, or `:memory:`. */
	readonly data: string;
	/** 0 takes a free port. */
	readonly port?: number;
	readonly host?: string;
	/** What a new data file starts with. An existing one is never seeded again. */
	readonly seed?: 'demo' | 'empty';
	/** Largest body taken, in bytes. */
	readonly bodyLimit?: number;
	/** How long a client may take to send a request, in milliseconds. */
	readonly requestTimeout?: number;
	/**
	 * Requests a second of one key, token or address, past which 429 is the answer; no limit if
	 * omitted.
	 */
	readonly requestsPerSecond?: number;
	/**
	 * Addresses or networks of reverse proxies whose `X-Forwarded-For` names the caller; none if
	 * omitted.
	 */
	readonly trustedProxies?: readonly string[];
	/** Origins of web pages that may call the API (CORS); none if omitted. */
	readonly origins?: readonly string[];
	/**
	 * A file that gets one line of JSON for each request, or `-` for standard error; none if
	 * omitted.
	 */
	readonly log?: string;
	/**
	 * History and updates older than this many days are deleted; they are kept if omitted.
	 */
	readonly keepHistoryDays?: number;
	/** How long requests under way may take when the service stops, in milliseconds. */
	readonly graceMs?: number;
	/** How long a search through entities may take, in milliseconds. */
	readonly statementMs?: number;
	/**
	 * The clock behind event timestamps and the slowing down of guesses, in milliseconds since
	 * 1970.
	 */
	readonly now?: () => number;
	/** Told of every failure that is the service's own fault; never holds a secret. */
	readonly onFault?: (error: unknown) => void;
}

export interface RunningService {
	/** Base URL; the API is below `{url}/api`. */
	readonly url: string;
	/** The owner's API key. */
	readonly key: string;
	readonly secret: string;
	readonly userId: string;
	/** Finishes what is under way, within `graceMs`, and closes the data file. */
	stop(): Promise<void>;
}

/**
 * Starts the Data-Grid Service in this process.
 * @throws when the port is in use, or the data file is in use, cannot be opened or belongs to a
 * newer version
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
	const unlock = options.data === ':memory:' ? () => undefined : lockDataFile(options.data);
	const onFault =
		options.onFault ??
		((error) => {
			process.stderr.write(`${inspect(error)}\n`);
		});
	const store = openStore({ ...options, onFault }, unlock);
	try {
		const owner = ownerOf(store, options.data);
		store.transaction(() => {
			if (store.accounts.hasSetting('seed')) return;
			store.accounts.setting('seed', () => options.seed ?? 'empty');
			if (options.seed === 'demo') seedDemo(store, owner.userId);
		});
		store.groupCommits();
		store.detached.clear();
		store.conversions.resume();
		const accessLog = options.log === undefined ? undefined : openAccessLog(options.log);
		const app = await createHttp({
			store,
			routes: allRoutes,
			signingKey: signingKeyOf(store),
			bodyLimit: options.bodyLimit ?? 2 * 1024 * 1024,
			requestTimeout: options.requestTimeout ?? 30_000,
			requestsPerSecond: options.requestsPerSecond,
			trustedProxies: options.trustedProxies ?? [],
			origins: options.origins ?? [],
			accessLog,
			now: options.now ?? Date.now,
			onFault,
		});
		const draining = new Draining(app);
		const trimming = keepTrimming(store, options, onFault);
		const host = options.host ?? '127.0.0.1';
		await app.listen({ port: options.port ?? 0, host });
		const { port } = addressOf(app.server.address());
		return {
			...owner,
			url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
			stop: async () => {
				clearInterval(trimming);
				await draining.finish(options.graceMs ?? GRACE_MS);
				await app.close();
				accessLog?.close();
				await store.stop();
				store.close();
				unlock();
			},
		};
	} catch (error) {
		store.close();
		unlock();
		throw error;
	}
}

/** Trims the history now and every hour, if that is asked for. */
function keepTrimming(
	store: Store,
	{ keepHistoryDays: days, now = Date.now }: ServiceOptions,
	onFault: (error: unknown) => void,
): NodeJS.Timeout | undefined {
	if (days === undefined) return undefined;
	const trim = () => {
		store.trimHistory(now() - days * DAY_MS).catch((error: unknown) => {
			// A service that stops goes on with it at its next start.
			if (!store.slices.closed) onFault(error);
		});
	};
	trim();
	return setInterval(trim, TRIMMING_MS);
}

/** Opens the data file; when that fails, the lock on it is not kept. */
function openStore(options: ServiceOptions, unlock: () => void): Store {
	try {
		return new Store({
			path: options.data,
			...(options.statementMs === undefined ? {} : { statementMs: options.statementMs }),
			...(options.now === undefined ? {} : { now: options.now }),
			...(options.onFault === undefined ? {} : { onFault: options.onFault }),
		});
	} catch (error) {
		unlock();
		throw error;
	}
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
	if (address === null || typeof address === 'string')
		throw new Error('The service does not listen on a port');
	return address;
}
