import { cpuMs } from '../rules/processorTime';

/** Processor time of the requests that begin in a turn of the event loop, in milliseconds. */
const TURN_MS = 8;
/** Turns of the event loop for which work waits while a connection arrives in each. */
const MAX_POSTPONED = 256;

/**
 * Lets connections that arrive together be accepted before work begins: libuv accepts one per turn
 * of the event loop, so that the last of 300 would wait for the work of 299 turns.
 */
export class Precedence {
	/** Number of connections so far. */
	accepted = 0;

	/** Returns a function for each kind of work; call it once in a turn of the event loop. */
	watcher(): () => boolean {
		let [seen, postponed] = [this.accepted, 0];
		return () => {
			const isArriving = this.accepted !== seen && postponed < MAX_POSTPONED;
			seen = this.accepted;
			postponed = isArriving ? postponed + 1 : 0;
			return isArriving;
		};
	}
}

/**
 * Begins requests in turns of the event loop: of many that arrive at once, callers take turns, so
 * that nobody waits for all requests of another.
 */
export class Arrivals {
	/** Requests that have not begun, by caller; the one whose turn ended last is at the end. */
	private readonly waiting = new Map<string, Array<() => void>>();
	private isScheduled = false;

	/** @param isPostponed whether connections go first in this turn of the event loop */
	constructor(private readonly isPostponed: () => boolean) {}

	/** @param caller identifies who sent the request */
	add(caller: string, begin: () => void): void {
		const own = this.waiting.get(caller);
		if (own) own.push(begin);
		else this.waiting.set(caller, [begin]);
		if (!this.isScheduled) this.schedule();
	}

	private schedule(): void {
		this.isScheduled = true;
		setImmediate(() => {
			if (this.isPostponed()) this.schedule();
			else void this.beginSome();
		});
	}

	private async beginSome(): Promise<void> {
		// On a busy machine, the time of a turn says little about its work.
		const end = cpuMs() + TURN_MS;
		do {
			this.beginNext();
			// After all that the request does before it waits for something.
			await new Promise<void>((done) => {
				process.nextTick(done);
			});
		} while (this.waiting.size > 0 && cpuMs() < end);
		this.isScheduled = false;
		if (this.waiting.size > 0) this.schedule();
	}

	private beginNext(): void {
		const [next] = this.waiting;
		if (!next) return;
		const [caller, begins] = next;
		const begin = begins.shift();
		this.waiting.delete(caller);
		if (begins.length > 0) this.waiting.set(caller, begins);
		begin?.();
	}
}
