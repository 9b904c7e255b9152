/** A map of limited size: a new entry replaces the one that was set first. */
export class BoundedMap<Key, Value> {
	private readonly entries = new Map<Key, Value>();

	/** @param maximum number of entries */
	constructor(private readonly maximum: number) {}

	get(key: Key): Value | undefined {
		return this.entries.get(key);
	}

	set(key: Key, value: Value): Value {
		this.entries.delete(key);
		const [first] = this.entries.size >= this.maximum ? this.entries.keys() : [];
		if (first !== undefined) this.entries.delete(first);
		this.entries.set(key, value);
		return value;
	}

	/** The value of a key, computed if it has none. */
	of(key: Key, compute: () => Value): Value {
		return this.entries.get(key) ?? this.set(key, compute());
	}
}

/** Computes a value once for each object, which it does not keep from being collected. */
export function oncePer<Key extends object, Value extends object | string>(
	compute: (key: Key) => Value,
): (key: Key) => Value {
	const values = new WeakMap<Key, Value>();
	return (key) => {
		const kept = values.get(key);
		if (kept !== undefined) return kept;
		const value = compute(key);
		values.set(key, value);
		return value;
	};
}

/** Adds a value to the list of a key. A list that starts with its value reserves no more room. */
export function addToGroup<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
	const group = groups.get(key);
	if (group) group.push(value);
	else groups.set(key, [value]);
}
