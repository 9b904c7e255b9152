import type { Mutant } from './mutant';

const SETTLING = 'test/n8n/Entity/settling.test.ts';
const OVERLAPPING = 'test/n8n/Entity/overlappingRuns.test.ts';

/** Mutants of the connector that silently lose, duplicate or change data. */
export const dataMutants: readonly Mutant[] = [
	{
		breaks: 'The id in a feed entry is taken as the id of the event',
		file: 'client/resources/updates/updateIdentity.ts',
		find: 'const identity = identityOf(update, computed);',
		replace:
			"const shown = update.raw['id'] ?? update.raw['_id'];\nif (shown !== undefined) return JSON.stringify(shown);\n\t\tconst identity = identityOf(update, computed);",
		foundBy: [{ test: 'test/unit/client/resources/updates.test.ts' }],
	},
	{
		breaks: 'Update All stops after 20 matches',
		file: 'nodes/Entity/writing/plan.ts',
		find: "several === 'first' ? [first] : matches",
		replace: "several === 'first' ? [first] : matches.slice(0, 20)",
		foundBy: [{ probe: 'entity.upsert, all that match', runs: 20 }],
	},
	{
		breaks: 'A column named "error" is output under its name',
		file: 'nodes/shared/rows/columnNames.ts',
		find: "new Set(['error', '$error'])",
		replace: "new Set(['$error'])",
		foundBy: [{ test: 'test/n8n/Entity/columns/oddColumns.test.ts' }],
	},
	{
		breaks: 'Writes to one row run concurrently',
		file: 'nodes/shared/runner/keyedQueue.ts',
		find: 'before ? before.then(work) : work()',
		replace: 'work()',
		foundBy: [{ probe: 'entity.update', runs: 40 }, { test: 'test/n8n/Entity/sameRow.test.ts' }],
	},
	{
		breaks: 'An integer past 2^53 is rounded',
		file: 'client/formats/decimalDigits.ts',
		find: 'const number = Number(text);',
		replace: 'const number = Number(text);\n\tif (Number.isFinite(number)) return number;',
		foundBy: [{ test: 'test/unit/nodes/shared/rows/values.test.ts' }],
	},
	{
		breaks: 'A decimal outside the number range is clamped',
		file: 'client/formats/decimalDigits.ts',
		find: 'const number = Number(text);',
		replace:
			'const number = Math.min(Number(text), Number.MAX_VALUE);\n\tif (number === Number.MAX_VALUE) return number;',
		foundBy: [{ test: 'test/unit/nodes/shared/rows/values.test.ts' }],
	},
	{
		breaks: 'A month is written as its first day',
		file: 'nodes/shared/rows/conversions.ts',
		find: "parseMoment(writtenBy(value) ?? '')?.date ??",
		replace: 'new Date(String(value)).toISOString().slice(0, 10) ??',
		foundBy: [{ test: 'test/unit/nodes/shared/rows/values.test.ts' }],
	},
	{
		breaks: '30 February is written as 2 March',
		file: 'client/formats/moment.ts',
		find: 'date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined',
		replace: 'date.getTime()',
		foundBy: [{ test: 'test/unit/client/formats/moment.test.ts' }],
	},
	{
		breaks: 'A Date is written as its day in UTC instead of the time zone of the workflow',
		file: 'nodes/shared/rows/conversions.ts',
		find: 'localDate(value.getTime(), timezone)',
		replace: "localDate(value.getTime(), 'UTC')",
		foundBy: [{ test: 'test/unit/nodes/shared/rows/values.test.ts' }],
	},
	{
		breaks: 'A query parameter that a link already has is duplicated',
		file: 'client/hal/links.ts',
		find: ' && !unused.has(decodedName(pair))',
		replace: '',
		foundBy: [{ test: 'test/unit/client/hal/links.test.ts' }],
	},
	{
		breaks: 'The row id in a link is not decoded',
		file: 'client/resources/updates/words.ts',
		find: 'return segment === undefined ? undefined : decodeURIComponent(segment);',
		replace: 'return segment;',
		foundBy: [
			{ test: 'test/unit/client/resources/updates.test.ts', named: 'names a row by the decoded segment' },
		],
	},
	{
		breaks: 'The last segment of an opaque Location is taken as the id of the new row',
		file: 'client/session/created.ts',
		find: 'const id = idInPath(type, address.pathname);',
		replace: "const id = idInPath(type, address.pathname) ?? address.pathname.split('/').at(-1);",
		foundBy: [
			{
				test: 'test/unit/client/session/session.test.ts',
				named: 'with an opaque address causes a request for the ID of the resource',
			},
		],
	},
	{
		breaks: 'A login page is taken as the response to a write',
		file: 'client/session/responses.ts',
		find: 'if (mayBePage && MARKUP.test(textOf(response.body)))',
		replace: 'if (!mayBePage)',
		foundBy: [
			{
				test: 'test/contract/client/otherService.test.ts',
				named: 'in response to a deletion leaves its outcome unknown',
			},
		],
	},
	{
		breaks: 'A login page is taken as a CSV file',
		file: 'client/session/call.ts',
		find: 'request.holdsBack = isPage;',
		replace: 'request.holdsBack = () => false;',
		foundBy: [{ test: 'test/n8n/loginPage.test.ts' }],
	},
	{
		breaks: 'If an item has two values for one column, the last one is written',
		file: 'nodes/shared/inputs/columns/columnMapper.ts',
		find: 'if (first) requireSameValue(first, member);',
		replace: '',
		foundBy: [{ test: 'test/unit/nodes/shared/inputs/columns/columnMapper.test.ts' }],
	},
	{
		breaks: 'A name that is also the key of another column always selects the first column',
		file: 'nodes/shared/inputs/columns/members.ts',
		find: 'const field = named ?? free(next)[0] ?? candidates[0];',
		replace: 'const field = candidates[0];',
		foundBy: [{ test: 'test/unit/nodes/shared/inputs/columns/columnMapper.test.ts' }],
	},
	{
		breaks: 'An item that matches no column creates an empty row',
		file: 'nodes/Entity/entity/create.ts',
		find: 'if (!option(allowEmptyRow))\n\t\trequireValues(',
		replace: 'if (false)\n\t\trequireValues(',
		foundBy: [{ test: 'test/n8n/Entity/rows.test.ts', named: 'refuses an item without a matching column' }],
	},
	{
		breaks: 'Times are compared as strings',
		file: 'nodes/shared/rows/equality.ts',
		find: 'return JSON.stringify(timeOf(value) ?? value);',
		replace: 'return JSON.stringify(value);',
		foundBy: [{ test: 'test/unit/nodes/shared/rows/values.test.ts' }],
	},
	{
		breaks: 'Identical events of a history are merged',
		file: 'client/resources/updates/updateIdentity.ts',
		find: 'count === 1 ? identity',
		replace: 'count > 0 ? identity',
		foundBy: [
			{
				test: 'test/unit/client/resources/updates.test.ts',
				named: 'distinguishes equal changes without an id on one page',
			},
		],
	},
	{
		breaks: 'Columns that were removed from the mapper are written',
		file: 'nodes/shared/inputs/columns/storedColumns.ts',
		find: 'filter(([id]) => !removed.has(id))',
		replace: 'filter(([id]) => id !== "" || removed.has(id))',
		foundBy: [
			{
				test: 'test/unit/nodes/shared/inputs/columns/columnMapper.test.ts',
				named: 'columns removed from the mapper are not written',
			},
		],
	},
	{
		breaks: 'Sync rewrites empty strings if the service stores none',
		file: 'nodes/Entity/writing/syncPlan.ts',
		find: 'emptyIsNone: !rows.some(({ hasEmptyText }) => hasEmptyText)',
		replace: 'emptyIsNone: rows.length < 0',
		foundBy: [
			{ test: 'test/n8n/Entity/sync/sync.test.ts', named: 'an empty text is no change if no row has one' },
		],
	},
	{
		breaks: 'A bare array is read as an empty list',
		file: 'client/lists/page.ts',
		find: 'return { items: itemsIn(body, shape, answer) };',
		replace: 'return { items: itemsIn([], shape, answer) };',
		foundBy: [
			{ test: 'test/unit/client/lists/page.test.ts', named: 'what §4 only calls a list may be a bare array' },
		],
	},
	{
		breaks: 'Strings are not parsed in columns of an unknown type',
		file: 'nodes/shared/rows/valueTypes.ts',
		find: "return name === 'any' ? type.name : name;",
		replace: "return name === '' ? name : type.name;",
		foundBy: [{ test: 'test/unit/nodes/shared/rows/values.test.ts' }],
	},
	{
		breaks: 'A dry run does not see what preceding items would create',
		file: 'nodes/Entity/writing/items.ts',
		find: 'states = [plannedRow(step.values)];',
		replace: 'states = [];',
		foundBy: [{ test: 'test/n8n/Entity/plans.test.ts', named: 'W1: the plan of %s' }],
	},
	{
		breaks: 'A row is checked only after others were written',
		file: 'nodes/Entity/writing/items.ts',
		find: 'const steps = planRow(write, matches, rules);',
		replace: 'const steps: never[] = [];',
		foundBy: [{ test: 'test/n8n/Entity/rowBy.test.ts', named: 'is refused before the first write' }],
	},
	{
		breaks: 'A row of the input that the grid lacks is passed over',
		file: 'nodes/Entity/writing/syncPlan.ts',
		find: 'if (id !== undefined && !entity) {',
		replace: 'if (!entity) {',
		foundBy: [{ test: 'test/n8n/Entity/sync/sync.test.ts' }],
	},
	{
		breaks: 'A run does not look for the keys of its rows at its end',
		file: 'nodes/Entity/writing/settling.ts',
		find: 'for (const one of written) {',
		replace: 'for (const one of written.slice(0, 0)) {',
		foundBy: [{ test: SETTLING, named: 'the same rows at once leave one row for each key' }],
	},
	{
		breaks: 'A row is deleted without being read again',
		file: 'nodes/Entity/writing/settling.ts',
		find: "own.state === 'failed' || !this.isUnchanged(own.value, values)",
		replace: "own.state === 'failed'",
		foundBy: [{ test: SETTLING, named: 'is not deleted, but named' }],
	},
	{
		breaks: 'Another row stays than the one with the smaller id',
		file: 'nodes/Entity/writing/settling.ts',
		find: '(one._id < other._id ? -1 : 1)',
		replace: '(one._id < other._id ? 1 : -1)',
		foundBy: [{ test: SETTLING, named: 'the same rows at once leave one row for each key' }],
	},
	{
		breaks: 'A row is deleted although the one that should stay is gone',
		file: 'nodes/Entity/writing/settling.ts',
		find: "if (keeping.state === 'failed') return undefined;",
		replace: '',
		foundBy: [{ test: SETTLING, named: 'the row that should stay is gone' }],
	},
	{
		breaks: 'The search for a late row ends before the service may add it',
		file: 'nodes/Entity/keys/creations.ts',
		find: '[...SEARCH_DELAYS_MS, 4000]',
		replace: 'SEARCH_DELAYS_MS',
		foundBy: [{ test: SETTLING, named: 'finds a row that the service adds' }],
	},
	{
		breaks: 'Runs of one process write a key at the same time',
		file: 'nodes/Entity/keys/keyedRows.ts',
		find: 'if (!turns) return await work(false);',
		replace: 'return await work(false);',
		foundBy: [{ test: OVERLAPPING, named: 'make one row for each key' }],
	},
	{
		breaks: 'A row with an invalid key and another invalid cell may be deleted',
		file: 'nodes/Entity/writing/invalidRows.ts',
		find: 'problems.every(',
		replace: 'problems.some(',
		foundBy: [
			{
				test: 'test/n8n/Entity/sync/invalidRows.test.ts',
				named: 'stop a run that deletes if their key is invalid',
			},
		],
	},
	{
		breaks: 'A file overwrites a row whose key another writer has changed',
		file: 'nodes/Entity/file/fileExecution.ts',
		find: 'const isOther = write && !keyed.keys.hasKey(entity, write.key);',
		replace: 'const isOther = false;',
		foundBy: [{ test: 'test/n8n/Entity/otherWriters.test.ts', named: 'whose key another writer changes' }],
	},
	{
		breaks: 'A row with no value in a key column is not that of an empty text',
		file: 'nodes/Entity/writing/targets.ts',
		find: 'this.rows.keys.hasKey(row, this.key)',
		replace: 'Object.entries(this.key.values).every(([id, value]) => row[id] === value)',
		foundBy: [{ test: 'test/n8n/Entity/keys.test.ts', named: 'is that of an empty text for each item' }],
	},
	{
		breaks: 'The ID of a row in the input becomes a column',
		file: 'nodes/Entity/writing/missingColumns.ts',
		find: ' && !ROW_MEMBERS.has(name)',
		replace: '',
		foundBy: [
			{
				test: 'test/n8n/Entity/sync/missingColumns.test.ts',
				named: 'fills a grid without columns; a dry run shows the same',
			},
		],
	},
	{
		breaks: 'Rows without digits have one key under Digits Only',
		file: 'nodes/shared/rows/equality.ts',
		find: "comparedPart(field, ownMember(values, field.id)) ?? ''",
		replace: "ownMember(values, field.id) ?? ''",
		foundBy: [
			{
				test: 'test/n8n/Entity/compareAs.test.ts',
				named: 'Sync ignores rows whose key has no compared part',
			},
		],
	},
	{
		breaks: '$not around two conditions refuses rows that meet one of them',
		file: 'nodes/shared/rows/filterReading.ts',
		find: 'const test = testOf(condition, fields);',
		replace:
			'const test = testOf({ $or: Object.entries(condition).map(([one, part]) => ({ [one]: part })) }, fields);',
		foundBy: [
			{
				test: 'test/unit/nodes/shared/rows/filterReading.test.ts',
				named: 'is compared with a filter according to the type of the column',
			},
		],
	},
	{
		breaks: 'A list whose count fell and rose again counts as whole',
		file: 'client/lists/listReading.ts',
		find: 'Math.min(...this.counts) < first ||',
		replace: 'first < 0 ||',
		foundBy: [{ test: 'test/unit/client/lists/readList.test.ts', named: 'another one restored the count' }],
	},
	{
		breaks: 'A row that moves past a limit is passed over',
		file: 'client/lists/listReading.ts',
		find: 'this.size >= this.limit ? this.listed === this.size',
		replace: 'this.size >= this.limit ? this.listed > 0',
		foundBy: [
			{
				test: 'test/unit/client/lists/readList.test.ts',
				named: 'a row moves from the first page to the second',
			},
		],
	},
];
