/** Values loaded once, by key. Concurrent requests share one load; a failed load is not kept. */
export class Cache<Value> {
	private readonly entries = new Map<string, Promise<Value>>();

	async get(key: string, load: () => Promise<Value>): Promise<Value> {
		const pending = this.entries.get(key) ?? load();
		this.entries.set(key, pending);
		pending.catch(() => {
			if (this.entries.get(key) === pending) this.entries.delete(key);
		});
		return await pending;
	}

	has(key: string): boolean {
		return this.entries.has(key);
	}

	clear(): void {
		this.entries.clear();
	}
}
