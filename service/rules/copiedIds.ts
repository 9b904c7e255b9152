import { plainObject } from './jsonObject';

/** An ID of this service (see ids.ts) anywhere in a text: an address, an expression, a list. */
const ID = /(?<![0-9a-f])(?:[0-9a-f]{24}|f[0-9a-f]{9})(?![0-9a-f])/g;

/**
 * Maps IDs of originals to those of their copies: spaces, grids, fields, forms and stateful views.
 */
export class CopiedIds {
	private readonly copies = new Map<string, string>();

	private readonly address: RegExp;

	/**
	 * @param space ID of the original
	 * @param copy address of the copy, which may have another owner
	 */
	constructor(
		space: string,
		private readonly copy: string,
	) {
		this.address = new RegExp(`/api/users/[^/\\s]+/spaces/${space}`, 'g');
	}

	add(original: string, copy: string): void {
		this.copies.set(original, copy);
	}

	/** Replaces IDs in a JSON value, in member names and texts at any depth. */
	in(part: unknown): unknown {
		if (typeof part === 'string') return this.inText(part);
		if (Array.isArray(part)) return part.map((one) => this.in(one));
		if (typeof part !== 'object' || part === null) return part;
		return Object.fromEntries(
			Object.entries(part).map(([name, value]) => [this.inText(name), this.in(value)]),
		);
	}

	inText(text: string): string {
		return text.replace(this.address, this.copy).replace(ID, (id) => this.copies.get(id) ?? id);
	}

	/** Replaces IDs in a JSON object. */
	inObject(part: object): Record<string, unknown> {
		return plainObject.parse(this.in(part));
	}
}
