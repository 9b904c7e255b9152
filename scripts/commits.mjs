// `npm run commits -- [range]`: checks the subjects of commits. Default range: commits that are not
// in main, or else the newest.
import { execFileSync } from 'node:child_process';
import { subjectFaults } from './commits/subject.mjs';

/** @param {string[]} args */
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** @param {string[]} range */
function subjects(...range) {
	return git('log', '--no-merges', '--format=%h %s', ...range)
		.split('\n')
		.filter((line) => line !== '');
}

/** Subjects that are not in main. A clone of a single branch has no origin/main. */
function newSubjects() {
	try {
		return subjects('origin/main..HEAD');
	} catch {
		return [];
	}
}

const [range] = process.argv.slice(2);
const own = range === undefined ? newSubjects() : subjects(range);
const checked = own.length > 0 ? own : subjects('-1');
const wrong = checked.flatMap((line) => {
	const subject = line.slice(line.indexOf(' ') + 1);
	return subjectFaults(subject).map((fault) => `${line}\n  ${fault}\n`);
});
process.stderr.write(wrong.join(''));
process.exitCode = wrong.length > 0 ? 1 : 0;
