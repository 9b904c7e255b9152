import { z } from 'zod/v4';
import type { Client } from '../../../client';
import { InvalidInput } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import type { ShowHint } from '../../shared/display/hints';
import { numeric, parameter } from '../../shared/inputs/parameter';

/** Protects against conditions that match more rows than intended. */
export const changeLimit = parameter(
	{
		displayName: 'At Most',
		name: 'atMost',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 100,
		description:
			'Maximum number of rows that one run may change, over all items. If the conditions select more, nothing is written.',
	},
	numeric.pipe(z.number().int().min(1)),
);

/** @param share default, in percent of the rows of the grid */
export function limitPercent(share: number) {
	return parameter(
		{
			displayName: 'Limit (%)',
			name: 'limitPercent',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 100 },
			default: share,
			description:
				'Maximum share of the rows of the grid that one run may change. If the conditions select more, nothing is written.',
		},
		numeric.pipe(z.number().min(0).max(100)),
	);
}

/** How a run treats its limits. */
export interface LimitedRun {
	isDryRun: boolean;
	hint: ShowHint;
}

/**
 * Stops a run that exceeds a limit. A dry run shows its plan nevertheless, with a warning.
 * @throws InvalidInput
 */
export function stopAt(excess: InvalidInput | undefined, { isDryRun, hint }: LimitedRun): void {
	if (!excess) return;
	if (!isDryRun) throw excess;
	hint(`Without "Dry Run", this run would fail: ${excess.message}. ${excess.hint}`, 'warning');
}

interface Limits {
	most: number;
	percent: number;
	verb: string;
	run: LimitedRun;
}

/**
 * Refuses a run that would change more rows than the user allows. A dry run, too, is refused above
 * `most`, because further rows are not read.
 * @throws InvalidInput
 */
export async function refuseTooMany(
	client: Client,
	rows: ReadonlyMap<Grid, ReadonlySet<string>>,
	{ most, percent, verb, run }: Limits,
): Promise<void> {
	const total = [...rows.values()].reduce((sum, ids) => sum + ids.size, 0);
	if (total > most)
		throw new InvalidInput(
			`More rows meet the conditions than "At Most" allows (${most}); nothing was written`,
			'Narrow the conditions, or raise "At Most".',
		);
	if (percent >= 100) return;
	const advice = 'Narrow the conditions, or raise "Limit (%)" under Options.';
	for (const [grid, ids] of rows) {
		const all = ids.size === 0 ? 0 : await rowsOf(client, grid);
		stopAt(excessiveShare({ grid, rows: ids.size, all, percent, verb, advice }), run);
	}
}

/** The number of rows of a grid; reads them if the service does not count them. */
async function rowsOf(client: Client, grid: Grid): Promise<number> {
	const counted = await client.entities.count(grid);
	return counted ?? (await client.entities.manyAs(grid, ({ _id }) => _id)).items.length;
}

interface Share {
	grid: Grid;
	/** Number of rows to change. */
	rows: number;
	/** Number of rows of the grid. */
	all: number;
	/** Maximum share, in percent. */
	percent: number;
	/** Past participle for the message, such as `deleted`. */
	verb: string;
	advice: string;
}

/** The error if a plan changes a larger share of the rows than allowed. */
export function excessiveShare({ grid, rows, all, percent, verb, advice }: Share): InvalidInput | undefined {
	if (rows * 100 <= all * percent) return undefined;
	const share = rows < all ? `${rows} of the ${all} rows` : all === 1 ? 'The only row' : `All ${all} rows`;
	return new InvalidInput(
		`${share} of "${grid.name}" would be ${verb}, which is more than ${percent} %; nothing was written`,
		advice,
	);
}
