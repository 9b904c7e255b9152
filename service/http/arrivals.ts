import { cpuMs } from '../rules/processorTime';

/** Processor time of the requests that begin in a turn of the event loop, in milliseconds. */
const TURN_MS = 16;

/**
 * Begins requests when they arrive, or in later turns of the event loop if many arrive at once:
 * then callers take turns, so that nobody waits for all requests of another.
 */
export class Arrivals {
	/** Requests that have not begun, by caller; the one whose turn ended last is at the end. */
	private readonly waiting = new Map<string, Array<() => void>>();
	/** Processor time when the first request of this turn of the event loop began. */
	private turnStart: number | undefined;

	/** @param caller identifies who sent the request */
	add(caller: string, begin: () => void): void {
		const own = this.waiting.get(caller);
		if (!own && this.hasTime()) {
			begin();
			return;
		}
		if (own) own.push(begin);
		else this.waiting.set(caller, [begin]);
		setImmediate(this.beginNext);
	}

	private readonly beginNext = (): void => {
		if (!this.hasTime()) {
			setImmediate(this.beginNext);
			return;
		}
		const [next] = this.waiting;
		if (!next) return;
		const [caller, begins] = next;
		const begin = begins.shift();
		this.waiting.delete(caller);
		if (begins.length > 0) this.waiting.set(caller, begins);
		begin?.();
	};

	private hasTime(): boolean {
		if (this.turnStart === undefined) {
			this.turnStart = cpuMs();
			setImmediate(() => {
				this.turnStart = undefined;
			});
		}
		// On a busy machine, the time of a turn says little about its work.
		return cpuMs() - this.turnStart < TURN_MS;
	}
}
