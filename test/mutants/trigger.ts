import type { Finder, Mutant } from './mutant';

const SIMULATION: Finder = { test: 'test/unit/nodes/EntityTrigger/polling/simulation.test.ts' };

/** Mutants of the polling: each switches off a rule of docs/development/trigger-proof.md. */
export const triggerMutants: readonly Mutant[] = [
	{
		breaks: 'The trigger uses the later clock',
		file: 'nodes/EntityTrigger/polling/serviceTime.ts',
		find: 'earlier: Math.min(sent, Math.floor(wall))',
		replace: 'earlier: Math.max(sent, Math.floor(wall))',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'The position passes the lookback',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: 'const complete = reference - lookback;',
		replace: 'const complete = reference;',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'The position passes entries that are left',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: '(oldest, { time }) => Math.min(oldest, time),',
		replace: '(oldest) => oldest,',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'A reading that was disturbed counts as whole',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: 'if (!this.isWhole) return -Infinity;\n\t\tconst',
		replace: 'const',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'Keys are forgotten when they are emitted',
		file: 'nodes/EntityTrigger/polling/poll.ts',
		find: 'seen.add(queued.entry.key, queued.until);',
		replace: 'seen.add(queued.entry.key, 0);',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'What the first page shows is emitted',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: 'this.isActivation && (this.pages === 1 || entry.time === undefined)',
		replace: 'this.isActivation && entry.time === undefined',
		foundBy: [
			{
				test: 'test/unit/nodes/EntityTrigger/polling/poll.test.ts',
				named: 'what the first page of a new trigger shows',
			},
		],
	},
	{
		breaks: 'A feed in any order is emitted before its end',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: 'if (!this.isSorted) return -Infinity;',
		replace: 'if (this.rises < 0) return -Infinity;',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'since excludes entries of its own time',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: 'feed.read(this.from.start - 1,',
		replace: 'feed.read(this.from.start,',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'Entries are emitted in the order of the feed',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: 'a.time - b.time || sign',
		replace: 'sign',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'A lost batch is not emitted again',
		file: 'nodes/EntityTrigger/polling/poll.ts',
		find: 'lost?.low ?? known?.low',
		replace: 'known?.low',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'The position is stored before the events are complete',
		file: 'nodes/EntityTrigger/run.ts',
		find: 'const { items, members, moves } = await',
		replace: 'cursor.write(result.state, true);\n\tconst { items, members, moves } = await',
		foundBy: [{ test: 'test/n8n/EntityTrigger/views.test.ts', named: 'does not move the cursor' }],
	},
	{
		breaks: 'At equal times a deletion comes before the creation of its row',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: 'rankOf(a.entry) - rankOf(b.entry)',
		replace: 'rankOf(b.entry) - rankOf(a.entry)',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'A reading that has failed counts as ended',
		file: 'nodes/EntityTrigger/polling/poll.ts',
		find: 'this.interruptedBy = error;\n\t\t\t\treturn;',
		replace: 'this.interruptedBy = error;\n\t\t\t\treading.hasEnded = true;\n\t\t\t\treturn;',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'What was read before an error is not emitted',
		file: 'nodes/EntityTrigger/polling/poll.ts',
		find: 'this.interruptedBy = error;\n\t\t\t\treturn;',
		replace: 'throw error;',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'A poll ignores its budget',
		file: 'nodes/EntityTrigger/polling/poll.ts',
		find: '!this.hasProgress || !request.clock.isOver()',
		replace: 'true',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'A view is read beyond the budget of the poll',
		file: 'nodes/EntityTrigger/viewMembers.ts',
		find: 'if (isOver())\n',
		replace: "if (isOver() && viewId === '')\n",
		foundBy: [{ test: 'test/n8n/EntityTrigger/views.test.ts', named: 'endless view' }],
	},
	{
		breaks: 'Each first page is read twice',
		file: 'nodes/EntityTrigger/polling/reading.ts',
		find: 'total !== undefined || this.pages !== 1 || !isRepeated()',
		replace: 'this.pages > 1 && !isRepeated()',
		foundBy: [SIMULATION],
	},
	{
		breaks: 'Start From is parsed in the time zone of the process',
		file: 'nodes/EntityTrigger/settings.ts',
		find: 'toTimestamp(from, node.getTimezone())',
		replace: 'new Date(String(from)).getTime()',
		foundBy: [{ test: 'test/n8n/EntityTrigger/oddServices.test.ts', named: 'in the time zone' }],
	},
];
