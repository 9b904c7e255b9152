import type { Mutant } from './mutant';

const LINK_SECRETS = 'test/contract/service/access/linkSecrets.test.ts';
const HOSTILE_BODIES = 'test/contract/service/http/hostileBodies.test.ts';
const HOSTILE_QUERIES = 'test/contract/service/http/hostileQueries.test.ts';

/** Mutants of the service that give callers access to what belongs to others. */
export const accessMutants: readonly Mutant[] = [
	{
		breaks: 'A reader can delete a share of a space',
		file: 'service/routes/people/sharing.ts',
		find: "'admin',\n\t{ on: { share: 'remove' }",
		replace: "'reader',\n\t{ on: { share: 'remove' }",
		foundBy: [{ test: 'test/contract/service/access/everyRole.test.ts' }],
	},
	{
		breaks: 'A reader can delete a share of a stateful view',
		file: 'service/routes/structure/sviews.ts',
		find: "'admin',\n\t{ on: { sviewShare: 'remove' }",
		replace: "'reader',\n\t{ on: { sviewShare: 'remove' }",
		foundBy: [{ test: 'test/contract/service/access/everyRole.test.ts' }],
	},
	{
		breaks: 'A form link with the role writer can list rows',
		file: 'service/routes/people/publicLinks.ts',
		find: "const role = link.kind === 'form' ? 'creator' : link.role;",
		replace: 'const { role } = link;',
		foundBy: [
			{ test: 'test/contract/service/access/publicLinks.test.ts', named: 'a form link lists no rows' },
		],
	},
	{
		breaks: 'The stored hash of a secret is reversible',
		file: 'service/rules/access.ts',
		find: "createHash('sha256').update(secret).digest('hex')",
		replace: "Buffer.from(secret).toString('hex')",
		foundBy: [{ test: LINK_SECRETS, named: 'the data file contains no secret of a key' }],
	},
	{
		breaks: 'An edit link to a view can write any field of the grid',
		file: 'service/routes/scopes.ts',
		find: '...opened,',
		replace: '...opened, fields: opened.allFields,',
		foundBy: [
			{
				test: 'test/contract/service/access/confined.test.ts',
				named: 'public view, form and edit links obey the columns',
			},
		],
	},
	{
		breaks: 'The total size of an upload is unlimited',
		file: 'service/http/multipart.ts',
		find: 'if (this.size > LIMITS.uploadBytes)',
		replace: 'if (this.size < 0)',
		foundBy: [{ test: HOSTILE_BODIES, named: 'bodies are limited to 2 MiB and uploads to 64 MiB' }],
	},
	{
		breaks: 'An acknowledged write is not synced to disk',
		file: 'service/store/files/database.ts',
		find: 'PRAGMA synchronous=FULL',
		replace: 'PRAGMA synchronous=OFF',
		foundBy: [{ test: 'test/unit/service/store/files/database.test.ts' }],
	},
	{
		breaks: 'An update reads and writes outside a transaction',
		file: 'service/store/rows/entities.ts',
		find: 'named: Values, userId: string): Entity | undefined {\n\t\treturn this.db.transaction(() => {',
		replace:
			'named: Values, userId: string): Entity | undefined {\n\t\treturn ((work: () => Entity | undefined) => work())(() => {',
		foundBy: [{ test: 'test/unit/service/store/rows/entities.test.ts' }],
	},
	{
		breaks: 'The cache of password checks reveals the correct password to a blocked caller',
		file: 'service/http/linkGuard.ts',
		find: 'this.passwords.count(name, attempt);',
		replace: 'if (!this.checks.known(attempt)) this.passwords.count(name, attempt);',
		foundBy: [{ test: LINK_SECRETS, named: 'after too many attempts the right password is also refused' }],
	},
	{
		breaks: 'Empty groups of a filter are not counted',
		file: 'service/rules/filter.ts',
		find: 'Math.max(1, members.length)',
		replace: 'members.length',
		foundBy: [{ test: HOSTILE_QUERIES, named: 'more conditions than SQLite parses' }],
	},
	{
		breaks: 'Several operators of one field count as one condition',
		file: 'service/rules/filter.ts',
		find: 'this.addToCount(Object.keys(parsed.data).length - 1)',
		replace: 'this.addToCount(0)',
		foundBy: [{ test: HOSTILE_QUERIES, named: 'more conditions than SQLite parses' }],
	},
	{
		breaks: 'Any caller can choose the address by which failed attempts are counted',
		file: 'service/http/app.ts',
		find: 'trustProxy: [...options.trustedProxies]',
		replace: 'trustProxy: true',
		foundBy: [
			{ test: LINK_SECRETS, named: 'X-Forwarded-For is ignored unless a trusted reverse proxy sends it' },
		],
	},
];
