/** A sentence of a page, and the file (below test/n8n) and title of the test that proves it. */
type Statement = readonly [sentence: string, file: string, title: string];

/** What the pages for users say of the behavior of the nodes. */
export const STATEMENTS: Readonly<Record<string, readonly Statement[]>> = {
	'docs/sync.md': [
		['Equal rows cost no request', 'Entity/bulk/sync', 'takes one request per page and per change, plus two'],
		[
			'One item per change, all with the same columns',
			'Entity/bulk/syncOutput',
			'all with the same members, and the summary as a hint',
		],
		[
			'set **Output** to **Report** (one item with the totals)',
			'Entity/bulk/syncOutput',
			'outputs only the report if requested',
		],
		[
			'**Changes, with Report** (each item also has the totals',
			'Entity/bulk/syncOutput',
			'adds the report to every row if requested',
		],
		[
			'the totals are the first item by default, followed by the changes',
			'Entity/bulk/syncOutput',
			'outputs the report and then the changes, as saved workflows expect',
		],
		[
			'If no cell of the grid contains an empty text, `""` in the input equals no value',
			'Entity/keys',
			'a second Sync changes nothing if the service stores an empty text as no value',
		],
		[
			'how many rows would be deleted, of how many',
			'Entity/bulk/sync',
			'writes nothing if there are more deletions than the limit',
		],
		[
			'two items, or two rows of the grid, with the same key',
			'Entity/bulk/sync',
			'names a key that occurs twice in the input or the grid, and writes nothing',
		],
		['a value that does not fit its column', 'Entity/bulk/sync', 'writes nothing if one value is invalid'],
		[
			'that the source looks empty or broken',
			'Entity/bulk/sync',
			'fails the run if no other item has one, and deletes nothing',
		],
		[
			'a key that may not create, update or delete here',
			'Entity/bulk/sync',
			'a reader key is refused before any write',
		],
		[
			'**Skip**, the default of **Rows Without Key**, ignores items',
			'Entity/bulk/sync',
			'is skipped with a hint; the other items are synced',
		],
		[
			'An empty cell means no value: it clears the column',
			'Entity/bulk/syncFile',
			'an empty cell clears a value; a column that is missing from the file stays unchanged',
		],
		[
			'changes nothing if **Neutralize Formulas** was off',
			'Entity/bulk/syncFile',
			'changes nothing in a second run, or with the file of an export',
		],
		[
			'The next run completes an interrupted one',
			'Entity/bulk/syncFile',
			'the next run completes a run that stopped halfway, without duplicates',
		],
		[
			'A row is read again immediately before it is changed or deleted',
			'Entity/bulk/syncFile',
			'keeps concurrent changes to columns that are missing from the file',
		],
	],
	'docs/values.md': [
		[
			'add the condition **Is Empty** and set **Combine Conditions** to **Any**',
			'Entity/ignoredConditions',
			'a row without a value does not meet Does Not Equal, but Is Empty as another condition',
		],
		[
			'**Leave Empty**: the cell is cleared. A hint lists the values',
			'Entity/columns/unknownOptions',
			'Leave Empty writes no value, and a hint lists the unknown options',
		],
		[
			'the options are added before the first write, with one request per column',
			'Entity/columns/unknownOptions',
			'adds the options to the column with one request before the first row',
		],
		[
			'This requires the right to change columns, which is checked first',
			'Entity/columns/unknownOptions',
			'refuses a key that may not add options before anything is written',
		],
		['Runs within one n8n process take turns', 'Entity/columns/unknownOptions', 'of one n8n'],
		[
			'If the service does not list the options of a column, the values are sent',
			'Entity/columns/unknownOptions',
			'if the options of the column are unknown, the service validates the value',
		],
		[
			'**Create** and forms refuse an item without a value for any column',
			'Entity/rows',
			'refuses an item without a matching column',
		],
		[
			'n8n recognizes failed items by their members',
			'Entity/columns/oddColumns',
			'a column named error with Retry On Fail: one row per item',
		],
		['An empty text in a key column counts as no value', 'Entity/keys', 'is not a key on its own'],
		[
			'Items that write to the same row are written in the order of the items',
			'Entity/sameRow',
			'Update: the last item wins',
		],
	],
	'docs/trigger.md': [
		[
			'emit updates only if one of these columns has changed',
			'GridTrigger/GridTrigger',
			'emits an update only if a watched column changed',
		],
		[
			'emit only rows that are in this view at the time of the poll; deletions are always emitted',
			'GridTrigger/GridTrigger',
			'emits only rows of the chosen view, and deleted rows',
		],
		[
			'on the first activation, emit changes since this time',
			'GridTrigger/GridTrigger',
			'"Start From" emits the changes since that time',
		],
		[
			'maximum number of changes in one execution; more follow, oldest first',
			'GridTrigger/GridTrigger',
			'emits at most the chosen number of events per run, in order',
		],
		[
			'read the current state of each row',
			'GridTrigger/GridTrigger',
			'reads the current state of the full entity',
		],
		[
			'`_id` is called `entityId`, and `raw` is present',
			'GridTrigger/output',
			'version 1 keeps the members that saved workflows use',
		],
		[
			'**Fetch Test Event** returns the newest change that matches the options and does not move the cursor',
			'GridTrigger/GridTrigger',
			'shows only the newest event, as n8n requires, and does not move the cursor',
		],
		[
			'If there is none, the output is empty',
			'GridTrigger/GridTrigger',
			'on a grid without changes ends without an event and without an error',
		],
		[
			'the last batch is redelivered with `redelivered: true`',
			'GridTrigger/GridTrigger',
			'a batch that was emitted before n8n was killed is emitted once more and marked',
		],
		[
			'The cursor of the first poll is not stored',
			'GridTrigger/GridTrigger',
			'does not store the cursor of the poll on activation',
		],
		[
			'it stays active and catches up',
			'GridTrigger/GridTrigger',
			'while the service is unavailable: the workflow stays active and catches up',
		],
		[
			'only the first activation needs the service',
			'GridTrigger/GridTrigger',
			'for the first time while the service is unavailable: an error',
		],
		[
			'the package was downgraded',
			'GridTrigger/GridTrigger',
			'of a newer version is refused, and not discarded',
		],
		[
			'the trigger refuses, because starting from now would silently lose changes',
			'GridTrigger/GridTrigger',
			'that cannot be read causes an error, not a new start',
		],
		[
			'The cursor has not moved',
			'GridTrigger/views',
			'stops reading an endless view in time, with a message, and does not move the cursor',
		],
	],
	'docs/queue-mode.md': [['**The trigger polls in one process**', '../e2e/queue', 'only main polls']],
	'README.md': [
		['can show its plan first', 'Entity/bulk/sync', 'a dry run reports the plan and writes nothing'],
		[
			'Columns are stored by key, so renaming one breaks no workflow',
			'Entity/columns/storedColumns',
			'writes the same columns after they were renamed',
		],
		[
			'They are sent only to the origin of that link',
			'security/credentialOrigin',
			'goes to its own service, and to no other',
		],
	],
	'docs/bulk.md': [
		[
			'so a short run does not wait for a long one',
			'../unit/client/http/requestBudget',
			'an execution that starts later soon gets its share',
		],
		[
			'Each execution respects its own **Requests at a Time**',
			'../unit/client/http/requestBudget',
			'executions respect their own limits, and together the highest limit',
		],
		[
			'A delay requested with 503 applies to all executions',
			'../unit/client/http/requestBudget',
			'applies to all executions after a 503',
		],
		[
			'one requested with 429 only to the execution that received it',
			'../unit/client/http/requestBudget',
			'applies only to the execution that received a 429',
		],
		[
			'An execution that ends or is stopped releases its share at once',
			'../unit/client/http/requestBudget',
			'releases it when it is canceled',
		],
		[
			'the number is halved and the refused requests are repeated after the requested delay',
			'../unit/client/http/limiter',
			'delays every request, and afterwards the lower limit applies',
		],
		[
			'The error names every invalid item, and no item is written',
			'Entity/rows',
			'writes many items in order; an invalid item prevents all writes',
		],
		[
			'the remaining items are not tried, and each of them says so',
			'Entity/rows',
			'after a 401, the remaining items are reported as not tried',
		],
		[
			'each is compared with the plan of the previous one',
			'Entity/dryRun',
			'Create or Update reports changes, including those of rows that it would create',
		],
		[
			'Items with the same key see the writes of previous items',
			'Entity/findRows',
			'items with the same key are compared with what the preceding item wrote',
		],
		[
			'looks up each missing row again immediately before creating it',
			'Entity/findRows',
			'Avoid Duplicates By searches again for each row before creating it',
		],
		[
			'If another writer deletes a row during the run, **Create or Update** creates it again',
			'Entity/findRows',
			'creates a row that was deleted after the grid was read',
		],
		[
			'**Automatic** falls back to one by one and **All at Once** fails',
			'Entity/findRows',
			'finds rows one by one if the grid cannot be read as a whole, unless All at Once is chosen',
		],
		[
			'a partial list is never presented as complete',
			'../unit/client/session/paging',
			'are never returned partially: an error on one page fails the whole read',
		],
		[
			'the file is written anew, at most three times in all',
			'Entity/bulk/exportFile',
			'if it keeps changing, a warning is shown, and no row occurs twice',
		],
		['The cursor of another query is refused', 'Entity/batch', 'the cursor of another query'],
		[
			'Items with the same cursor are one batch',
			'Entity/batch',
			'items with the same cursor read one batch, because a loop returns all rows of a batch',
		],
	],
};
