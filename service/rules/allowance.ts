/** Memory that callers take and return, each up to a share of it. */
export class Allowance {
	private taken = 0;
	private readonly byCaller = new Map<string, number>();

	/** @param share of each caller; a quarter if omitted */
	constructor(
		private readonly max: number,
		private readonly share = max / 4,
	) {}

	/** Whether a caller has taken anything. */
	has(caller: string): boolean {
		return this.byCaller.has(caller);
	}

	/** Whether a caller may take this amount. The first one of all, or of a caller, always fits. */
	hasRoom(caller: string, amount: number): boolean {
		const own = this.byCaller.get(caller) ?? 0;
		const fits = this.taken === 0 || this.taken + amount <= this.max;
		return fits && (own === 0 || own + amount <= this.share);
	}

	/** Takes an amount, whether or not there is room for it; returns it if it is negative. */
	take(caller: string, amount: number): void {
		this.taken += amount;
		const own = (this.byCaller.get(caller) ?? 0) + amount;
		if (own === 0) this.byCaller.delete(caller);
		else this.byCaller.set(caller, own);
	}
}
