import { type Grid, InvalidInput } from '../../../client';
import { dryRun } from '../../shared/inputs/options';
import { numberInput, type Parameter } from '../../shared/inputs/parameter';
import type { ItemContext } from '../../shared/runner/context';

/** Protects against conditions that match more rows than intended. */
export const changeLimit = numberInput({
	displayName: 'Refuse Above',
	name: 'refuseAbove',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	description:
		'The largest number of rows that one run may change, over all items. If more rows meet the conditions, the run is refused and nothing is written; a dry run shows them all the same.',
});

/** @param share default, in percent of the rows of the grid */
export function limitPercent(share: number) {
	return numberInput({
		displayName: 'Limit (%)',
		name: 'limitPercent',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: share,
		description:
			'Maximum share of the rows of the grid that one run may change. If the conditions select more, nothing is written.',
	});
}

/** Stops a run that exceeds a limit; a dry run only warns. @throws InvalidInput */
export function stopAt(excess: InvalidInput | undefined, { parameter, hint }: ItemContext): void {
	if (!excess) return;
	if (!parameter(dryRun)) throw new InvalidInput(`${excess.message}; nothing was written`, excess.hint);
	hint(`Without "Dry Run", this run would fail: ${excess.message}. ${excess.hint}`, 'warning');
}

interface SelectionLimits {
	limit: Parameter<number>;
	/** Past participle of what happens to the rows. */
	verb: string;
	/** Counts the rows that meet the conditions, if there is one selection. */
	count: (() => Promise<number>) | undefined;
}

/** Refuses a run that would change more rows than allowed. @throws what `stopAt` throws */
export async function refuseTooMany(
	item: ItemContext,
	rows: ReadonlyMap<Grid, ReadonlySet<string>>,
	{ limit, verb, count }: SelectionLimits,
): Promise<void> {
	const { client, parameter, option } = item;
	const total = [...rows.values()].reduce((sum, ids) => sum + ids.size, 0);
	const most = parameter(changeLimit);
	if (total > most) {
		const matching = parameter(dryRun) ? total : count ? await count() : `At least ${total}`;
		stopAt(
			new InvalidInput(
				`${matching} rows meet the conditions, more than "Refuse Above" allows (${most})`,
				'Narrow the conditions, or raise "Refuse Above".',
			),
			item,
		);
	}
	const percent = option(limit);
	if (percent >= 100) return;
	const advice = 'Narrow the conditions, or raise "Limit (%)" under Options → Limits.';
	for (const [grid, ids] of rows) {
		const all = ids.size === 0 ? 0 : await client.entities.count(grid);
		stopAt(excessiveShare({ grid, rows: ids.size, all, percent, verb, advice }), item);
	}
}

interface Share {
	grid: Grid;
	/** Number of rows to change. */
	rows: number;
	all: number;
	/** Maximum share, in percent. */
	percent: number;
	/** Past participle for the message, such as `deleted`. */
	verb: string;
	advice: string;
}

/** The error if a plan changes a larger share of the rows than allowed. */
export function excessiveShare({ grid, rows, all, percent, verb, advice }: Share): InvalidInput | undefined {
	if (rows === 0 || (rows * 100) / all <= percent) return undefined;
	const share = rows < all ? `${rows} of the ${all} rows` : all === 1 ? 'The only row' : `All ${all} rows`;
	return new InvalidInput(
		`${share} of "${grid.name}" would be ${verb}, which is more than ${percent} %`,
		advice,
	);
}
