/** Values loaded once, by key. Concurrent requests share one load; a failed load is not kept. */
export class Cache<Value> {
	private readonly entries = new Map<string, Promise<Value>>();

	async get(key: string, load: () => Promise<Value>): Promise<Value> {
		const known = this.entries.get(key);
		if (known) return await known;
		const pending = load();
		this.entries.set(key, pending);
		pending.catch(() => {
			if (this.entries.get(key) === pending) this.entries.delete(key);
		});
		return await pending;
	}

	/** Replaces the value of a key. */
	set(key: string, value: Value): void {
		this.entries.set(key, Promise.resolve(value));
	}

	/** The next `get` loads it again. */
	forget(key: string): void {
		this.entries.delete(key);
	}

	has(key: string): boolean {
		return this.entries.has(key);
	}

	clear(): void {
		this.entries.clear();
	}
}
