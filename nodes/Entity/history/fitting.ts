import { type Field, InvalidInput, ownMember, type Values } from '../../../client';
import { valueText } from '../../shared/display/shownText';
import { choice } from '../../shared/inputs/choice';
import { typeLabel } from '../../shared/rows/columnTypes';
import { unknownOptions } from '../../shared/rows/columnOptions';
import { isEmptyCell, tryServiceValue } from '../../shared/rows/values';

/** What happens to an earlier value that its column no longer takes. */
export const ifUnfit = choice(
	'ifUnfit',
	'If a Value No Longer Fits',
	{
		refuse: { name: 'Refuse', description: 'Nothing is written to the row' },
		leaveOut: { name: 'Leave It Out', description: 'The cell stays as it is, and a reason names it' },
	},
	{
		default: 'refuse',
		description:
			'What to do with an earlier value that its column no longer takes, because an option was removed or the type has changed',
	},
);

/** Why a column no longer takes a value that it once held; undefined if it does. */
function misfitReason(field: Field, value: unknown): string | undefined {
	const { name, type } = field;
	if (isEmptyCell(value)) return undefined;
	const removed = type.options ? unknownOptions(field, [value].flat()) : [];
	if (removed.length > 0) return `"${name}" no longer has the option ${valueText(removed[0])}`;
	if (tryServiceValue(field, value)) return undefined;
	return `"${name}" is of the type ${typeLabel(type.name)} now, and was ${valueText(value)}`;
}

/** The earlier values that their columns still take, with a reason for each other one. */
export function valuesThatFit(
	fields: readonly Field[],
	values: Values,
): { values: Values; reasons: string[] } {
	const reasons = new Map<string, string>();
	for (const field of fields) {
		const reason = misfitReason(field, ownMember(values, field.id));
		if (reason !== undefined) reasons.set(field.id, reason);
	}
	const taken = Object.entries(values).filter(([id]) => !reasons.has(id));
	return { values: Object.fromEntries(taken), reasons: [...reasons.values()] };
}

/** The error for earlier values that their columns no longer take. */
export const misfitError = (reasons: readonly string[]) =>
	new InvalidInput(
		reasons.join('; '),
		'Add the option, or change the type back; or set "If a Value No Longer Fits" to "Leave It Out".',
	);
