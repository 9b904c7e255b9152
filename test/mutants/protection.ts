import type { Mutant } from './mutant';

const SESSION = 'test/unit/client/session/session.test.ts';
const LINKED_ROWS = 'test/n8n/Entity/columns/expandedRows.test.ts';
const RESPONSE_BODY = 'test/unit/nodes/shared/connection/responseBody.test.ts';
const CREDENTIALS = 'test/n8n/security/credentialSafety.test.ts';
const JSON_TEXTS = 'test/unit/client/formats/json.test.ts';
const LARGE_RESPONSES = 'test/n8n/largeResponses.test.ts';
const FOREIGN_PAGES = 'test/contract/service/access/foreignPages.test.ts';
const LINK_PASSWORDS = 'test/contract/service/access/linkPasswords.test.ts';
const FILES = 'test/contract/service/page/files.test.ts';

/** Mutants that remove a protection against services, rows, links and pages of strangers. */
export const protectionMutants: readonly Mutant[] = [
	{
		breaks: 'The method of a link turns a read into a write',
		file: 'client/session/session.ts',
		find: "endpoint.method === 'GET' || ",
		replace: '',
		foundBy: [{ test: SESSION, named: 'does not turn a read into a write' }],
	},
	{
		breaks: 'The method of a link turns an update into a deletion',
		file: 'client/session/session.ts',
		find: " || followed.method.toUpperCase() === 'DELETE'",
		replace: '',
		foundBy: [{ test: SESSION, named: 'does not turn an update or a creation into a deletion' }],
	},
	{
		breaks: 'The members of a large object count like values',
		file: 'client/formats/json.ts',
		find: '++members > FEW_MEMBERS ? VALUES_PER_MEMBER : 1',
		replace: '1',
		foundBy: [{ test: JSON_TEXTS, named: 'too many members' }],
	},
	{
		breaks: 'Look Up puts a row where copies have their prototype',
		file: 'nodes/Entity/entity/lookUp.ts',
		find: "name !== '__proto__'",
		replace: "name !== ''",
		foundBy: [{ test: 'test/n8n/Entity/lookUp.test.ts', named: 'the prototype of copies' }],
	},
	{
		breaks: 'A word of a sentence about passwords is taken for one',
		file: 'client/formats/redaction.ts',
		find: '[.,;:!?]*(?:\\s|$)',
		replace: '[.,;:!?]*(?:\\d|$)',
		foundBy: [{ test: 'test/unit/client/errors/errors.test.ts', named: 'leaves ordinary text unchanged' }],
	},
	{
		breaks: 'A downloaded file may have any size',
		file: 'nodes/shared/connection/responseBody.ts',
		find: 'if (size > most)',
		replace: 'if (size < 0)',
		foundBy: [{ test: RESPONSE_BODY, named: 'a file above the limit is an error' }],
	},
	{
		breaks: 'The error of a download is lost if its consumer ignores it',
		file: 'nodes/shared/connection/responseBody.ts',
		find: 'return content.errored ?',
		replace: 'return content.errored === undefined ?',
		foundBy: [{ test: RESPONSE_BODY, named: 'a file above the limit is an error' }],
	},
	{
		breaks: 'The message of a credential test shows the secret',
		file: 'nodes/shared/connection/connect.ts',
		find: '): Client {\n\tconst conceal = concealIn(context, credential);',
		replace: '): Client {\n\tconst conceal = (text: string) => text;',
		foundBy: [{ test: CREDENTIALS, named: 'hides a secret in an address of the service' }],
	},
	{
		breaks: 'The message of the test of a link shows its password',
		file: 'nodes/PublicLink/link.ts',
		find: 'const redact = concealIn(this, data);',
		replace: 'const redact = redactIn(this);',
		foundBy: [{ test: CREDENTIALS, named: 'hides a secret in an address of the service' }],
	},
	{
		breaks: 'The page of the service may be framed',
		file: 'service/http/page.ts',
		find: "; frame-ancestors 'none'",
		replace: '',
		foundBy: [{ test: FILES, named: 'is served with its security policy' }],
	},
	{
		breaks: 'The page of the service accepts another base address',
		file: 'service/http/page.ts',
		find: " base-uri 'none';",
		replace: '',
		foundBy: [{ test: FILES, named: 'is served with its security policy' }],
	},
	{
		breaks: 'A page of another site uses the credentials that the browser keeps',
		file: 'service/http/foreignPages.ts',
		find: "if (site === 'cross-site' || site === 'same-site') return true;",
		replace: '',
		foundBy: [{ test: FOREIGN_PAGES, named: 'an upload by the form of another site is refused' }],
	},
	{
		breaks: 'A script of a page makes the browser ask for credentials',
		file: 'service/http/foreignPages.ts',
		find: "headers['sec-fetch-site'] !== undefined && ",
		replace: 'headers.host === undefined && ',
		foundBy: [{ test: FOREIGN_PAGES, named: 'only scripts of pages get no challenge' }],
	},
	{
		breaks: 'A link that is deleted while its password is checked opens',
		file: 'service/routes/people/publicLinks.ts',
		find: "if (call.store.publicLinks.get(userId, linkId)?.id !== link.id) throw notFound('Link');",
		replace: '',
		foundBy: [{ test: LINK_PASSWORDS, named: 'does not open' }],
	},
	{
		breaks: 'Guesses of one address take all turns of checking passwords',
		file: 'service/rules/turns.ts',
		find: 'queue.isRunning ? undefined : ',
		replace: '',
		foundBy: [{ test: LINK_PASSWORDS, named: 'nobody waits for the guesses of another address' }],
	},
	{
		breaks: 'A row sends the key of the account to another path of the server',
		file: 'nodes/Entity/reading/expandedRows.ts',
		find: 'client.session.below(href)',
		replace: 'client.session.resolve(href)',
		foundBy: [{ test: LINKED_ROWS, named: 'sends nothing to another path of the server' }],
	},
	{
		breaks: 'An encoded slash hides where an address leads',
		file: 'client/http/baseUrl.ts',
		find: ' && !HIDDEN_SEGMENT.test(pathname.slice(this.prefix.length))',
		replace: '',
		foundBy: [{ test: SESSION, named: 'is refused elsewhere, or if its encoding hides where it leads' }],
	},
	{
		breaks: 'JSON of any number of values is parsed',
		file: 'client/formats/json.ts',
		find: 'if (hasMoreValues(text, maxValues))',
		replace: 'if (maxValues < 0)',
		foundBy: [{ test: JSON_TEXTS, named: 'is refused if it has too many values' }],
	},
	{
		breaks: 'A list in the editor may have as many values as one of an execution',
		file: 'nodes/shared/connection/connect.ts',
		find: '...(isList ? { maxValues: MAX_INTERACTIVE_VALUES } : {}),',
		replace: '',
		foundBy: [{ test: LARGE_RESPONSES, named: 'accepts fewer values than Get Many' }],
	},
	{
		breaks: 'New requests are sent before waiting retries',
		file: 'client/http/limiter.ts',
		find: 'this.again.shift() ?? this.fresh.shift()',
		replace: 'this.fresh.shift() ?? this.again.shift()',
		foundBy: [
			{ test: 'test/unit/client/http/limiter.test.ts', named: 'a retry is sent before new requests' },
		],
	},
	{
		breaks: 'Two executions use a service and a third one waits',
		file: 'client/http/requestBudget.ts',
		find: '\t\t\tthis.users.delete(next);\n',
		replace: '',
		foundBy: [
			{
				test: 'test/unit/client/http/requestBudget.test.ts',
				named: 'three executions that share one request at a time',
			},
		],
	},
	{
		breaks: 'A list of the editor takes a key for that of another account',
		file: 'nodes/shared/inputs/pickers/resolvedPickers.ts',
		find: 'client.session.baseUrl, credentials,',
		replace: 'client.session.baseUrl,',
		foundBy: [{ test: 'test/n8n/twoAccounts.test.ts', named: 'tell apart two accounts' }],
	},
	{
		breaks: 'An empty list answers a required question of a form',
		file: 'service/rules/formDesign.ts',
		find: '(Array.isArray(value) && value.length === 0)',
		replace: 'false',
		foundBy: [
			{ test: 'test/contract/service/structure/views.test.ts', named: 'required marks that its maker chose' },
		],
	},
];
