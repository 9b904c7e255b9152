import { hash } from 'crypto';

/** 32-bit words of a digest: at 128 bits, no two texts of a grid share one. */
const WORDS = 4;

/**
 * Numbers texts from 0 in the order in which they come, an equal text by its first number. Holds
 * digests outside of the JavaScript heap, about 30 bytes for each text, whatever its length.
 */
export class TextNumbers {
	/** By number. */
	private digests = new Uint32Array(1024 * WORDS);
	/** Number and 1 of the text that a digest leads to, 0 where there is none. */
	private slots = new Uint32Array(4096);
	private count = 0;

	/** How many different texts there are. */
	get size(): number {
		return this.count;
	}

	has(text: string): boolean {
		return this.numberOf(text) !== undefined;
	}

	/** The number of a text; undefined if it has none. */
	numberOf(text: string): number | undefined {
		const digest = digestOf(text);
		const number = this.slots[this.slotOf(digest)] ?? 0;
		return number === 0 ? undefined : number - 1;
	}

	/** The number of a text, which gets the next one if it has none. */
	add(text: string): number {
		if (2 * (this.count + 1) > this.slots.length) this.grow();
		const digest = digestOf(text);
		const slot = this.slotOf(digest);
		const known = this.slots[slot] ?? 0;
		if (known > 0) return known - 1;
		if ((this.count + 1) * WORDS > this.digests.length) this.digests = doubled(this.digests);
		this.digests.set(digest, this.count * WORDS);
		this.slots[slot] = ++this.count;
		return this.count - 1;
	}

	/** Where a digest is, or would be. */
	private slotOf(digest: Uint32Array): number {
		const mask = this.slots.length - 1;
		let slot = (digest[0] ?? 0) & mask;
		for (;;) {
			const number = this.slots[slot] ?? 0;
			if (number === 0 || this.isAt(number - 1, digest)) return slot;
			slot = (slot + 1) & mask;
		}
	}

	private isAt(number: number, digest: Uint32Array): boolean {
		for (let word = 0; word < WORDS; word++)
			if (this.digests[number * WORDS + word] !== digest[word]) return false;
		return true;
	}

	private grow(): void {
		this.slots = new Uint32Array(2 * this.slots.length);
		for (let number = 0; number < this.count; number++) {
			const digest = this.digests.subarray(number * WORDS, (number + 1) * WORDS);
			this.slots[this.slotOf(digest)] = number + 1;
		}
	}
}

/** The same numbers with as much room again. */
function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
	const larger = new Uint32Array(2 * numbers.length);
	larger.set(numbers);
	return larger;
}

function digestOf(text: string): Uint32Array {
	const bytes = hash('sha256', text, 'buffer');
	return Uint32Array.from({ length: WORDS }, (_, word) => bytes.readUInt32LE(4 * word));
}
