import type { Value } from './fieldTypes';
import { plainObject } from './jsonObject';

/** An address of a row, below the address of its space. */
const ROW_ADDRESS = /^\/grids\/[^/]+\/entities\/[^/?#]/;

/**
 * Maps IDs of originals to those of their copies: spaces, grids, fields, forms, stateful views and
 * rows.
 */
export class CopiedIds {
	private readonly copies = new Map<string, string>();

	private readonly address: RegExp;

	/**
	 * @param space ID of the original
	 * @param copy address of the copy, which may have another owner
	 * @param hasRows whether the copy has rows; otherwise, addresses of rows become empty
	 */
	constructor(
		space: string,
		private readonly copy: string,
		private readonly hasRows: boolean,
	) {
		// Addresses of the page contain that of the API (see page/session/addresses.js).
		this.address = new RegExp(
			`^((?:https?://[^/\\s]+)?(?:/\\S*?)?)/api/users/[^/]+/spaces/${space}((?:[/?#]\\S*)?)$`,
		);
	}

	add(original: string, copy: string): void {
		this.copies.set(original, copy);
	}

	/** The ID of the copy of a record; undefined if it was not copied. */
	copyOf(original: string): string | undefined {
		return this.copies.get(original);
	}

	/** Replaces IDs in a JSON value, in member names and texts at any depth. */
	in(part: Value): Value;
	in(part: unknown): unknown;
	in(part: unknown): unknown {
		if (typeof part === 'string') return this.inText(part);
		if (Array.isArray(part)) return part.map((one) => this.in(one));
		if (typeof part !== 'object' || part === null) return part;
		return Object.fromEntries(
			Object.entries(part).map(([name, value]) => [this.inText(name), this.in(value)]),
		);
	}

	/** Replaces a text that is an ID or an address; other texts do not belong to the structure. */
	inText(text: string): string {
		const [, origin, below] = this.address.exec(text) ?? [];
		if (origin === undefined || below === undefined) return this.copies.get(text) ?? text;
		if (!this.hasRows && ROW_ADDRESS.test(below)) return '';
		return origin + this.copy + below.replace(/[^/?#]+/g, (part) => this.copies.get(part) ?? part);
	}

	/** Replaces IDs in a JSON object. */
	inObject(part: object): Record<string, unknown> {
		return plainObject.parse(this.in(part));
	}
}
