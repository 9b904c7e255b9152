import { argv } from 'node:process';
import { parseArgs } from 'node:util';
import { runCommand } from '../../scripts/setup/entry.mjs';
import { Fault } from '../../scripts/setup/faults.mjs';
import { duration, say } from '../../scripts/setup/terminal.mjs';
import { mutants } from './all';
import { CopiedTree } from './copiedTree';
import { finderName, type Mutant } from './mutant';
import { sample } from './sample';

const text = { type: 'string' } as const;
const OPTIONS = {
	only: text,
	name: { ...text, multiple: true },
	folder: { ...text, multiple: true },
	runs: { ...text, default: '30' },
	seed: { ...text, default: '1' },
	minutes: { ...text, default: 'Infinity' },
	tests: { ...text, multiple: true },
} as const;

const options = () => parseArgs({ args: argv.slice(2), options: OPTIONS }).values;

/** @returns the mutants of the chosen list, or of all lists, whose name contains the chosen text */
function chosen(): Mutant[] {
	const { only, name: names = [''] } = options();
	const lists = only === undefined ? Object.values(mutants) : [mutants[only] ?? []];
	const found = lists.flat().filter(({ breaks }) => names.some((name) => breaks.includes(name)));
	if (found.length > 0) return found;
	const known = Object.keys(mutants).join(', ');
	throw new Fault(
		'There is no such mutant.',
		`Use --only with one of ${known}, or --name with a part of a name.`,
	);
}

/**
 * `npm run mutants [-- --only data] [--name text]`: applies each mutant to a copy
 * of the sources and runs its finders. The last line is JSON; fails unless each finder
 * finds its mutant. `npm run mutants -- --folder service/routes [--folder …] [--runs 30] [--seed 1]
 * [--minutes 10] [--tests folder …] [--name text …]`: draws random mutants of a folder and reports
 * how many of those that it had time for its tests find. The last line is JSON.
 */
void runCommand(async () => {
	const { folder: folders, runs, seed, minutes, tests = [], name: only = [] } = options();
	if (folders) {
		const numbers = { runs: Number(runs), seed: Number(seed), minutes: Number(minutes) };
		say(JSON.stringify(await sample({ folders, ...numbers, tests, only })));
		return true;
	}
	const list = chosen();
	const tree = await CopiedTree.make();
	const began = performance.now();
	const survived: string[] = [];
	try {
		for (const mutant of list) {
			const missedBy = await tree.with(mutant, async () => {
				const names: string[] = [];
				for (const finder of mutant.foundBy)
					if (!(await tree.isFoundBy(finder))) names.push(finderName(finder));
				return names;
			});
			say(`${missedBy.length === 0 ? '✔' : '✖'} ${mutant.breaks}`);
			for (const name of missedBy) {
				survived.push(`${mutant.breaks}: ${name}`);
				say(`    not found by ${name}`);
			}
		}
	} finally {
		await tree.remove();
	}
	say(`${list.length} mutants in ${duration(performance.now() - began)}`);
	say(JSON.stringify({ mutants: list.length, survived }));
	return survived.length === 0;
});
