import { parseArgs } from 'node:util';
import * as accounts from './cli/accountCommands';
import { backUp, restore } from './cli/backup';
import { addLink, addUser, makeToken, revokeToken, withStore } from './cli/commands';
import { ServiceError, UsageError } from './rules/errors';
import { GRACE_MS, startService } from './server';

const usage = `Usage:
  main.js [--port 8080] [--host 127.0.0.1] [--data ./data.db] [--seed demo|empty]
      [--rate-limit N] [--trust-proxy ADDRESS,…] [--cors ORIGIN,…] [--public-url URL] [--log FILE] [--grace SECONDS]
      [--keep-history DAYS]
      Starts the service. Prints one line of JSON when it is ready: {"url","key","secret","userId"}
      --port 0 chooses a free port; --data :memory: stores nothing; --seed sets the content of a new data file;
      --rate-limit responds with 429 to more than N requests per second of a key, token or address;
      --trust-proxy reads a caller's address from the X-Forwarded-For of these reverse proxies;
      --cors lets web pages of these origins (* for all) call the API;
      --public-url is the address of the page if a reverse proxy changes the host of requests;
      --log appends a line of JSON for each request to FILE (- for standard error);
      --grace limits the time of active requests after SIGTERM (10 seconds);
      --keep-history deletes older history and updates (without it, all are kept).
  main.js user add NAME [--email ADDRESS] | user list | user remove NAME [--data ./data.db]
      Creates an account and prints its key and secret; lists all accounts; deletes one with its spaces.
  main.js key add --user NAME [--name TEXT] [--role admin|reader] | key list [--user NAME] | key remove ID [--data ./data.db]
      Creates a key and prints its secret; lists all keys; deletes one at once.
  main.js token [--user NAME] [--days 30] [--data ./data.db]
      Issues an access token (Bearer) for the owner or the named account; prints it and its ID.
  main.js token revoke ID | token list [--data ./data.db]
      Revokes an access token at once; lists the valid ones.
  main.js outbox [ADDRESS] [--data ./data.db]
      Prints the mails of invitations, which are stored because there is no mail server.
  main.js backup FILE [--data ./data.db]
      Writes a consistent copy of the data, also while the service runs.
  main.js restore FILE [--force] [--data ./data.db]
      Replaces the data file of a stopped service with a backup.
  main.js link --grid KEY_OR_ID [--kind form|view|edit] [--form ID] [--entity ID] [--role ROLE]
      [--protection none|link|internal] [--user NAME --password TEXT] [--data ./data.db]
      Creates a public link and prints its path.`;

const say = (line: string) => process.stdout.write(`${line}\n`);
const print = (result: unknown) => say(JSON.stringify(result));

function wholeNumber(text: string, name: string, min: number, max: number): number {
	const value = Number(text);
	if (!/^\d+$/.test(text) || value < min || value > max) {
		throw new UsageError(`--${name} must be an integer from ${min} to ${max}, not "${text}"`);
	}
	return value;
}

const listOf = (given: string) => given.split(',').flatMap((one) => one.trim() || []);

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
			'trust-proxy': { type: 'string', default: '' },
			cors: { type: 'string', default: '' },
			'public-url': text,
			log: text,
			'keep-history': text,
			grace: { type: 'string', default: String(GRACE_MS / 1000) },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		say(usage);
		return;
	}
	const { seed, host } = values;
	if (seed !== 'demo' && seed !== 'empty')
		throw new UsageError(`--seed must be demo or empty, not "${seed}"`);
	const limit = values['rate-limit'];
	const history = values['keep-history'];
	const publicUrl = values['public-url'];
	if (publicUrl !== undefined && !(/^https?:/i.test(publicUrl) && URL.canParse(publicUrl)))
		throw new UsageError(`--public-url must be the URL of a page, not "${publicUrl}"`);
	const starting = startService({
		port: wholeNumber(values.port, 'port', 0, 65535),
		host,
		data: values.data,
		seed,
		trustedProxies: listOf(values['trust-proxy']),
		origins: listOf(values.cors),
		graceMs: 1000 * wholeNumber(values.grace, 'grace', 0, 3600),
		...(history === undefined ? {} : { keepHistoryDays: wholeNumber(history, 'keep-history', 1, 36_500) }),
		...(publicUrl === undefined ? {} : { publicUrl }),
		...(values.log === undefined ? {} : { log: values.log }),
		...(limit === undefined ? {} : { requestsPerSecond: wholeNumber(limit, 'rate-limit', 1, 1_000_000) }),
	});
	// Before the line is printed, because its reader may stop the service at once.
	let stopping = false;
	const stop = () => {
		if (stopping) return;
		stopping = true;
		void starting
			.then((service) => service.stop())
			.then(
				() => process.exit(0),
				(error: unknown) => {
					process.stderr.write(`${explain(error)}\n`);
					process.exit(1);
				},
			);
	};
	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
	const { url, key, secret, userId } = await starting;
	print({ url, key, secret, userId });
}

