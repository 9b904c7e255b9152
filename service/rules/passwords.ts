import { createHmac, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { sameBytes } from './access';

/** OWASP's parameters for 16 MiB; one hash takes about 150 ms of a core. */
const COST = { N: 16_384, r: 8, p: 5 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/**
 * Cached attempts, right and wrong, so that a client that sends its password with each request
 * waits only once.
 */
const MAX_REMEMBERED = 1000;

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

const stored = (salt: Buffer, hash: Buffer) =>
	['scrypt', salt.toString('base64url'), hash.toString('base64url')].join(':');

/**
 * Hashes a password with salt, off the event loop.
 * @param N scrypt's cost; stored with the hash unless it is the usual one
 */
export async function hashPassword(password: string, N = COST.N): Promise<string> {
	const salt = randomBytes(SALT_BYTES);
	const hash = stored(salt, await derive(password, salt, HASH_BYTES, { ...COST, N }));
	return N === COST.N ? hash : `${hash}:${N}`;
}

/** Whether a password has this hash. */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
	const [, salt = '', wanted = '', N = COST.N] = hash.split(':');
	const given = await derive(password, Buffer.from(salt, 'base64url'), HASH_BYTES, { ...COST, N: Number(N) });
	return sameBytes(given, Buffer.from(wanted, 'base64url'));
}

/** Checks each attempt once: repeated and concurrent attempts share the first result. */
export class PasswordChecks {
	private readonly key = randomBytes(32);
	private readonly results = new Map<string, Promise<boolean>>();

	/** Cache key of an attempt that does not reveal the password. */
	keyOf(...parts: readonly string[]): string {
		return createHmac('sha256', this.key).update(JSON.stringify(parts)).digest('base64url');
	}

	/** Cached result of an attempt. */
	known(name: string): Promise<boolean> | undefined {
		return this.results.get(name);
	}

	/** Runs a check and caches its result, unless it fails. */
	check(name: string, run: () => Promise<boolean>): Promise<boolean> {
		const result = run();
		result.catch(() => this.results.delete(name));
		if (this.results.size >= MAX_REMEMBERED) {
			const [oldest] = this.results.keys();
			if (oldest !== undefined) this.results.delete(oldest);
		}
		this.results.set(name, result);
		return result;
	}
}
