import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { packagedN8n } from '../../testbed/n8n/packagedN8n';
import { until } from '../../testbed/until';
import { root } from '../../scripts/setup/paths.mjs';
import type { N8nInstall } from '../../scripts/setup/n8n.mjs';
import type { TargetService } from '../target/service';
import type { Flow } from './workflows';

/** Milliseconds. */
const MAX_RUN_MS = 300_000;

const noteSchema = z.object({
	workflowId: z.string(),
	error: z.string().optional(),
	nodes: z.array(
		z.object({
			name: z.string(),
			took: z.number(),
			items: z.number(),
			error: z.string().optional(),
		}),
	),
	output: z.array(z.record(z.string(), z.unknown())),
	peakKilobytes: z.number(),
});

/** n8n's record of an execution */
export type Note = z.infer<typeof noteSchema>;

/**
 * A real n8n with this package installed like a community package. Executions are not saved,
 * because that would add the same cost to every node.
 * @param url of the target service
 * @param longestRun timeout of an execution in milliseconds
 * @param env further settings of n8n
 */
export async function startMeasuredN8n(
	install: N8nInstall,
	url: string,
	longestRun = MAX_RUN_MS,
	env: Readonly<Record<string, string>> = {},
) {
	// Outside this project; otherwise the package would resolve this project's modules instead of
	// n8n's.
	const folder = await mkdtemp(join(tmpdir(), 'bench-n8n-'));
	const startPackaged = await packagedN8n({ install, userFolder: folder });
	const notes = join(folder, 'notes.jsonl');
	await writeFile(notes, '');
	const start = async () =>
		await startPackaged({
			log: join(folder, 'n8n.log'),
			env: {
				EXTERNAL_HOOK_FILES: join(root, 'bench', 'n8n', 'observer.mjs'),
				BENCH_NOTES: notes,
				N8N_CUSTOM_EXTENSIONS: join(root, 'bench', 'n8n', 'floor'),
				EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
				EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
				N8N_ENCRYPTION_KEY: 'bench',
				N8N_RUNNERS_MAX_PAYLOAD: '1073741824',
				...env,
			},
		});
	let { n8n, rest } = await start();
	/** IDs by path of the workflow */
	const known: Map<string, string> = new Map();

	/** Imports and activates a workflow that starts with a request to its path, unless it exists. */
	const add = async (target: TargetService, { name, nodes, connections }: Flow) => {
		if (known.has(name)) return;
		const { key, secret } = target;
		const grid = { baseUrl: url, authentication: 'apiKey', key, secret };
		const basic = { user: key, password: secret };
		const credentials = {
			dataGridApi: await rest.putCredential({ name: 'Grid', type: 'dataGridApi', data: grid }),
			httpBasicAuth: await rest.putCredential({ name: 'Basic', type: 'httpBasicAuth', data: basic }),
		};
		const withCredentials = nodes.map((node) => ({
			...node,
			...(node.credential === undefined
				? {}
				: { credentials: { [node.credential]: { id: credentials[node.credential].id, name: '' } } }),
		}));
		const workflow = await rest.createWorkflow({ name, nodes: withCredentials, connections });
		await rest.activate(workflow);
		known.set(name, workflow.id);
		await answers(name);
	};

	/** n8n activates workflows asynchronously. */
	const answers = async (name: string) => {
		await until(`the activation of "${name}"`, async () => {
			// With the wrong method, a registered path responds with an error and runs nothing.
			const response = await fetch(`${n8n.url}/webhook/${name}`, { method: 'DELETE' });
			return (await response.text()).includes('not registered for DELETE');
		});
	};

	const allNotes = async (): Promise<Note[]> => {
		// The last line may be incomplete.
		const lines = (await readFile(notes, 'utf8')).split('\n').slice(0, -1);
		return lines.map((line) => noteSchema.parse(JSON.parse(line)));
	};

	/** Starts a workflow. */
	const begin = async (name: string) => {
		const response = await fetch(`${n8n.url}/webhook/${name}`);
		if (!response.ok) throw new Error(`n8n did not start "${name}": ${await response.text()}`);
	};

	/** Runs a workflow and waits for its end. */
	const run = async (name: string): Promise<Note> => {
		const before = (await allNotes()).length;
		await begin(name);
		const newNote = async () => {
			if (!n8n.isRunning()) throw new Error(`n8n ended: ${n8n.lastOutput()}`);
			return (await allNotes()).slice(before).find(({ workflowId }) => workflowId === known.get(name));
		};
		return await until(`the end of "${name}"`, newNote, { withinMs: longestRun, everyMs: 50 });
	};

	/** Starts n8n after its end, with the same data. */
	const restart = async () => {
		({ n8n, rest } = await start());
		for (const name of known.keys()) await answers(name);
	};

	const stop = async () => {
		await n8n.stop();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	};
	return {
		get n8n() {
			return n8n;
		},
		...{ add, begin, run, restart, stop },
	};
}

export type MeasuredN8n = Awaited<ReturnType<typeof startMeasuredN8n>>;
