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
	/** Histories with a view, and the moves of its rows. */
	views: number;
	moves: number;
	/** Moves that were lost, told twice, or did not happen. */
	wrongMoves: number;
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
		views: 0,
		moves: 0,
		wrongMoves: 0,
	};
	for (let number = 0; number < runs; number++) {
		const scenario = scenarioOf(seed + number);
		const outcome = await simulate(scenario);
		const { events, lost, doubled, mismarked, unwanted, disordered, unquiet, settled } = outcome;
		const wrongMoves = outcome.lostMoves + outcome.doubledMoves + outcome.falseMoves;
		proof.runs += 1;
		proof.events += events;
		// A feed that never comes to its end holds back what was not emitted.
		proof.lost += settled ? lost : Math.max(1, lost);
		proof.duplicated += doubled + unwanted;
		proof.mismarked += mismarked;
		proof.disordered += disordered;
		proof.unquiet += unquiet;
		proof.views += scenario.view ? 1 : 0;
		proof.moves += outcome.moves;
		proof.wrongMoves += wrongMoves;
		if (!settled || lost + doubled + mismarked + unwanted + disordered + unquiet + wrongMoves > 0)
			proof.counterexample ??= JSON.stringify(scenario);
		progress(proof.runs, proof.events);
	}
	return proof;
}
