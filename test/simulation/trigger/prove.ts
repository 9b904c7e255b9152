import fc from 'fast-check';
import { scenarios } from './scenarios';
import { simulate } from './simulation';

export interface Proof {
	runs: number;
	events: number;
	lost: number;
	duplicated: number;
	/** Repeats after a kill without their mark, and marks on what is no repeat. */
	mismarked: number;
	/** Changes of one row that came the wrong way round. */
	disordered: number;
	/** The first run that went wrong, to be run again. */
	counterexample?: string;
}

/** Many simulated runs, seeded: the same seed gives the same runs everywhere. */
export async function prove(
	seed: number,
	runs: number,
	progress: (done: number, events: number) => void,
): Promise<Proof> {
	const proof: Proof = { runs: 0, events: 0, lost: 0, duplicated: 0, mismarked: 0, disordered: 0 };
	for (const scenario of fc.sample(scenarios, { numRuns: runs, seed })) {
		const { events, lost, duplicated, mismarked, unwanted, disordered, settled } = await simulate(scenario);
		proof.runs += 1;
		proof.events += events;
		// A feed that never comes to its end holds back what was not
		// emitted, and what was there before is one event too many.
		proof.lost += settled ? lost : Math.max(1, lost);
		proof.duplicated += duplicated + unwanted;
		proof.mismarked += mismarked;
		proof.disordered += disordered;
		if (!settled || lost + duplicated + mismarked + unwanted + disordered > 0)
			proof.counterexample ??= JSON.stringify(scenario);
		progress(proof.runs, proof.events);
	}
	return proof;
}
