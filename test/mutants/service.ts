import type { Mutant } from './mutant';

const ENDINGS = 'test/contract/service/access/endings.test.ts';
const DATA_FILES = 'test/contract/service/upkeep/dataFiles.test.ts';
const DISK_FULL = 'test/contract/service/upkeep/diskFull.test.ts';
const SLOW_UPLOADS = 'test/contract/service/http/slowUploads.test.ts';
const UNREAD = 'test/contract/service/http/unreadResponses.test.ts';
const LONG_SEARCHES = 'test/contract/service/rows/longSearches.test.ts';
const COMPOSITION = 'test/contract/service/rows/composition.test.ts';
const ROUND_TRIP = 'test/contract/service/csv/csvRoundTrip.test.ts';

/** Mutants of the service that lose its data or its memory, or keep what should have ended. */
export const serviceMutants: readonly Mutant[] = [
	{
		breaks: 'A member can hold all memory for uploads',
		file: 'service/http/multipart.ts',
		find: 'new Allowance(MAX_UPLOADS_BYTES, LIMITS.uploadBytes)',
		replace: 'new Allowance(MAX_UPLOADS_BYTES, MAX_UPLOADS_BYTES)',
		foundBy: [{ test: SLOW_UPLOADS, named: 'takes the share' }],
	},
	{
		breaks: 'An upload that ended keeps its memory',
		file: 'service/http/multipart.ts',
		find: 'this.memory.take(caller, -taken);',
		replace: '',
		foundBy: [{ test: SLOW_UPLOADS, named: 'takes the share' }],
	},
	{
		breaks: 'The headers of a request may take longer than all of it',
		file: 'service/http/app.ts',
		find: 'requestTimeout: options.requestTimeout,\n\t\t\t\t\t\tconnectionsCheckingInterval',
		replace: 'connectionsCheckingInterval',
		foundBy: [{ test: SLOW_UPLOADS, named: 'is ended with 408' }],
	},
	{
		breaks: 'Overdue requests are looked for every 30 seconds',
		file: 'service/http/app.ts',
		find: 'connectionsCheckingInterval: Math.min(options.requestTimeout, OVERDUE_CHECK_MS),',
		replace: 'connectionsCheckingInterval: 30 * OVERDUE_CHECK_MS,',
		foundBy: [{ test: SLOW_UPLOADS, named: 'is ended with 408' }],
	},
	{
		breaks: 'A file of another program gets tables',
		file: 'service/store/files/dataFile.ts',
		find: "!['access_keys', 'sviews'].every((own) => tables.includes(own))",
		replace: 'tables.length < 0',
		foundBy: [{ test: DATA_FILES, named: 'a file of another program' }],
	},
	{
		breaks: 'A file of another program is opened for writing before it is refused',
		file: 'service/server.ts',
		find: 'if (!inMemory) requireUsable(options.data);',
		replace: '',
		foundBy: [{ test: DATA_FILES, named: 'is refused and not touched' }],
	},
	{
		breaks: 'An emptied data file is a new one, with a new key of its owner',
		file: 'service/store/files/dataFile.ts',
		find: 'if (existsSync(key))',
		replace: 'if (tables.length > 0)',
		foundBy: [{ test: DATA_FILES, named: 'an emptied data file' }],
	},
	{
		breaks: 'Damage of the data file is not reported',
		file: 'service/store/files/dataFile.ts',
		find: "else if (verdict !== 'ok')",
		replace: "else if (verdict === '')",
		foundBy: [{ test: DATA_FILES, named: 'damage in the middle' }],
	},
	{
		breaks: 'A data file of format 10 keeps its links to join',
		file: 'service/store/files/tables.ts',
		find: '`DROP TABLE joinings; ${JOININGS};`',
		replace: "''",
		foundBy: [{ test: DATA_FILES, named: 'format 10' }],
	},
	{
		breaks: 'A limit of the size of files is an internal error',
		file: 'service/store/files/diskFull.ts',
		find: 'z.literal([EDQUOT, EFBIG, ENOSPC])',
		replace: 'z.literal([EDQUOT, ENOSPC])',
		foundBy: [{ test: DISK_FULL, named: 'a limit of the size of files' }],
	},
	{
		breaks: 'A person may take the name of another one in other letters',
		file: 'service/store/people/accounts.ts',
		find: 'user.id !== except && foldedName(user.name) === folded',
		replace: 'user.id !== except && user.name === name',
		foundBy: [{ test: ENDINGS, named: 'names that look like' }],
	},
	{
		breaks: 'A changed name may hide characters',
		file: 'service/routes/people/users.ts',
		find: 'z.strictObject({ name: personName })',
		replace: 'z.strictObject({ name: nameText(LIMITS.loginLength) })',
		foundBy: [{ test: ENDINGS, named: 'names that look like' }],
	},
	{
		breaks: 'Texts of mixed spelling are not equal to composed ones',
		file: 'service/store/rows/conditions.ts',
		find: "isWritten(field) ? converted('composed', cell(field)) : cell(field)",
		replace: 'isWritten(field) ? cell(field) : cell(field)',
		foundBy: [{ test: COMPOSITION }],
	},
	{
		breaks: 'A search takes a letter without its accent for a letter',
		file: 'service/store/rows/conditions.ts',
		find: '`(${isLikely} AND ${isFound})`',
		replace: '`(${isLikely} AND (1 OR ${isFound}))`',
		foundBy: [{ test: COMPOSITION }],
	},
	{
		breaks: 'An export leaves cells of more than 62 apostrophes as they are',
		file: 'service/rules/csvFormulas.ts',
		find: '(apostrophes(cell) > MAX_APOSTROPHES || isFormula(cell)) ?',
		replace: '(apostrophes(cell) <= MAX_APOSTROPHES && isFormula(cell)) ?',
		foundBy: [{ test: ROUND_TRIP, named: 'apostrophes' }],
	},
	{
		breaks: 'Create From CSV keeps the apostrophes of Export',
		file: 'nodes/shared/csv/formulas.ts',
		find: "return written.replace(\"'\", '');",
		replace: 'return written;',
		foundBy: [{ test: 'test/unit/nodes/shared/csv/formulas.test.ts', named: 'every file is as it was' }],
	},
	{
		breaks: 'A condition on a removed option meets no rows without a word',
		file: 'nodes/shared/inputs/selection/conditions.ts',
		find: 'if (unknown.length === 0 || options.length === 0',
		replace: 'if (unknown.length >= 0 || options.length === 0',
		foundBy: [{ test: 'test/n8n/Entity/columns/goneTargets.test.ts', named: 'whose option is gone' }],
	},
	{
		breaks: 'Pages that are not read have no limit',
		file: 'service/http/unread.ts',
		find: 'if (this.streams.has(name) && !this.streams.hasRoom(name, bytes)) return false;',
		replace: '',
		foundBy: [{ test: UNREAD, named: 'waits while its caller' }],
	},
	{
		breaks: 'A stream that ended lets no other one begin',
		file: 'service/http/unread.ts',
		find: 'for (const waiter of this.waiters) waiter();',
		replace: '',
		foundBy: [{ test: UNREAD, named: 'waits while its caller' }],
	},
	{
		breaks: 'Exports that are not read have no limit',
		file: 'service/routes/rows/csv.ts',
		find: 'await call.awaitRoom(EXPORT_BYTES);',
		replace: '',
		foundBy: [{ test: UNREAD, named: 'page or export that waited' }],
	},
	{
		breaks: 'Requests begin before connections that arrived with theirs',
		file: 'service/http/arrivals.ts',
		find: 'this.accepted !== seen && ',
		replace: 'this.accepted < seen && ',
		foundBy: [{ test: UNREAD, named: 'connections that arrive together' }],
	},
	{
		breaks: 'Entities stay sorted as they were before a change',
		file: 'service/store/rows/keptSortings.ts',
		find: 'if (kept.version !== version) return undefined;',
		replace: '',
		foundBy: [{ test: LONG_SEARCHES, named: 'sorted once' }],
	},
	{
		breaks: 'An index gets values from before a change of its rows',
		file: 'service/store/rows/indexes.ts',
		find: 'changed?.add(pos);',
		replace: '',
		foundBy: [{ test: LONG_SEARCHES, named: 'current values' }],
	},
	{
		breaks: 'A filter waits for its index',
		file: 'service/store/rows/selections.ts',
		find: 'this.indexes.isSlow(grid, fields)',
		replace: 'fields.length < 0',
		foundBy: [{ test: LONG_SEARCHES, named: 'is searched for meanwhile' }],
	},
];
