import { parseArgs } from 'node:util';
import { startService } from './server';

const usage = `Usage: main.js [--port 8080] [--host 127.0.0.1] [--data ./data.db] [--seed demo|empty]

  --port   port to listen on; 0 takes a free one
  --host   address to listen on
  --data   data file, or :memory:
  --seed   what a new data file starts with

Prints one line of JSON when it is ready: {"url","key","secret","userId"}`;

/** A mistake of the one who typed the command: shown without a stack. */
class UsageError extends Error {}

async function serve(args: string[]): Promise<void> {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '8080' },
			host: { type: 'string', default: '127.0.0.1' },
			data: { type: 'string', default: './data.db' },
			seed: { type: 'string', default: 'empty' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(usage);
		return;
	}
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65535)
		throw new UsageError(`--port takes a number from 0 to 65535, not "${values.port}"`);
	const { seed } = values;
	if (seed !== 'demo' && seed !== 'empty') throw new UsageError(`--seed takes demo or empty, not "${seed}"`);
	const service = await startService({ port, host: values.host, data: values.data, seed });
	const { url, key, secret, userId } = service;
	console.log(JSON.stringify({ url, key, secret, userId }));
	let stopping = false;
	const stop = () => {
		if (stopping) return;
		stopping = true;
		void service.stop().then(() => process.exit(0));
	};
	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
}

/** What went wrong, in words for a person. */
function explain(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error ? String(error.code) : '';
	if (code === 'EADDRINUSE')
		return `${error.message}. Another program uses this port: stop it, or choose another with --port (0 takes a free one).`;
	if (code.startsWith('ERR_PARSE_ARGS') || error instanceof UsageError) return `${error.message}\n\n${usage}`;
	return error.message;
}

serve(process.argv.slice(2)).catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
