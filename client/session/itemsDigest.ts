/** Keeps the sum of hashes within the safe integers. */
const SUM_LIMIT = 2 ** 48;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Number and checksum of identities, in any order, to compare two readings of a list. */
export class ItemsDigest {
	private count = 0;
	private sum = 0;

	add(identity: string): void {
		let [one, other] = [FNV_OFFSET, FNV_OFFSET ^ identity.length];
		for (let index = 0; index < identity.length; index++) {
			const code = identity.charCodeAt(index);
			one = Math.imul(one ^ code, FNV_PRIME);
			other = Math.imul(other + code, FNV_PRIME) ^ (other >>> 15);
		}
		this.count += 1;
		this.sum = (this.sum + (one >>> 0) * 2 ** 16 + ((other >>> 16) & 0xffff)) % SUM_LIMIT;
	}

	get value(): string {
		return `${this.count} ${this.sum}`;
	}
}
