import { isDeepStrictEqual } from 'node:util';
import { jsonObject } from './jsonObject';
import type { Grid } from '../store/grids';
import type { Space } from '../store/spaces';
import type { Store } from '../store/store';
import { fieldTypeSchema, type Field } from './fieldTypes';
import { sortingSchema } from './filter';

/** An id of this service (see ids.ts), wherever it stands within a text: an address, an expression, a list. */
const ID = /(?<![0-9a-f])(?:[0-9a-f]{24}|f[0-9a-f]{9})(?![0-9a-f])/g;

/** Ids of the originals and of their copies: of spaces, grids, fields, forms and stateful views. */
export class CopiedIds {
	private readonly copies = new Map<string, string>();

	private readonly address: RegExp;

	/** @param space id of the original @param copy address of the copy: its owner may be another one */
	constructor(
		space: string,
		private readonly copy: string,
	) {
		this.address = new RegExp(`/api/users/[^/\\s]+/spaces/${space}`, 'g');
	}

	add(original: string, copy: string): void {
		this.copies.set(original, copy);
	}

	/** A JSON value with the ids of the copies, in names of members and in texts, at any depth. */
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

	private readonly object = (part: object) => jsonObject.parse(this.in(part));

	/** Writes the ids of the copies into everything of a copied space that may name one. */
	writeInto(store: Store, space: Space): void {
		store.spaces.update(space, { properties: this.object(space.properties) });
		for (const grid of store.grids.list(space.id, undefined)) {
			this.writeIntoGrid(store, grid);
			for (const field of store.fields.list(grid.no)) this.writeIntoField(store, grid, field);
			for (const sview of store.presentation.sviews(grid.no, false)) {
				const { properties, slotProperties } = sview;
				store.presentation.updateSview({
					...sview,
					properties: this.object(properties),
					slotProperties: this.object(slotProperties),
				});
			}
		}
	}

	private writeIntoGrid(store: Store, grid: Grid): void {
		const { properties, cut } = grid;
		const copied = cut && {
			fields: cut.fields && cut.fields.map((id) => this.inText(id)),
			filter: this.object(cut.filter),
			sorting: sortingSchema.parse(this.in(cut.sorting)),
		};
		store.grids.update(grid, { properties: this.object(properties), cut: copied ?? undefined });
	}

	private writeIntoField(store: Store, grid: Grid, field: Field): void {
		const type = fieldTypeSchema.parse(this.in(field.type));
		if (!isDeepStrictEqual(type, field.type)) store.fields.update(grid.no, field, { type });
	}
}
