/** Counts by outcome as a phrase, e.g. `2 updated, 1 failed`. */
export class Tally {
	private readonly counts = new Map<string, number>();

	add(word: string, count = 1): void {
		this.counts.set(word, this.count(word) + count);
	}

	count(word: string): number {
		return this.counts.get(word) ?? 0;
	}

	get isEmpty(): boolean {
		return this.counts.size === 0;
	}

	get text(): string {
		return [...this.counts].map(([word, count]) => `${count} ${word}`).join(', ');
	}

	/** The counts of a dry run, e.g. `would create 2, leave 1 unchanged; 1 invalid`. */
	get planned(): string {
		const counted = (words: readonly string[], textOf: (word: string, count: number) => string) =>
			words.flatMap((word) => (this.counts.has(word) ? textOf(word, this.count(word)) : []));
		const steps = [
			...counted(['create', 'update', 'delete'], (kind, count) => `${kind} ${count}`),
			...counted(['unchanged'], (_word, count) => `leave ${count} unchanged`),
		];
		const would = `would ${steps.length === 0 ? 'change nothing' : steps.join(', ')}`;
		const faults = counted(
			['differing', 'notFound', 'conflict', 'invalid', 'failed', 'not tried'],
			(word, count) => `${count} ${word === 'notFound' ? 'not found' : word}`,
		);
		return [would, ...faults].join('; ');
	}
}
