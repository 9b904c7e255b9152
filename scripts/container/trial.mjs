// Prepares n8n for `docker compose up`: puts the package where n8n loads it, and at the first start
// imports credentials and examples. Runs in n8n's image, before n8n.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, stdout } from 'node:process';
import { z } from 'zod/v4';

/** Where the image has the package and the examples; n8n's folder; the data of the service. */
const { TRIAL_FROM = '/opt/datagrid', TRIAL_N8N = '/home/node/.n8n', TRIAL_DATA = '/datagrid' } = env;
const { TRIAL_SERVICE = 'http://datagrid:8080', TRIAL_N8N_COMMAND = 'n8n' } = env;
const NAME = 'n8n-nodes-datagrid';
/** The example that is active from the start. */
const RUNNING = 'order-activity.json';
const CREDENTIALS = { demo: 'datagrid-demo', reader: 'datagrid-reader' };

const keySchema = z.object({ key: z.string(), secret: z.string() });
const ownerSchema = keySchema.extend({ userId: z.string() });
const markSchema = z.object({ key: z.string() });
const manifestSchema = z.object({ version: z.string() });
const nodeSchema = z.looseObject({
	type: z.string(),
	credentials: z
		.object({ dataGridApi: z.looseObject({ name: z.string() }) })
		.optional()
		.catch(undefined),
});
const exampleSchema = z.looseObject({ nodes: z.array(nodeSchema) });

/** @template T @param {z.ZodType<T>} schema @param {string} path */
const readJson = (schema, path) => schema.parse(JSON.parse(readFileSync(path, 'utf8')));
/** @param {string} path @param {unknown} value */
const writeJson = (path, value) => {
	writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
};
/** @param {string} line */
const say = (line) => stdout.write(`${line}\n`);
/** @param {readonly string[]} args */
const n8n = (...args) => execFileSync(TRIAL_N8N_COMMAND, args, { stdio: ['ignore', 'ignore', 'inherit'] });

installPackage();
const owner = readJson(ownerSchema, join(TRIAL_DATA, 'data.db.owner.json'));
// A service with new data has a new key.
const mark = join(TRIAL_N8N, 'datagrid-trial.json');
if (existsSync(mark) && readJson(markSchema, mark).key === owner.key) say('The examples are there already.');
else await importAll();
say(`The key of the service: ${owner.key}  ${owner.secret}`);

/** Files only, as n8n installs community packages. */
function installPackage() {
	const nodes = join(TRIAL_N8N, 'nodes');
	const folder = join(nodes, 'node_modules', NAME);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	cpSync(join(TRIAL_FROM, 'package'), folder, { recursive: true });
	const { version } = readJson(manifestSchema, join(folder, 'package.json'));
	writeJson(join(nodes, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [NAME]: version },
	});
}

async function importAll() {
	const work = join(TRIAL_N8N, 'datagrid-trial');
	const workflows = join(work, 'workflows');
	mkdirSync(workflows, { recursive: true });
	const reader = await makeReaderKey();
	const credentials = join(work, 'credentials.json');
	writeJson(credentials, [
		credential(CREDENTIALS.reader, 'DataGrid reader', reader),
		// New nodes of the editor get the newest credential.
		credential(CREDENTIALS.demo, 'DataGrid demo', owner),
	]);
	const files = readdirSync(join(TRIAL_FROM, 'examples')).filter((file) => file.endsWith('.json'));
	for (const file of files) writeJson(join(workflows, file), withCredentials(file));
	n8n('import:credentials', `--input=${credentials}`);
	n8n('import:workflow', '--separate', `--input=${workflows}`);
	n8n('publish:workflow', `--id=${idOf(RUNNING)}`);
	rmSync(work, { recursive: true });
	writeJson(mark, { key: owner.key });
	say(`${String(files.length)} examples imported; "Order activity" is active.`);
}

/** @returns a key with the role reader, for the examples that show one */
async function makeReaderKey() {
	const response = await fetch(`${TRIAL_SERVICE}/api/users/${owner.userId}/accessKeys`, {
		method: 'POST',
		headers: {
			authorization: `Basic ${Buffer.from(`${owner.key}:${owner.secret}`).toString('base64')}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify({ name: 'n8n trial, reader', role: 'reader' }),
	});
	if (!response.ok) throw new Error(`The service made no reader key: ${String(response.status)}`);
	return keySchema.parse(await response.json());
}

/** @param {string} id @param {string} name @param {{ key: string, secret: string }} connection */
function credential(id, name, { key, secret }) {
	const data = { authentication: 'apiKey', baseUrl: TRIAL_SERVICE, key, secret };
	return { id, name, type: 'dataGridApi', data };
}

/** @param {string} file @returns {string} an ID that another import of the file gets, too */
function idOf(file) {
	return createHash('sha256').update(file).digest('hex').slice(0, 16);
}

/** @param {string} file of the examples @returns {object} the workflow for `import:workflow` */
function withCredentials(file) {
	const example = readJson(exampleSchema, join(TRIAL_FROM, 'examples', file));
	const nodes = example.nodes.map((node) => {
		if (!node.type.startsWith(`${NAME}.`)) return node;
		const isReader = node.credentials?.dataGridApi.name === 'DataGrid reader';
		const id = isReader ? CREDENTIALS.reader : CREDENTIALS.demo;
		return {
			...node,
			credentials: { dataGridApi: { id, name: isReader ? 'DataGrid reader' : 'DataGrid demo' } },
		};
	});
	return { ...example, id: idOf(file), active: false, nodes };
}
