import { z } from 'zod/v4';
import { jsonObject, recordOf } from '../jsonObject';
import { badRequest } from '../errors';
import type { Value } from '../fieldTypes';
import type { Values } from '../layouts';
import { fill } from '../links';
import { read } from '../paging';
import type { Cut, Grid } from '../store/grids';
import type { Store } from '../store/store';
import { MAX_NAME_LENGTH, freeName, nameText } from '../text';
import { created, inSpace } from './route';

/** A copy is one transaction, during which nothing else is written: larger spaces take an export and an import. */
const MOST_ENTITIES = 200_000;

const copyBody = z.strictObject({
	name: nameText(MAX_NAME_LENGTH).optional(),
	includeEntities: z.boolean().default(false),
});

/** Field ids of the original and of the copy. */
type FieldMap = ReadonlyMap<string, string>;

/** The same value with other field ids as names of its members, at any depth: filters and sortings are such values. */
function renamed(part: unknown, ids: FieldMap): unknown {
	if (Array.isArray(part)) return part.map((one) => renamed(one, ids));
	if (typeof part !== 'object' || part === null) return part;
	return Object.fromEntries(
		Object.entries(part).map(([name, value]) => [ids.get(name) ?? name, renamed(value, ids)]),
	);
}

const record = jsonObject;
const sortings = recordOf(z.object({ $order: z.enum(['ascending', 'descending']) }));

const copyCut = (cut: Cut, ids: FieldMap): Cut => ({
	fields: cut.fields && cut.fields.map((id) => ids.get(id) ?? id),
	filter: record.parse(renamed(cut.filter, ids)),
	sorting: sortings.parse(renamed(cut.sorting, ids)),
});

function copySviews(store: Store, from: Grid, to: Grid): void {
	for (const { type, properties, slotProperties } of store.presentation.sviews(from.no, false)) {
		store.presentation.addSview(to.no, { type, properties, slotProperties });
	}
}

/** Copies the structure of a grid. @returns the copy and how its fields are called */
function copyGrid(store: Store, original: Grid, spaceId: string): { copy: Grid; ids: FieldMap } {
	const { name, key, icon, properties } = original;
	const copy = store.addGrid(spaceId, { name, key, icon, properties });
	const ids = new Map<string, string>();
	for (const field of store.fields.list(original.no)) {
		const { name: fieldName, key: fieldKey, description, type } = field;
		const added = store.fields.add(copy.no, { name: fieldName, key: fieldKey, description, type });
		ids.set(field.id, added.id);
	}
	copySviews(store, original, copy);
	for (const view of store.grids.views(original.no)) {
		if (!view.cut) continue;
		const { name: viewName, key: viewKey, icon: viewIcon, properties: viewProperties } = view;
		const given = { name: viewName, key: viewKey, icon: viewIcon, properties: viewProperties };
		copySviews(store, view, store.grids.create(spaceId, given, { base: copy, cut: copyCut(view.cut, ids) }));
	}
	return { copy, ids };
}

function copyEntities(store: Store, original: Grid, copy: Grid, ids: FieldMap, userId: string): void {
	for (const entity of store.selections.all(original.no)) {
		const named: Array<[string, Value]> = [];
		for (const [fieldId, value] of Object.entries(entity.values)) {
			const id = ids.get(fieldId);
			if (id !== undefined) named.push([id, value]);
		}
		const values: Values = Object.fromEntries(named);
		store.entities.create(copy.no, values, userId);
	}
}

const space = inSpace('');

space.post(
	'/copy',
	'reader',
	{ space: 'copy' },
	{ body: copyBody, optional: true, answer: 'created' },
	(call) => {
		const { store, identity } = call;
		const { name, includeEntities } = read(copyBody, call.body ?? {}, 'Body');
		const grids = store.grids.list(call.space.id, 'persistent');
		const entities = grids.reduce((sum, grid) => sum + store.entities.positions.total(grid.no), 0);
		if (includeEntities && entities > MOST_ENTITIES) {
			throw badRequest(
				`The space has ${entities} entities; up to ${MOST_ENTITIES} are copied in one request`,
			);
		}
		const made = store.transaction(() => {
			const { belongsTo, icon, properties } = call.space;
			const taken = (candidate: string) => store.spaces.taken(identity.userId, 'name', candidate);
			const copyName = name ?? freeName(call.space.name, ' copy', taken);
			const target = store.spaces.create(identity.userId, { name: copyName, belongsTo, icon, properties });
			for (const original of grids) {
				const { copy, ids } = copyGrid(store, original, target.id);
				if (includeEntities) copyEntities(store, original, copy, ids, identity.userId);
			}
			return target;
		});
		return created(fill('/api/users/:userId/spaces/:spaceId', { userId: identity.userId, spaceId: made.id }));
	},
);

export const copyRoutes = space.routes;
