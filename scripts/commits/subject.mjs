const MAX_LENGTH = 72;

/** Imperatives that end in -ed, -ing or -s. */
const IMPERATIVES = new Set(
	'Access Address Bring Bypass Compress Cross Discuss Dismiss Embed Exceed Express Feed Focus Guess Heed Miss Need Pass Press Process Proceed Seed Shed Shred Speed Stress Succeed Suppress'.split(
		' ',
	),
);

/**
 * Violations of CONTRIBUTING.md's rules in the subject of a commit.
 * @param {string} subject
 */
export function subjectFaults(subject) {
	const [verb = ''] = subject.split(' ');
	const faults = [];
	if (subject.length > MAX_LENGTH)
		faults.push(`is ${subject.length} characters long, ${MAX_LENGTH} are allowed`);
	if (subject.endsWith('.')) faults.push('ends with a full stop');
	if (!/^[A-Z][a-z-]+$/.test(verb)) faults.push('does not start with a capitalized verb');
	else if (/(?:ed|ing|s)$/.test(verb) && !IMPERATIVES.has(verb))
		faults.push(`"${verb}" is not an imperative`);
	return faults;
}
