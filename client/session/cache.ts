/** Values loaded once, by key. Concurrent requests share one load; a failed load is not kept. */
export class Cache<Value> {
	private readonly loading = new Map<string, Promise<Value>>();
	/** Apart from those that are loading, because promises take more memory. */
	private readonly loaded = new Map<string, { value: Value }>();

	async get(key: string, load: () => Promise<Value>): Promise<Value> {
		const known = this.loaded.get(key);
		if (known) return known.value;
		return await (this.loading.get(key) ?? this.load(key, load));
	}

	/** The value of a key, if it is loaded. */
	held(key: string): Value | undefined {
		return this.loaded.get(key)?.value;
	}

	set(key: string, value: Value): void {
		this.loading.delete(key);
		this.loaded.set(key, { value });
	}

	/** The next `get` loads it again. */
	forget(key: string): void {
		this.loading.delete(key);
		this.loaded.delete(key);
	}

	has(key: string): boolean {
		return this.loaded.has(key) || this.loading.has(key);
	}

	clear(): void {
		this.loading.clear();
		this.loaded.clear();
	}

	private load(key: string, load: () => Promise<Value>): Promise<Value> {
		const pending = load();
		this.loading.set(key, pending);
		// It may be replaced or forgotten in the meantime.
		const isCurrent = () => this.loading.get(key) === pending;
		void pending.then(
			(value) => {
				if (isCurrent()) this.set(key, value);
			},
			() => {
				if (isCurrent()) this.loading.delete(key);
			},
		);
		return pending;
	}
}
