import { plainObject } from './jsonObject';

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
		this.address = new RegExp(`^((?:https?://[^/]+)?)/api/users/[^/]+/spaces/${space}((?:/[^\\s]*)?)$`);
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

	/** Replaces a text that is an ID or an address; other texts do not belong to the structure. */
	inText(text: string): string {
		const [, origin, below] = this.address.exec(text) ?? [];
		if (origin === undefined || below === undefined) return this.copies.get(text) ?? text;
		const path = below.split('/').map((part) => this.copies.get(part) ?? part);
		return origin + this.copy + path.join('/');
	}

	/** Replaces IDs in a JSON object. */
	inObject(part: object): Record<string, unknown> {
		return plainObject.parse(this.in(part));
	}
}
