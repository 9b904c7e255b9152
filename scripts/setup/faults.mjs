/**
 * A fault that a person can fix: what happened, and what to do. All expected failures of `npm
 * start` and `npm test` are faults.
 */
export class Fault extends Error {
	/**
	 * @param {string} what one sentence: what happened
	 * @param {string} hint what to do about it
	 * @param {{ log?: string, cause?: unknown }} [more] `log`: file with the full output
	 */
	constructor(what, hint, more = {}) {
		super(what, { cause: more.cause });
		this.name = 'Fault';
		this.hint = hint;
		this.log = more.log;
	}
}

/** Ctrl-C or a request to terminate; not a fault. */
export class Interrupted extends Error {
	constructor() {
		super('Interrupted');
		this.name = 'Interrupted';
	}
}

/** @type {readonly { sign: RegExp, what: string, hint: string }[]} */
const KNOWN = [
	{
		sign: /ENOSPC|no space left on device/i,
		what: 'The disk is full.',
		hint: 'Free about 4 GB (`npm cache clean --force` frees some) and run the same command again.',
	},
	{
		// Before the next one: the script of the package first tries to download its binary.
		sign: /gyp ERR! find (Python|VS)|not found: make|(cc|\+\+): (command )?(not found|No such file)/,
		what: 'It has to be compiled here, and a tool for that is missing.',
		hint: 'Install the tools (Debian and Ubuntu: `sudo apt-get install -y python3 make g++`; macOS: `xcode-select --install`; Windows: the "Desktop development with C++" workload of Visual Studio Build Tools, and Python 3), then run the same command again.',
	},
	{
		sign: /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/,
		what: 'The npm registry cannot be reached.',
		hint: 'Check the connection (and `npm config get registry`, `npm config get proxy`), then run the same command again: it continues where it stopped.',
	},
	{
		sign: /\b(E401|E403)\b/,
		what: 'The npm registry refused access.',
		hint: 'Check `npm config get registry` and its login, then run the same command again.',
	},
	{
		sign: /\b(ETARGET|E404)\b/,
		what: 'The npm registry does not have a package that is needed.',
		hint: 'Use the public registry (`npm config get registry` shows which one is set) and run again.',
	},
	{
		sign: /\b(EACCES|EPERM)\b/,
		what: 'A file cannot be written.',
		hint: 'Make yourself the owner of the project folder and the npm cache (`npm config get cache`), then run again.',
	},
	{
		sign: /heap out of memory|ENOMEM|Killed/,
		what: 'The machine ran out of memory.',
		hint: 'Free about 2 GB of memory and run the same command again.',
	},
];

/**
 * Converts the output of a failed command to a fault with a hint.
 * @param {string} label what the command did
 * @param {string} output the end of its output
 * @param {string} log path of the full log
 * @returns {Fault}
 */
export function explain(label, output, log) {
	const known = KNOWN.find(({ sign }) => sign.test(output));
	if (known !== undefined) return new Fault(`${label}: ${known.what}`, known.hint, { log });
	const lastLines = output.trim().split('\n').slice(-15).join('\n');
	return new Fault(`${label} failed:\n${lastLines}`, 'Fix the cause and run the same command again.', {
		log,
	});
}
