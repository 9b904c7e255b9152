import { InvalidInput } from '../../../client/errors';
import type { EntitiesQuery, Entity } from '../../../client/resources/entities';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { columnsIn, looseRowTest } from '../../shared/rows/matching';

/** The error for a service that returned rows that do not meet the conditions. */
export function ignoredConditions(
	{ name }: Grid,
	{ nonMatching, all }: { nonMatching: number; all: number },
): InvalidInput {
	return new InvalidInput(
		`The service returned ${nonMatching} of ${all} rows of "${name}" that do not meet the conditions, so it does not filter as requested; nothing was done with them`,
		'Use "Equals", which every service supports, or read all rows with Get Many and filter them in a later node.',
	);
}

/** Checks the rows of a list against the conditions of its query. */
export class ConditionsCheck {
	private readonly meets: (row: Entity) => boolean;
	/** IDs of columns in the conditions that no row has contained yet. A view may hide them. */
	private readonly unseen: Set<string>;
	private all = 0;
	private nonMatching = 0;

	constructor(
		private readonly grid: Grid,
		fields: readonly Field[],
		{ filter = {}, viewId }: Pick<EntitiesQuery, 'filter' | 'viewId'>,
	) {
		this.meets = looseRowTest(filter, fields);
		this.unseen = new Set(viewId === undefined ? [] : columnsIn(filter));
	}

	/** Takes a row of the list. */
	see(entity: Entity): void {
		for (const id of this.unseen) if (Object.hasOwn(entity, id)) this.unseen.delete(id);
		this.all += 1;
		if (!this.meets(entity)) this.nonMatching += 1;
	}

	/** @throws InvalidInput if a row did not meet the conditions, as far as its columns show */
	end(): void {
		const { all, nonMatching } = this;
		if (nonMatching > 0 && this.unseen.size === 0) throw ignoredConditions(this.grid, { all, nonMatching });
	}
}
