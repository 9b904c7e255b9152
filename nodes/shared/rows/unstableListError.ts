import { InvalidInput } from '../../../client';

/** For an incompletely read list, which cannot prove that a row or value is missing. */
export function unstableListError({ name }: { name: string }): InvalidInput {
	return new InvalidInput(
		`"${name}" kept changing while it was read, so its rows cannot be compared; nothing was written`,
		'Run the node again when fewer rows are being written.',
	);
}
