/** A list of texts in one block of memory outside the JavaScript heap. */
export class PackedTexts {
	private bytes = Buffer.alloc(64 * 1024);
	/** Where each text ends. */
	private readonly ends = new PackedNumbers();

	get length(): number {
		return this.ends.length;
	}

	push(text: string): void {
		const start = this.endOf(this.length - 1);
		const end = start + Buffer.byteLength(text);
		while (end > this.bytes.length) this.bytes = Buffer.concat([this.bytes], 2 * this.bytes.length);
		this.bytes.write(text, start);
		this.ends.set(this.length, end);
	}

	/** The text at an index, counted from 0. */
	at(index: number): string {
		return this.bytes.toString('utf8', this.endOf(index - 1), this.endOf(index));
	}

	private endOf(index: number): number {
		return index < 0 ? 0 : this.ends.at(index);
	}
}

/** Integers from 0 to 2^32 - 1 by index, by default 0, outside the JavaScript heap. */
export class PackedNumbers {
	private numbers = new Uint32Array(1024);
	private count = 0;

	get length(): number {
		return this.count;
	}

	at(index: number): number {
		return this.numbers[index] ?? 0;
	}

	set(index: number, number: number): void {
		while (index >= this.numbers.length) {
			const larger = new Uint32Array(2 * this.numbers.length);
			larger.set(this.numbers);
			this.numbers = larger;
		}
		this.numbers[index] = number;
		this.count = Math.max(this.count, index + 1);
	}
}
