import type { Mutant } from './mutant';

/** Broken variants of the connector that would lose, double or change data without a word. */
export const dataMutants: readonly Mutant[] = [
	{
		breaks: 'The id in an entry of a feed counts as that of its event',
		file: 'client/resources/updates/updateIdentity.ts',
		find: 'if (id === undefined) return',
		replace:
			"const shown = raw['id'] ?? raw['_id'];\nif (shown !== undefined) return JSON.stringify(shown);\n\tif (id === undefined) return",
		foundBy: [
			{ probe: 'grid.getUpdates', runs: 20 },
			{ probe: 'trigger', runs: 20 },
		],
	},
	{
		breaks: 'Writes to one row run side by side',
		file: 'nodes/shared/runner/turns.ts',
		find: 'outcomeOf(this.last.get(key) ?? Promise.resolve()).then(work)',
		replace: 'work()',
		foundBy: [{ test: 'test/n8n/Entity/turns.test.ts' }],
	},
];
