import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Numbers in the pages are those of the code: each sentence is built from its constants. */
const root = resolve(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const sentencesOf = (page: string) => textOf(page).replace(/\s+/g, ' ');

/** The product of numbers that a constant or member of a source file has. */
function constant(path: string, name: string): number {
	const found = new RegExp(`\\b${name}(?:: [A-Za-z]+)?(?: =|:) (?<value>[\\d_]+(?: \\* [\\d_]+)*)`).exec(
		textOf(path),
	);
	if (found?.groups?.['value'] === undefined) throw new Error(`${path} has no constant ${name}`);
	return found.groups['value'].split(' * ').reduce((all, part) => all * Number(part.replaceAll('_', '')), 1);
}

/** The default or a limit of the input with this name. */
function inputNumber(path: string, name: string, member: string): number {
	const source = textOf(path);
	const at = source.indexOf(`name: '${name}'`);
	const found = new RegExp(`\\b${member}: (?<value>[\\d_]+)`).exec(at < 0 ? '' : source.slice(at));
	if (found?.groups?.['value'] === undefined) throw new Error(`${path}: "${name}" has no ${member}`);
	return Number(found.groups['value'].replaceAll('_', ''));
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const word = (count: number) => WORDS[count] ?? String(count);
const count = (number: number) => number.toLocaleString('en-US');
const seconds = (milliseconds: number) => String(milliseconds / 1000);
const megabytes = (bytes: number) => `${String(bytes / 1024 ** 2)} MB`;
const gigabytes = (bytes: number) => `${String(bytes / 1024 ** 3)} GB`;
const duration = (milliseconds: number) =>
	milliseconds === 3_600_000
		? 'an hour'
		: milliseconds === 60_000
			? 'a minute'
			: `${word(milliseconds / 60_000)} minutes`;

const RETRY = 'client/http/retry.ts';
const BUDGET = 'client/http/requestBudget.ts';
const CONNECT = 'nodes/shared/connection/connect.ts';
const START = word(constant('client/http/adaptiveLimit.ts', 'START_LIMIT'));
const RETRIES = constant(RETRY, 'retries');
const RETRY_SECONDS = seconds(constant(RETRY, 'totalTime'));
const PAGE_SIZE = count(constant('client/lists/page.ts', 'MAX_PAGE_SIZE'));
const READINGS = word(constant('client/lists/readList.ts', 'MAX_READINGS'));
const PAGES = count(constant('client/lists/page.ts', 'MAX_PAGES'));
const TEXT = megabytes(constant('client/http/responseLimit.ts', 'text'));
const VALUES = count(constant('client/formats/json.ts', 'MAX_VALUES'));
const INTERACTIVE_VALUES = count(constant('client/http/responseLimit.ts', 'MAX_INTERACTIVE_VALUES'));
const FILE = gigabytes(constant('client/http/responseLimit.ts', 'binary'));
const AT_A_TIME = inputNumber('credentials/DataGridApi.credentials.ts', 'requestsAtATime', 'default');
const LOOKBACK = inputNumber('nodes/EntityTrigger/settings.ts', 'lookback', 'default');
const EVENTS = count(inputNumber('nodes/EntityTrigger/settings.ts', 'eventsPerExecution', 'default'));

const SENTENCES: Array<[page: string, sentence: string]> = [
	['README.md', `if it becomes visible within the lookback (${String(LOOKBACK)} s)`],
	['README.md', `in batches of up to ${EVENTS} events`],
	['docs/bulk.md', `A run starts with ${START} concurrent requests`],
	[
		'docs/bulk.md',
		`without a response for ${seconds(constant(BUDGET, 'MAX_HELD_MS'))} seconds no longer delays`,
	],
	[
		'docs/bulk.md',
		`After ${seconds(constant(BUDGET, 'MAX_IDLE_MS'))} seconds without requests, the limit starts at ${START}`,
	],
	['docs/bulk.md', `A request is repeated up to ${word(RETRIES)} times within ${RETRY_SECONDS} seconds`],
	[
		'docs/bulk.md',
		`| Retries of a request | ${String(RETRIES)} within ${RETRY_SECONDS} seconds, adjustable |`,
	],
	['docs/bulk.md', `| Concurrent requests | ${String(AT_A_TIME)}, adjustable |`],
	['docs/bulk.md', `Lists are read in pages of up to ${PAGE_SIZE} rows`],
	['docs/bulk.md', `| Rows per page | ${PAGE_SIZE} requested`],
	['docs/bulk.md', `reads the list up to ${READINGS} times`],
	['docs/bulk.md', `| Pages of a list | ${PAGES} |`],
	['docs/bulk.md', `| One response | ${TEXT} of JSON or text, ${FILE} of a file |`],
	[
		'docs/bulk.md',
		`| Name of a space or grid | ${String(constant('nodes/shared/runner/invalidInputHints.ts', 'MAX_NAME_LENGTH'))} characters |`,
	],
	[
		'docs/development/reliability.md',
		`limited to ${TEXT} (a file: ${FILE}), measured after decompression, and to ${duration(constant(CONNECT, 'text'))} (a file: ${duration(constant(CONNECT, 'binary'))})`,
	],
	['docs/bulk.md', `| Values in one response | ${VALUES}; ${INTERACTIVE_VALUES} for a list in the editor |`],
	[
		'docs/development/reliability.md',
		`JSON of more than ${VALUES} values (in the editor: ${INTERACTIVE_VALUES}) is refused`,
	],
	[
		'docs/development/reliability.md',
		`JSON nested deeper than ${String(constant('client/formats/json.ts', 'MAX_DEPTH'))} levels`,
	],
	['docs/development/reliability.md', `At most ${PAGES} pages are read`],
	['docs/sync.md', `a grid that changed during all ${READINGS} reads`],
	['docs/trigger.md', `until a change appears in the feed (${String(LOOKBACK)})`],
	['docs/trigger.md', `${word(constant('nodes/EntityTrigger/run.ts', 'RETRIES'))} retries failed`],
	[
		'docs/trigger.md',
		`waits up to ${duration(constant('nodes/EntityTrigger/session.ts', 'MAX_STORING_MS'))} for n8n to store`,
	],
	[
		'docs/development/trigger-proof.md',
		`At most ${count(constant('nodes/shared/feed/poll.ts', 'MAX_KEYS'))} keys are kept`,
	],
	[
		'docs/values.md',
		`and ${seconds(constant('nodes/Entity/writing/unknownOptions.ts', 'SETTLE_MS'))} seconds after it`,
	],
	['docs/values.md', `one request per ${PAGE_SIZE} rows`],
];

test.each(SENTENCES)('%s: "%s"', (page, sentence) => {
	expect(sentencesOf(page)).toContain(sentence);
});
