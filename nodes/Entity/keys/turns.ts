import { Cancelled, type Client, DataGridError, outcomeOf } from '../../../client';
import type { ItemContext } from '../../shared/runner/context';

/** A run that waits longer for another one reports it. */
const MAX_WAIT_MS = 300_000;
/** Interval at which a waiting run checks whether it was cancelled. */
const SLICE_MS = 200;

/** Another run has been writing rows with a key for too long. */
class KeyInUse extends DataGridError {
	readonly hint =
		'Run this item again later. To keep runs from overlapping, see "Runs that overlap" in the documentation of queue mode.';

	/** @param holder the other run, e.g. `execution 12 of "Nightly sync"` */
	constructor(key: string, holder: string) {
		super(
			`Another run (${holder}) has been writing ${key} for ${MAX_WAIT_MS / 60_000} minutes; the item was not written`,
		);
	}
}

interface Waiting {
	run: RunTurns;
	grant: () => void;
}

/** A key that a run is writing, and the runs that wait for it, in the order of their arrival. */
interface Turn {
	holder: RunTurns;
	readonly waiting: Waiting[];
}

/** The turns and runs of one place: a service, a grid and key columns. */
interface Place {
	readonly turns: Map<string, Turn>;
	readonly runs: Set<RunTurns>;
}

/** Runs of this process that write rows by key; empty places are removed. */
const places = new Map<string, Place>();

/**
 * The turns of one run. Runs of this process that write rows with the same key take turns for it,
 * so that a later one finds the row of the earlier one. An item holds one turn at a time, so no
 * two runs wait for each other, and no run waits for keys that it does not write.
 */
export class RunTurns {
	/** Keys that other runs have written since this run began, by place. */
	private readonly changedKeys = new Map<string, Set<string>>();

	/** Names the run in messages of others. */
	private readonly label: string;
	private readonly client: Client;

	constructor({
		client,
		node,
		atEnd,
	}: Pick<ItemContext, 'client' | 'atEnd'> & {
		node: Pick<ItemContext['node'], 'getExecutionId' | 'getWorkflow'>;
	}) {
		this.client = client;
		this.label = `execution ${node.getExecutionId()} of "${node.getWorkflow().name ?? ''}"`;
		atEnd(() => {
			this.end();
		});
	}

	/** Begins to note what other runs write at a place. */
	join(place: string): void {
		if (this.changedKeys.has(place)) return;
		this.changedKeys.set(place, new Set());
		const { runs } = placeNamed(place);
		runs.add(this);
	}

	/** Whether another run has written a row with this key since the last call. */
	takeChange(place: string, key: string): boolean {
		return this.changedKeys.get(place)?.delete(key) ?? false;
	}

	/**
	 * Writes rows with a key while no other run does.
	 * @param describe the key, for messages
	 * @throws KeyInUse, Cancelled, and what `work` throws
	 */
	async run<Result>(
		place: string,
		key: string,
		{ describe, work }: { describe: () => string; work: () => Promise<Result> },
	): Promise<Result> {
		this.join(place);
		const { turns } = placeNamed(place);
		const turn = turns.get(key);
		if (turn) await this.waitFor(turn, describe);
		else turns.set(key, { holder: this, waiting: [] });
		try {
			return await work();
		} finally {
			this.letGo(place, key);
		}
	}

	private async waitFor(turn: Turn, describe: () => string): Promise<void> {
		const { limiter, transport } = this.client.session;
		let isGranted = false;
		const waiting: Waiting = { run: this, grant: () => undefined };
		const granted = new Promise<void>((resolve) => {
			waiting.grant = () => {
				isGranted = true;
				resolve();
			};
		});
		turn.waiting.push(waiting);
		const outcome = await outcomeOf(
			limiter.withoutSlot(async () => {
				const until = transport.now() + MAX_WAIT_MS;
				while (!isGranted) {
					if (transport.signal?.aborted) throw new Cancelled();
					if (transport.now() >= until) throw new KeyInUse(describe(), turn.holder.label);
					await Promise.race([granted, transport.sleep(SLICE_MS)]);
				}
			}),
		);
		const place = turn.waiting.indexOf(waiting);
		// Who is no longer in the queue has the turn, even if the wait has failed in the meantime.
		if (outcome.state === 'done' || place === -1) return;
		turn.waiting.splice(place, 1);
		throw outcome.error;
	}

	/** Notes no more what others write. */
	private end(): void {
		for (const name of this.changedKeys.keys()) {
			const place = places.get(name);
			place?.runs.delete(this);
			if (place?.runs.size === 0) places.delete(name);
		}
		this.changedKeys.clear();
	}

	private letGo(name: string, key: string): void {
		const { turns, runs } = placeNamed(name);
		for (const run of runs) if (run !== this) run.changedKeys.get(name)?.add(key);
		const turn = turns.get(key);
		const next = turn?.waiting.shift();
		if (!turn || !next) {
			turns.delete(key);
			return;
		}
		turn.holder = next.run;
		next.grant();
	}
}

function placeNamed(name: string): Place {
	const place = places.get(name) ?? { turns: new Map<string, Turn>(), runs: new Set<RunTurns>() };
	places.set(name, place);
	return place;
}
