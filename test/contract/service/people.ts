import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addUser, makeToken } from '../../../service/cli/commands';
import { Caller, ForAllTests, startWithOwner } from './http';
import type { ServiceOptions } from '../../../service/server';

/**
 * Starts a service with its own data file, so that its command line can add accounts. `end()`
 * stops the service and deletes the file.
 */
export async function startWithPeople(options: Partial<ServiceOptions> = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'datagrid-'));
	const data = join(folder, 'data.db');
	const context = await startWithOwner({ data, ...options });
	return {
		...context,
		data,
		/** Adds an account, as `main.js user add` does. */
		person: (name: string) => {
			const { userId, key, secret, email } = addUser(data, name, undefined);
			return { caller: Caller.basic(context.service.url, userId, key, secret), email, userId };
		},
		/** Returns a caller with a bearer token, as `main.js token` prints it. */
		bearer: async (name?: string) => {
			const { userId, token } = await makeToken(data, name, 1);
			const { url } = context.service;
			return new Caller(() => ({ url, userId, authorization: `Bearer ${token}` }));
		},
		end: async () => {
			await context.service.stop();
			rmSync(folder, { recursive: true });
		},
	};
}

/** Registers the hooks of a test file: its service, callers and accounts. */
class TestPeople extends ForAllTests<Awaited<ReturnType<typeof startWithPeople>>> {
	person = (name: string) => this.context.person(name);
	bearer = (name?: string) => this.context.bearer(name);

	get data(): string {
		return this.context.data;
	}
}

/** Registers the hooks of a test file. @returns its service, callers and accounts */
export const testPeople = (options: Partial<ServiceOptions> = {}) =>
	new TestPeople(() => startWithPeople(options));
