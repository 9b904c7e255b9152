import type { FeedKind, Weather } from './feedKind';
import { CALM, ORDINARY, type Scenario } from './scenario';
import { simulate, type Outcome, type Variant } from './simulation';

export const NOTHING_WRONG = {
	lost: 0,
	duplicated: 0,
	mismarked: 0,
	unwanted: 0,
	disordered: 0,
	settled: true,
};

export const verdict = ({ lost, duplicated, mismarked, unwanted, disordered, settled }: Outcome) => ({
	lost,
	duplicated,
	mismarked,
	unwanted,
	disordered,
	settled,
});

/** What is different from an ordinary service and an ordinary n8n. */
export interface Changes extends Partial<Omit<Scenario, 'kind' | 'weather'>> {
	kind?: Partial<FeedKind>;
	weather?: Partial<Weather>;
}

export const scenario = ({ kind, weather, ...rest }: Changes, seed: number): Scenario => ({
	...ORDINARY,
	...rest,
	seed,
	kind: { ...ORDINARY.kind, ...kind },
	weather: { ...CALM, ...weather },
});

export const SEEDS = [1, 2, 3, 4];

/** The same trouble under several seeds, one of them in the middle of a busy grid. */
export async function runAll(changes: Changes, variant?: Variant): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const seed of SEEDS) outcomes.push(await simulate(scenario({ rate: 8, ...changes }, seed), variant));
	return outcomes;
}
