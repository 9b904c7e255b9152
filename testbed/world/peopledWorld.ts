import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addUser } from '../../service/cli/commands';
import { ProxiedWorld } from './proxiedWorld';

/** A proxied world with a data file, so that the command line of its service can add accounts. */
export class PeopledWorld extends ProxiedWorld {
	private readonly data: string;

	constructor() {
		const folder = mkdtempSync(join(tmpdir(), 'datagrid-'));
		const data = join(folder, 'data.db');
		super({ data });
		this.data = data;
		afterAll(() => {
			rmSync(folder, { recursive: true });
		});
	}

	/** Adds an account with a role in the world's space. @returns its credentials */
	async person(role: string) {
		const { client, spaceId } = this;
		const { key, secret, email } = addUser(this.data, role, undefined);
		await client.shares.create(await client.spaces.get(spaceId), { email, role });
		return { dataGridApi: { ...this.owner, key, secret, baseUrl: this.proxy.url } };
	}
}
