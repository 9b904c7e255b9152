/** A sentence of a page, and the file (below test/n8n) and title of the test that proves it. */
type Statement = readonly [sentence: string, file: string, title: string];

/** What the pages for users say of the behavior of the nodes. */
export const STATEMENTS: Readonly<Record<string, readonly Statement[]>> = {
	'docs/sync.md': [
		[
			'with **Find Linked Rows By**, by a value',
			'Entity/columns/linkedRows',
			'values of the file, each found once',
		],
		[
			'to fill a new grid that has no columns',
			'Entity/sync/missingColumns',
			'fills a grid without columns; a',
		],
		[
			'They may stay there for the next runs',
			'Entity/sync/missingColumns',
			'fills a grid without columns; a',
		],
		['lists the columns and adds none', 'Entity/sync/missingColumns', 'fills a grid without columns; a'],
		[
			'writes nothing and names them',
			'Entity/sync/missingColumns',
			'Refuse names the columns that a grid lacks',
		],
		['are neither compared nor deleted', 'Entity/sync/scope', 'neither touches the rows of the other'],
		['a key that a row outside already has', 'Entity/sync/scope', 'refuses a key that exists outside'],
		['would no longer meet the conditions', 'Entity/sync/scope', 'takes a row out of the conditions'],
		['It costs no request', 'Entity/sync/scope', 'costs no request'],
		['its `_outcome` is `differs`', 'Entity/ownership', 'whose columns of the grid differ'],
		['count as `differing` in the report', 'Entity/ownership', 'counts them in the report'],
		['add **Compare As** for that column', 'Entity/ownership', 'compares by the rules of Compare As'],
		['When a row is in the input again', 'Entity/sync/scope', 'clears the mark when they return'],
		['A hint says how many rows were left out', 'Entity/sync/scope', 'limits and Rows to Write'],
		['contains the changes that were carried out', 'Entity/sync/scope', 'shows in its error what it did'],
		['Equal rows cost no request', 'Entity/sync/sync', 'takes one request per page and per change, plus two'],
		[
			'One item per change, all with the same columns',
			'Entity/sync/sync',
			'all with the same members, and the summary as a hint',
		],
		[
			'set **Output** to **Report** (one item with the totals)',
			'Entity/sync/sync',
			'has only the report if requested',
		],
		[
			'**Changes, with Report** (each item also has the totals',
			'Entity/sync/sync',
			'adds the report to every row if requested',
		],
		[
			'If no cell of the grid contains an empty text, `""` in the input equals no value',
			'Entity/keys',
			'a second Sync changes nothing if the service stores an empty text as no value',
		],
		[
			'how many rows would be deleted, of how many',
			'Entity/sync/scope',
			'leaves rows outside of the conditions alone, and takes percentages of those inside',
		],
		[
			'two items, or two rows of the grid, with the same key',
			'Entity/sync/sync',
			'names a key that occurs twice in the input or the grid, and writes nothing',
		],
		['a value that does not fit its column', 'Entity/sync/sync', 'writes nothing if one value is invalid'],
		[
			'that the source looks empty or broken',
			'Entity/sync/sync',
			'fails the run if no other item has one, and deletes nothing',
		],
		[
			'a key that may not create, update or delete here',
			'Entity/sync/sync',
			'a reader key is refused before any write',
		],
		[
			'**Skip**, the default of **Rows Without Key**, ignores items',
			'Entity/sync/sync',
			'is skipped with a hint; the other items are synced',
		],
		[
			'An empty cell means no value: it clears the column',
			'Entity/sync/importFile',
			'an empty cell clears a value; a column that is missing from the file stays unchanged',
		],
		[
			'A file of **Export** read back changes nothing',
			'Entity/sync/roundTrip',
			'Export, then Import From File, both with defaults, changes and adds nothing',
		],
		[
			'The next run completes an interrupted one',
			'Entity/sync/importFile',
			'the next run completes a run that stopped halfway, without duplicates',
		],
		[
			'A row is read again immediately before it is changed or deleted',
			'Entity/sync/importFile',
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
	'docs/moving.md': [
		['names the nearest keys', 'byKey', 'an unknown key names the nearest'],
		['the error names its key', 'byKey', 'names the key, and writes nothing'],
		['A key costs two requests for each run', 'byKey', 'with one list of spaces and one of grids'],
		['its polls cost as much as with an ID', 'byKey', 'resolves a key once, and again'],
		['In later runs the node returns the grid', 'byKey', 'Return It returns the grid with its columns'],
	],
	'docs/trigger.md': [
		[
			'emit an update only if one of these columns has changed',
			'EntityTrigger/EntityTrigger',
			'emits an update only if a watched column changed',
		],
		[
			'emit only rows that are in this view at the time of the poll',
			'EntityTrigger/EntityTrigger',
			'emits only rows of the chosen view, and deleted rows',
		],
		[
			'_By Name_ works in every account',
			'EntityTrigger/EntityTrigger',
			'a view is found by its name within a grid that is found by its key',
		],
		[
			'on the first activation, emit changes since this time',
			'EntityTrigger/EntityTrigger',
			'"Start From" emits the changes since that time',
		],
		[
			'maximum number of changes in one execution; more follow, oldest first',
			'EntityTrigger/EntityTrigger',
			'emits at most the chosen number of events per run, in order',
		],
		[
			'read the current state of each row',
			'EntityTrigger/EntityTrigger',
			'reads the current state of the full entity',
		],
		[
			'**Fetch Test Event** returns the newest change that matches the options, and does not move the cursor',
			'EntityTrigger/EntityTrigger',
			'shows only the newest event, as n8n requires, and does not move the cursor',
		],
		[
			'If there is none, it says which input leaves out the newest change',
			'EntityTrigger/EntityTrigger',
			'on a grid without changes says that there is no event to show',
		],
		[
			'each restart repeats the last batch, marked with `redelivered: true`',
			'EntityTrigger/EntityTrigger',
			'a batch that was emitted before n8n was killed is emitted once more and marked',
		],
		[
			'A column or view that was deleted is an error',
			'EntityTrigger/EntityTrigger',
			'a watched column that is gone is an error at the activation and at a poll with changes',
		],
		[
			'it stays active and catches up',
			'EntityTrigger/EntityTrigger',
			'while the service is unavailable: the workflow stays active and catches up',
		],
		[
			'only the first activation needs the service',
			'EntityTrigger/EntityTrigger',
			'for the first time while the service is unavailable: an error',
		],
		[
			'the package was downgraded',
			'EntityTrigger/EntityTrigger',
			'of a newer version is refused, and not discarded',
		],
		[
			'the trigger refuses, because starting from now would silently lose changes',
			'EntityTrigger/EntityTrigger',
			'that cannot be read causes an error, not a new start',
		],
		[
			'The view is too large to be searched',
			'EntityTrigger/views',
			'stops reading an endless view in time, with a message, and does not move the cursor',
		],
		[
			"is asked for at the view's address before it counts as having left",
			'EntityTrigger/views',
			'a row that a list of the view passes over has not left it, and does not enter it again',
		],
	],
	'docs/queue-mode.md': [['**The trigger polls in one process**', '../e2e/queue', 'only main polls']],
	'README.md': [
		['can show its plan first', 'Entity/sync/sync', 'a dry run reports the plan and writes nothing'],
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
		['a killed run stays `started`', 'Entity/runLog', 'before the first write, and stays "started"'],
		['`failed` or, if nothing was written because', 'Entity/runLog', 'before its first write because of'],
		['follow as rows of', 'Entity/runLog', 'goes on names each row that failed'],
		['or the one that the run writes to, is refused', 'Entity/runLog', 'is the grid that the run writes to'],
		['is refused before it writes', 'Entity/runLog', 'because the key may not add rows to it'],
		['is a hint: what was written is output', 'Entity/runLog', 'what was written is output'],
		['takes six more requests, two of them writes', 'Entity/runLog', 'costs these requests'],
		['Dry runs are not logged', 'Entity/runLog', 'is missing for dry runs'],
		['never contains secrets or values of rows', 'Entity/runLog', 'has its row with the first reason'],
		['What somebody has edited since stays', 'Entity/undo', 'what somebody has edited since stays'],
		['Several changes of one row count as one', 'Entity/undo', 'several changes of a row as one'],
		['can be undone itself', 'Entity/undo', 'takes a sync back value by value'],
		['An item without old values is refused', 'Entity/undo', 'refuses what has no old values'],
		['`_outcome: "notFound"`', 'Entity/ownership', 'Skip updates what exists and creates nothing'],
		['Neither needs the right to create rows', 'Entity/ownership', 'need no right to create'],
		['keeps a value that the row has', 'Entity/ownership', 'Column Rules of %s'],
		['none with **Key Columns**. [Sync]', 'Entity/ownership', 'none with key columns'],
		['its `_outcome` is `conflict`', 'Entity/ownership', 'a row that was changed is a conflict'],
		['in a real run as in a dry run', 'Entity/ownership', 'as its dry run does'],
		['For a deleted row they are the whole row', 'Entity/ownership', 'outputs a deleted row whole'],
		['one request more per row', 'Entity/ownership', 'costs one request per row'],
		[
			'so a short run does not wait for a long one',
			'../unit/client/http/requestBudget',
			'an execution that starts later soon gets its share',
		],
		[
			'Each execution respects the **Requests at a Time** of its credential',
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
			'delays every request; then one is sent before the others, with the lower limit',
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
			'A key that the grid lacked when it was read is looked for again before its row is created',
			'Entity/findRows',
			'a key that a list lacks is looked for again before its row is created',
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
			'../unit/client/lists/readList',
			'an error on one page fails the whole read',
		],
		[
			'the file is written anew, at most three times in all',
			'Entity/sync/export',
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
