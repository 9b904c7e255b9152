import { parseArgs } from 'node:util';
import { addLink, addUser, makeToken, revokeToken, UsageError } from './commands';
import { ServiceError } from './errors';
import { GRACE_MS, startService } from './server';

const usage = `Usage:
  main.js [--port 8080] [--host 127.0.0.1] [--data ./data.db] [--seed demo|empty]
      [--rate-limit N] [--cors ORIGIN,…] [--log FILE] [--grace SECONDS]
      Starts the service. Prints one line of JSON when it is ready: {"url","key","secret","userId"}
      --port 0 takes a free port; --data :memory: keeps nothing; --seed says what a new data file starts with;
      --rate-limit answers 429 past N requests a second of one account or address; --cors lets web pages of these
      origins (* for all) call the API; --log adds a line of JSON for each request to FILE (- for standard error);
      --grace says how long requests under way may take after SIGTERM (10).
  main.js user add NAME [--email ADDRESS] [--data ./data.db]
      Makes an account and prints its key and secret.
  main.js token [--user NAME] [--days 30] [--data ./data.db]
      Prints an access token (Bearer) of the owner or of the account named, and its id.
  main.js token revoke ID [--data ./data.db]
      Revokes an access token at once.
  main.js link --grid KEY_OR_ID [--kind form|view|edit] [--form ID] [--entity ID] [--role ROLE]
      [--protection none|link|internal] [--user NAME --password TEXT] [--data ./data.db]
      Makes a public link and prints its path.`;

const say = (line: string) => process.stdout.write(`${line}\n`);
const print = (result: unknown) => say(JSON.stringify(result));

function whole(text: string, name: string, least: number, most: number): number {
	const value = Number(text);
	if (!Number.isInteger(value) || value < least || value > most) {
		throw new UsageError(`--${name} takes a number from ${least} to ${most}, not "${text}"`);
	}
	return value;
}

const text = { type: 'string' } as const;
const data = { type: 'string', default: './data.db' } as const;

async function serve(args: string[]): Promise<void> {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '8080' },
			host: { type: 'string', default: '127.0.0.1' },
			data,
			seed: { type: 'string', default: 'empty' },
			'rate-limit': text,
			cors: { type: 'string', default: '' },
			log: text,
			grace: { type: 'string', default: String(GRACE_MS / 1000) },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		say(usage);
		return;
	}
	const { seed, host } = values;
	if (seed !== 'demo' && seed !== 'empty') throw new UsageError(`--seed takes demo or empty, not "${seed}"`);
	const limit = values['rate-limit'];
	const starting = startService({
		port: whole(values.port, 'port', 0, 65535),
		host,
		data: values.data,
		seed,
		origins: values.cors.split(',').flatMap((origin) => origin.trim() || []),
		graceMs: 1000 * whole(values.grace, 'grace', 0, 3600),
		...(values.log === undefined ? {} : { log: values.log }),
		...(limit === undefined ? {} : { requestsPerSecond: whole(limit, 'rate-limit', 1, 1_000_000) }),
	});
	// Before anything is printed: who reads the line may end the service at once.
	let stopping = false;
	const stop = () => {
		if (stopping) return;
		stopping = true;
		void starting.then((service) => service.stop()).then(() => process.exit(0));
	};
	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
	const { url, key, secret, userId } = await starting;
	print({ url, key, secret, userId });
}

async function run(args: string[]): Promise<void> {
	const [command, ...rest] = args;
	if (command === 'user') {
		const { values, positionals } = parseArgs({
			args: rest,
			allowPositionals: true,
			options: { data, email: text },
		});
		const [verb, name, ...more] = positionals;
		if (verb !== 'add' || name === undefined || more.length > 0)
			throw new UsageError('user add takes one NAME');
		print(addUser(values.data, name, values.email));
	} else if (command === 'token') {
		const { values, positionals } = parseArgs({
			args: rest,
			allowPositionals: true,
			options: { data, user: text, days: { type: 'string', default: '30' } },
		});
		const [verb, id, ...more] = positionals;
		if (verb === undefined) {
			print(await makeToken(values.data, values.user, whole(values.days, 'days', 1, 3650)));
		} else if (verb === 'revoke' && id !== undefined && more.length === 0) {
			print(revokeToken(values.data, id));
		} else throw new UsageError('token takes nothing, or revoke and one ID');
	} else if (command === 'link') {
		const { values } = parseArgs({
			args: rest,
			options: {
				data,
				grid: text,
				kind: text,
				form: text,
				entity: text,
				role: text,
				protection: text,
				user: text,
				password: text,
			},
		});
		const { data: file, ...given } = values;
		print(await addLink(file, given));
	} else {
		await serve(args);
	}
}

/** What went wrong, in words for a person. */
function explain(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error ? String(error.code) : '';
	if (code === 'EADDRINUSE') {
		return `${error.message}. Another program uses this port: stop it, or choose another with --port (0 takes a free one).`;
	}
	if (code.startsWith('ERR_PARSE_ARGS') || error instanceof UsageError) return `${error.message}\n\n${usage}`;
	return error instanceof ServiceError ? error.message : `The service cannot start: ${error.message}`;
}

// Whatever this process writes is for its owner only.
process.umask(0o077);

run(process.argv.slice(2)).catch((error: unknown) => {
	process.stderr.write(`${explain(error)}\n`);
	process.exitCode = 1;
});