const usageError = (message: string) => new UsageError(message);

function user(args: string[]): void {
	const options = { data, email: text };
	const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
	const [verb, name, ...more] = positionals;
	if (verb === 'list' && name === undefined) print(withStore(values.data, accounts.listUsers));
	else if (verb === 'add' && name !== undefined && more.length === 0)
		print(addUser(values.data, name, values.email));
	else if (verb === 'remove' && name !== undefined && more.length === 0)
		print(withStore(values.data, (store) => accounts.removeUser(store, name)));
	else throw usageError('Usage of user: add NAME, list, or remove NAME');
}

function key(args: string[]): void {
	const options = { data, user: text, name: text, role: { type: 'string', default: 'admin' } } as const;
	const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
	const [verb, id, ...more] = positionals;
	const { user: owner, role } = values;
	if (more.length > 0) throw usageError('Usage of key: add --user NAME, list, or remove ID');
	if (verb === 'list') print(withStore(values.data, (store) => accounts.listKeys(store, owner)));
	else if (verb === 'remove' && id !== undefined)
		print(withStore(values.data, (store) => accounts.removeKey(store, id)));
	else if (verb === 'add' && owner !== undefined) {
		if (role !== 'admin' && role !== 'reader')
			throw usageError(`--role must be admin or reader, not "${role}"`);
		print(withStore(values.data, (store) => accounts.addKey(store, owner, values.name ?? owner, role)));
	} else throw usageError('Usage of key: add --user NAME, list, or remove ID');
}

async function token(args: string[]): Promise<void> {
	const options = { data, user: text, days: { type: 'string', default: '30' } } as const;
	const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
	const [verb, id, ...more] = positionals;
	if (verb === undefined)
		print(await makeToken(values.data, values.user, wholeNumber(values.days, 'days', 1, 3650)));
	else if (verb === 'list' && id === undefined) print(withStore(values.data, accounts.listTokens));
	else if (verb === 'revoke' && id !== undefined && more.length === 0) print(revokeToken(values.data, id));
	else throw usageError('Usage of token: no arguments, list, or revoke ID');
}

async function link(args: string[]): Promise<void> {
	const { values } = parseArgs({
		args,
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
}

function outbox(args: string[]): void {
	const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { data } });
	print(withStore(values.data, (store) => accounts.readOutbox(store, positionals[0])));
}

function backup(args: string[]): void {
	const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { data } });
	const [file, ...more] = positionals;
	if (file === undefined || more.length > 0) throw usageError('Usage of backup: one FILE');
	print(backUp(values.data, file));
}

function restoreBackup(args: string[]): void {
	const options = { data, force: { type: 'boolean', default: false } } as const;
	const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
	const [file, ...more] = positionals;
	if (file === undefined || more.length > 0) throw usageError('Usage of restore: one FILE');
	print(restore(values.data, file, values.force));
}

const commands = new Map<string, (args: string[]) => void | Promise<void>>(
	Object.entries({ user, key, token, link, outbox, backup, restore: restoreBackup }),
);

async function run(args: string[]): Promise<void> {
	const command = commands.get(args[0] ?? '');
	await (command ? command(args.slice(1)) : serve(args));
}

/** Error message for a person. @param what failed, if that is not the command itself */
function explain(error: unknown, what = ''): string {
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error ? String(error.code) : '';
	if (code === 'EADDRINUSE') {
		return `${error.message}. Another program uses this port: stop it, or choose another port with --port (0 chooses a free one).`;
	}
	if (code.startsWith('ERR_PARSE_ARGS') || error instanceof UsageError) return `${error.message}\n\n${usage}`;
	return error instanceof ServiceError ? error.message : what + error.message;
}

// Whoever read the messages may be gone, or their disk full.
process.stderr.on('error', () => undefined);

// Files that this process creates are readable by their owner only.
process.umask(0o077);

run(process.argv.slice(2)).catch((error: unknown) => {
	const isCommand = commands.has(process.argv[2] ?? '');
	process.stderr.write(`${explain(error, isCommand ? '' : 'The service cannot start: ')}\n`);
	process.exitCode = 1;
});
