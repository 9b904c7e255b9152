import { mkdir } from 'node:fs/promises';
import { installCommunityPackage, packProject } from './communityPackage';
import { startN8n, type N8nOptions, type RunningN8n } from './n8n';
import { N8nRest } from './rest';

const OWNER = { email: 'owner@example.com', password: 'Owner-Test-1', firstName: 'Test', lastName: 'Owner' };

interface SignedInN8n {
	n8n: RunningN8n;
	/** Logged in as its owner */
	rest: N8nRest;
}

export interface PackagedN8n {
	/** Starts n8n, any number of times, always with the same data. */
	start: (options: Pick<N8nOptions, 'log' | 'env'>) => Promise<SignedInN8n>;
}

/**
 * An n8n with this package, installed as n8n installs it, and without its editor.
 * @param userFolder n8n makes `.n8n` in it
 */
export async function packagedN8n({
	install,
	userFolder,
}: Pick<N8nOptions, 'install' | 'userFolder'>): Promise<PackagedN8n> {
	await mkdir(userFolder, { recursive: true });
	await installCommunityPackage(userFolder, await packProject(userFolder), install.node);
	return {
		start: async (options) => {
			const n8n = await startN8n({ install, userFolder, hasEditor: false, ...options });
			const rest = new N8nRest(n8n.url, install.version);
			await rest.signIn(OWNER);
			return { n8n, rest };
		},
	};
}
