import { ServiceError } from '../../rules/errors';

/** Positions of all sorted exports that are being read, of which each takes four bytes. */
const MAX_POSITIONS = 32 * 1024 * 1024;
/** Share of one caller. */
const MAX_OF_CALLER = MAX_POSITIONS / 4;

/**
 * Counts the positions that sorted exports keep in memory while their clients read them,
 * perhaps for hours.
 */
export class HeldPositions {
	private all = 0;
	private readonly ofCallers = new Map<string, number>();

	/** @throws ServiceError 429 if too many are held to add these; never for the only export */
	requireRoom(caller: string, count: number): void {
		const own = this.ofCallers.get(caller) ?? 0;
		const isFull = this.all > 0 && this.all + count > MAX_POSITIONS;
		if (isFull || (own > 0 && own + count > MAX_OF_CALLER))
			throw new ServiceError(429, 'Too many sorted exports are being read: send it again later', undefined, {
				'Retry-After': '5',
			});
	}

	/** @returns releases them */
	hold(caller: string, count: number): () => void {
		this.add(caller, count);
		return () => {
			this.add(caller, -count);
		};
	}

	private add(caller: string, count: number): void {
		this.all += count;
		const own = (this.ofCallers.get(caller) ?? 0) + count;
		if (own === 0) this.ofCallers.delete(caller);
		else this.ofCallers.set(caller, own);
	}
}
