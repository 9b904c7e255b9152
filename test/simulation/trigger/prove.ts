import { scenarioOf } from './scenario';
import { simulate } from './simulation';

export interface Proof {
	runs: number;
	events: number;
	lost: number;
	duplicated: number;
	/** Repeats after a kill without their mark, and marks on what is no repeat. */
	mismarked: number;
	disordered: number;
	unquiet: number;
	/** The first history that went wrong, to be run again. */
	counterexample?: string;
}

/** Many simulated histories: the same seed gives the same histories everywhere. */
export async function prove(
	seed: number,
	runs: number,
	progress: (done: number, events: number) => void,
): Promise<Proof> {
	const proof: Proof = {
		runs: 0,
		events: 0,
		lost: 0,
		duplicated: 0,
		mismarked: 0,
		disordered: 0,
		unquiet: 0,
	};
	for (let number = 0; number < runs; number++) {
		const scenario = scenarioOf(seed + number);
		const { events, lost, doubled, mismarked, unwanted, disordered, unquiet, settled } =
			await simulate(scenario);
		proof.runs += 1;
		proof.events += events;
		// A feed that never comes to its end holds back what was not emitted.
		proof.lost += settled ? lost : Math.max(1, lost);
		proof.duplicated += doubled + unwanted;
		proof.mismarked += mismarked;
		proof.disordered += disordered;
		proof.unquiet += unquiet;
		if (!settled || lost + doubled + mismarked + unwanted + disordered + unquiet > 0)
			proof.counterexample ??= JSON.stringify(scenario);
		progress(proof.runs, proof.events);
	}
	return proof;
}
