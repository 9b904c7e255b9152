import { type Field, InvalidInput, ownMember, type Values } from '../../../client';
import { valueText } from '../../shared/display/shownText';
import { choice } from '../../shared/inputs/choice';
import { refuseProblems } from '../../shared/inputs/problems';
import { typeLabel } from '../../shared/rows/columnTypes';
import { InvalidCell } from '../../shared/rows/conversion';
import { unknownOptions } from '../../shared/rows/columnOptions';
import { isEmptyCell, tryServiceValue } from '../../shared/rows/values';
import type { ItemContext } from '../../shared/runner/context';

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

const ADVICE =
	'Add the option, or change the type back; or set "If a Value No Longer Fits" to "Leave It Out".';

/**
 * The earlier values that their columns still take, and why the others are left out.
 * @throws InvalidItem if one is not to be left out
 */
export function valuesThatFit(
	{ option }: Pick<ItemContext, 'option'>,
	fields: readonly Field[],
	values: Values,
): { values: Values; reasons: string[] } {
	const misfits = fields.flatMap((field) => {
		const reason = misfitReason(field, ownMember(values, field.id));
		return reason === undefined ? [] : [new InvalidCell(field, new InvalidInput(reason, ADVICE))];
	});
	if (option(ifUnfit) === 'refuse') refuseProblems(misfits);
	const unfit = new Set(misfits.map(({ field }) => field.id));
	const taken = Object.entries(values).filter(([id]) => !unfit.has(id));
	return { values: Object.fromEntries(taken), reasons: misfits.map(({ message }) => message) };
}
