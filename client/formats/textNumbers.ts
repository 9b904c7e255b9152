import { hash } from 'crypto';

/** Number of 32-bit words of a digest: with 128 bits, no two texts of a grid collide. */
const WORDS = 4;

/** 128 bits in words of 32 bits. */
export type Digest = readonly [number, number, number, number];

/**
 * Assigns numbers to distinct texts, from 0 in the order of their addition. Stores digests outside
 * the JavaScript heap: about 30 bytes per text of any length.
 */
export class TextNumbers {
	/** Digests by number. */
	private digests = new Uint32Array(1024 * WORDS);
	/** Hash table: the number of a text plus 1, or 0 for an empty slot. */
	private slots = new Uint32Array(4096);
	private count = 0;

	/** Number of distinct texts. */
	get size(): number {
		return this.count;
	}

	/** The number of a text; undefined if it has none. */
	numberOf(text: string): number | undefined {
		const digest = digestOf(text);
		const number = this.slots[this.slotOf(digest)] ?? 0;
		return number === 0 ? undefined : number - 1;
	}

	/** The number of a text; a new text gets the next number. */
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

	/** The slot of a digest, or the free slot for it. */
	private slotOf(digest: ArrayLike<number>): number {
		const mask = this.slots.length - 1;
		let slot = (digest[0] ?? 0) & mask;
		for (;;) {
			const number = this.slots[slot] ?? 0;
			if (number === 0 || this.isAt(number - 1, digest)) return slot;
			slot = (slot + 1) & mask;
		}
	}

	private isAt(number: number, digest: ArrayLike<number>): boolean {
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

/** A copy of twice the size. */
function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
	const larger = new Uint32Array(2 * numbers.length);
	larger.set(numbers);
	return larger;
}

/** The digest of a text. A buffer would take five times as long to create. */
export function digestOf(text: string): Digest {
	const bytes = hash('sha256', text, 'binary');
	return [wordAt(bytes, 0), wordAt(bytes, 4), wordAt(bytes, 8), wordAt(bytes, 12)];
}

function wordAt(bytes: string, index: number): number {
	const low = bytes.charCodeAt(index) | (bytes.charCodeAt(index + 1) << 8);
	const high = bytes.charCodeAt(index + 2) | (bytes.charCodeAt(index + 3) << 8);
	return (low | (high << 16)) >>> 0;
}
