import { dirname, delimiter } from 'node:path';
import { env as ownEnv } from 'node:process';
import { freePort } from '../../scripts/setup/ports.mjs';
import { startProcess, type Running } from '../process';
import { until } from '../until';
import type { N8nInstall } from '../../scripts/setup/n8n.mjs';

/** Environment variables of the user's own n8n. */
const FOREIGN = /^(N8N|DB|QUEUE|EXECUTIONS|WEBHOOK|NODE_FUNCTION|NODES|CREDENTIALS|GENERIC|npm)_/;

/** Disables n8n's requests to its vendor and makes it listen on 127.0.0.1 only. */
const QUIET = {
	N8N_HOST: '127.0.0.1',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_PROTOCOL: 'http',
	N8N_SECURE_COOKIE: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DIAGNOSTICS_CONFIG_FRONTEND: '',
	N8N_DIAGNOSTICS_CONFIG_BACKEND: '',
	EXTERNAL_FRONTEND_HOOKS_URLS: '',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_AI_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	// A busy machine exceeds the five seconds of a ping, and n8n then answers everything with 503.
	DB_PING_INTERVAL_SECONDS: '3600',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	NO_COLOR: '1',
};

/** While n8n starts, it responds with 200 or 404 here; later it asks for a login. */
const MAIN = { path: '/rest/login', sign: '"Unauthorized"' };

export interface N8nOptions {
	install: N8nInstall;
	/** Folder in which n8n creates `.n8n`. */
	userFolder: string;
	log: string;
	/** Default: a free one. */
	port?: number;
	/** Whether to offer the editor, which takes a third of n8n's start; default: yes. */
	hasEditor?: boolean;
	/** More settings. */
	env?: Readonly<Record<string, string>>;
	/** Default: `start`. */
	command?: readonly string[];
	/** Path and content of the response when it is ready; default: those of a main process. */
	ready?: {
		path: string;
		sign: string;
	};
}

export type RunningN8n = Running & { url: string };

/**
 * Starts n8n and waits until it is ready.
 * @throws if it ends while starting, with its output
 */
export async function startN8n({
	install,
	userFolder,
	log,
	port,
	hasEditor = true,
	env = {},
	command = ['start'],
	ready = MAIN,
}: N8nOptions): Promise<RunningN8n> {
	const listenOn = String(port ?? (await freePort()));
	const url = `http://127.0.0.1:${listenOn}`;
	const own = Object.fromEntries(Object.entries(ownEnv).filter(([name]) => !FOREIGN.test(name)));
	const process = await startProcess({
		file: install.node,
		args: [install.script, ...command],
		cwd: userFolder,
		env: {
			...own,
			...QUIET,
			// n8n starts Node for Code nodes and npm for packages: both must be this version.
			PATH: `${dirname(install.node)}${delimiter}${own['PATH'] ?? ''}`,
			N8N_USER_FOLDER: userFolder,
			N8N_PORT: listenOn,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...(hasEditor ? {} : { N8N_DISABLE_UI: 'true' }),
			// Node 20 has no build of the newer expression engine of n8n 1.123.
			...(install.version.startsWith('1.') ? { N8N_EXPRESSION_ENGINE: 'legacy' } : {}),
			...env,
		},
		log,
	});
	const isReady = async () => {
		if (!process.isRunning()) {
			throw new Error(`n8n ended while starting (${await process.ended}):\n${process.lastOutput().trim()}`);
		}
		// Not listening yet, it refuses the connection.
		return await fetch(`${url}${ready.path}`, { signal: AbortSignal.timeout(5000) })
			.then((response) => response.text())
			.then((text) => text.includes(ready.sign))
			.catch(() => false);
	};
	try {
		await until('n8n to be ready', isReady, { everyMs: 200 });
	} catch (error) {
		await process.stop(5000);
		throw error;
	}
	return { ...process, url };
}
