import { mkdir } from 'node:fs/promises';
import { installCommunityPackage, packProject } from './communityPackage';
import { startN8n, type N8nOptions } from './n8n';
import { N8nRest } from './rest';

const OWNER = { email: 'owner@example.com', password: 'Owner-Test-1', firstName: 'Test', lastName: 'Owner' };

/**
 * An n8n with this package, installed as n8n installs it, and without its editor.
 * @param userFolder n8n makes `.n8n` in it
 * @returns starts n8n, any number of times, always with the same data; `rest` is logged in
 */
export async function packagedN8n({ install, userFolder }: Pick<N8nOptions, 'install' | 'userFolder'>) {
	await mkdir(userFolder, { recursive: true });
	await installCommunityPackage(userFolder, await packProject(userFolder), install.node);
	return async (options: Pick<N8nOptions, 'log' | 'env'>) => {
		const n8n = await startN8n({ install, userFolder, hasEditor: false, ...options });
		const rest = new N8nRest(n8n.url, install.version);
		await rest.signIn(OWNER);
		return { n8n, rest };
	};
}
