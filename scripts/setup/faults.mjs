/**
 * A fault that a person can do something about: what happened, and the way out.
 * Everything `npm start` and `npm test` give up on is one of these.
 */
export class Fault extends Error {
	/**
	 * @param {string} what one sentence: what happened
	 * @param {string} wayOut what to do about it
	 * @param {{ log?: string, cause?: unknown }} [more] the
	 *   file with the full output; the error behind it
	 */
	constructor(what, wayOut, more = {}) {
		super(what, { cause: more.cause });
		this.name = 'Fault';
		this.wayOut = wayOut;
		this.log = more.log;
	}
}

/** The person pressed Ctrl-C, or the process was asked to end: not a fault. */
export class Interrupted extends Error {
	constructor() {
		super('Interrupted');
		this.name = 'Interrupted';
	}
}

/** @type {readonly { sign: RegExp, what: string, wayOut: string }[]} */
const KNOWN = [
	{
		sign: /ENOSPC|no space left on device/i,
		what: 'The disk is full.',
		wayOut: 'Free about 4 GB (`npm cache clean --force` frees some) and run the same command again.',
	},
	{
		sign: /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/,
		what: 'The npm registry cannot be reached.',
		wayOut:
			'Check the connection (and `npm config get registry`, `npm config get proxy`), then run the same command again: it goes on where it stopped.',
	},
	{
		sign: /\b(E401|E403)\b/,
		what: 'The npm registry refused access.',
		wayOut: 'Check `npm config get registry` and its login, then run the same command again.',
	},
	{
		sign: /\b(ETARGET|E404)\b/,
		what: 'The npm registry does not have a package that is needed.',
		wayOut: 'Use the public registry (`npm config get registry` shows which one is set) and run again.',
	},
	{
		sign: /\b(EACCES|EPERM)\b/,
		what: 'A file may not be written.',
		wayOut: 'Make the project folder and the npm cache (`npm config get cache`) your own, then run again.',
	},
	{
		sign: /heap out of memory|ENOMEM|Killed/,
		what: 'The machine ran out of memory.',
		wayOut: 'Free about 2 GB of memory and run the same command again.',
	},
];

/**
 * Turns the output of a command that ended badly into a fault with a way out.
 * @param {string} label what was being done
 * @param {string} output the end of what the command printed
 * @param {string} log where all of it stands
 * @returns {Fault}
 */
export function explain(label, output, log) {
	const known = KNOWN.find(({ sign }) => sign.test(output));
	if (known !== undefined) return new Fault(`${label}: ${known.what}`, known.wayOut, { log });
	const lastLines = output.trim().split('\n').slice(-15).join('\n');
	return new Fault(
		`${label} ended badly:\n${lastLines}`,
		'Mend what it says and run the same command again.',
		{
			log,
		},
	);
}
