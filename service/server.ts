import type { AddressInfo } from 'node:net';
import { LIMITS } from './rules/limits';
import { inspect } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { signingKeyOf } from './cli/commands';
import { openAccessLog, type AccessLog } from './http/accessLog';
import { Draining } from './http/draining';
import { createHttp, type HttpOptions } from './http/app';
import { STREAM_LIMITS, type StreamLimits } from './http/unread';
import { ownerOf } from './cli/owner';
import { allRoutes } from './routes/all';
import { seedDemo } from './cli/seed';
import { namingDamage, requireUsable } from './store/files/dataFile';
import { lockDataFile, requireOtherFile } from './store/files/lock';
import { Store } from './store/store';

/** Time for active requests when the service stops. */
export const GRACE_MS = 10_000;

const DAY_MS = 24 * 3600 * 1000;
/** Interval at which the history is trimmed. */
const TRIMMING_MS = 3600 * 1000;

export interface ServiceOptions {
	/** The data file, or `:memory:`. */
	readonly data: string;
	/** 0 chooses a free port. */
	readonly port?: number;
	readonly host?: string;
	/** Initial content of a new data file; ignored for an existing one. */
	readonly seed?: 'demo' | 'empty';
	/** Maximum size of a body, in bytes. */
	readonly bodyLimit?: number;
	/** Maximum time for a request to arrive, in milliseconds. */
	readonly requestTimeout?: number;
	/** Maximum requests per second of a key, token or address; unlimited if omitted. */
	readonly requestsPerSecond?: number;
	/**
	 * Addresses or networks of reverse proxies whose `X-Forwarded-For` is trusted; none if omitted.
	 */
	readonly trustedProxies?: readonly string[];
	/** Origins of web pages that may call the API (CORS); none if omitted. */
	readonly origins?: readonly string[];
	/** Address at which people open the service, if a proxy changes it. */
	readonly publicUrl?: string;
	/** File for one line of JSON per request, or `-` for standard error; none if omitted. */
	readonly log?: string;
	/** Age in days after which history and updates are deleted; kept forever if omitted. */
	readonly keepHistoryDays?: number;
	/** Time for active requests when the service stops, in milliseconds. */
	readonly graceMs?: number;
	/** Maximum processor time of a search, in milliseconds. */
	readonly statementMs?: number;
	/** Memory of streamed responses; `STREAM_LIMITS` if omitted. */
	readonly streams?: StreamLimits;
	/** Cost N of scrypt for passwords of public links; lower only in tests. */
	readonly passwordCost?: number;
	/** Clock for event timestamps and throttling, in milliseconds since 1970. */
	readonly now?: () => number;
	/** Called for every internal error; the message contains no secret. */
	readonly onFault?: (error: unknown) => void;
}

export interface RunningService {
	/** Base URL; the API is below `{url}/api`. */
	readonly url: string;
	/** The owner's API key. */
	readonly key: string;
	readonly secret: string;
	readonly userId: string;
	/** Completes active requests within `graceMs` and closes the data file. */
	stop(): Promise<void>;
}

/**
 * Starts the Data-Grid Service in this process.
 * @throws if the port or data file is in use, or the data file cannot be opened or is of a newer
 *   version
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
	const inMemory = options.data === ':memory:';
	if (!inMemory) requireUsable(options.data);
	if (!inMemory && options.log !== undefined) requireOtherFile(options.data, options.log);
	const unlock = inMemory ? () => undefined : lockDataFile(options.data);
	const onFault =
		options.onFault ??
		((error) => {
			process.stderr.write(`${inspect(error)}\n`);
		});
	const store = openStore({ ...options, onFault }, unlock);
	let accessLog: AccessLog | undefined;
	try {
		const owner = ownerOf(store, options.data);
		seed(store, owner.userId, options.seed ?? 'empty');
		const signingKey = signingKeyOf(store);
		store.clearLeftovers();
		store.groupCommits();
		store.conversions.resume();
		if (options.log !== undefined) accessLog = openAccessLog(options.log, onFault);
		const { app, connections } = await createHttp(
			httpOptions(store, signingKey, { ...options, onFault }, accessLog),
		);
		const draining = new Draining(app, connections);
		const url = await listen(app, options);
		// A timer would keep a process alive whose port is in use.
		const trimming = keepTrimming(store, options, onFault);
		store.checkFile(onFault);
		return {
			...owner,
			url,
			stop: async () => {
				clearInterval(trimming);
				await draining.finish(options.graceMs ?? GRACE_MS);
				await app.close();
				await accessLog?.close();
				await store.stop();
				store.close();
				unlock();
			},
		};
	} catch (error) {
		await accessLog?.close();
		await store.stop();
		store.close();
		unlock();
		throw namingDamage(options.data, error);
	}
}

/** Fills a new data file. */
function seed(store: Store, userId: string, content: 'demo' | 'empty'): void {
	store.transaction(() => {
		if (store.accounts.hasSetting('seed')) return;
		store.accounts.setting('seed', () => content);
		if (content === 'demo') seedDemo(store, userId);
	});
}

/** The options of the HTTP server, with defaults. */
const httpOptions = (
	store: Store,
	signingKey: string,
	options: ServiceOptions & Pick<HttpOptions, 'onFault'>,
	accessLog: AccessLog | undefined,
): HttpOptions => ({
	store,
	routes: allRoutes,
	signingKey,
	bodyLimit: options.bodyLimit ?? LIMITS.bodyBytes,
	requestTimeout: options.requestTimeout ?? 30_000,
	streams: options.streams ?? STREAM_LIMITS,
	requestsPerSecond: options.requestsPerSecond,
	trustedProxies: options.trustedProxies ?? [],
	origins: options.origins ?? [],
	publicUrl: options.publicUrl,
	accessLog,
	now: options.now ?? Date.now,
	onFault: options.onFault,
});

/** @returns the base URL */
async function listen(app: FastifyInstance, { port = 0, host = '127.0.0.1' }: ServiceOptions) {
	await app.listen({ port, host });
	const address = addressOf(app.server.address());
	return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** Time after which a discarded grid is deleted, in days. */
const DISCARDED_DAYS = 30;

/** Deletes old discarded grids now and every hour, and trims the history if that is enabled. */
function keepTrimming(
	store: Store,
	{ keepHistoryDays: days, now = Date.now }: ServiceOptions,
	onFault: (error: unknown) => void,
): NodeJS.Timeout {
	const trim = () => {
		try {
			store.removeDiscarded(now() - DISCARDED_DAYS * DAY_MS);
		} catch (error) {
			// A full disk ends no service; they are deleted an hour later.
			onFault(error);
		}
		if (days === undefined) return;
		store.trimHistory(now() - days * DAY_MS).catch((error: unknown) => {
			// After a stop, trimming continues at the next start.
			if (!store.slices.closed) onFault(error);
		});
	};
	trim();
	return setInterval(trim, TRIMMING_MS);
}

/** Opens the data file; releases its lock on failure. */
function openStore(options: ServiceOptions, unlock: () => void): Store {
	try {
		return new Store({
			path: options.data,
			...(options.statementMs === undefined ? {} : { statementMs: options.statementMs }),
			...(options.now === undefined ? {} : { now: options.now }),
			...(options.passwordCost === undefined ? {} : { passwordCost: options.passwordCost }),
			...(options.onFault === undefined ? {} : { onFault: options.onFault }),
		});
	} catch (error) {
		unlock();
		throw namingDamage(options.data, error);
	}
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
	if (address === null || typeof address === 'string')
		throw new Error('The service does not listen on a port');
	return address;
}
