import { isDeepStrictEqual } from 'node:util';
import type { CopiedIds } from '../../rules/copiedIds';
import { fieldTypeSchema, type Field } from '../../rules/fieldTypes';
import { sortingSchema } from '../../rules/filter';
import type { Grid } from '../../store/structure/grids';
import type { Space } from '../../store/structure/spaces';
import type { Steps } from '../../store/files/slices';
import type { Store } from '../../store/store';

/** Replaces the IDs of originals in all records of a copied space. */
export function* writeCopiedIds(store: Store, space: Space, ids: CopiedIds): Steps<void> {
	store.spaces.update(space, { properties: ids.inObject(space.properties) });
	for (const grid of store.grids.list(space.id, undefined)) {
		writeIntoGrid(store, grid, ids);
		for (const field of store.fields.list(grid.no)) writeIntoField(store, grid, field, ids);
		for (const sview of store.presentation.sviews(grid.no, false)) {
			store.presentation.updateSview({
				...sview,
				properties: ids.inObject(sview.properties),
				slotProperties: ids.inObject(sview.slotProperties),
			});
		}
		yield;
	}
}

function writeIntoGrid(store: Store, grid: Grid, ids: CopiedIds): void {
	const { properties, definition } = grid;
	const copied = definition && {
		fields: definition.fields && definition.fields.map((id) => ids.inText(id)),
		filter: ids.inObject(definition.filter),
		sorting: sortingSchema.parse(ids.in(definition.sorting)),
	};
	store.grids.update(grid, { properties: ids.inObject(properties), definition: copied ?? undefined });
}

function writeIntoField(store: Store, grid: Grid, field: Field, ids: CopiedIds): void {
	const type = fieldTypeSchema.parse(ids.in(field.type));
	if (!isDeepStrictEqual(type, field.type)) store.fields.update(grid.no, field, { type });
}
