import { z } from 'zod/v4';
import { CopiedIds } from '../../rules/copiedIds';
import { badRequest } from '../../rules/errors';
import type { Field } from '../../rules/fieldTypes';
import type { Values } from '../../rules/layouts';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import type { Grid } from '../../store/structure/grids';
import type { StatefulView } from '../../store/structure/presentation';
import type { Steps } from '../../store/files/slices';
import type { Reader } from '../../store/files/database';
import type { Store } from '../../store/store';
import { MAX_NAME_LENGTH, freeName, nameText } from '../../rules/text';
import { writeCopiedIds } from './copiedRecords';
import { created } from '../../http/route';
import { inSpace, type SpaceCall } from '../scopes';

/** The caller waits for the copy; larger spaces need export and import. */
const MAX_COPIED_ENTITIES = 200_000;

const copyBody = z.strictObject({
	name: nameText(MAX_NAME_LENGTH).optional(),
	includeEntities: z.boolean().default(false),
});

/** Field ids of the original and of the copy. */
type FieldMap = ReadonlyMap<string, string>;

/** What is copied of a grid, as of the start of the copy. */
interface Plan {
	readonly original: Grid;
	readonly ids: FieldMap;
	/** The fields of the copy. */
	readonly fields: readonly Field[];
	readonly sviews: readonly StatefulView[];
	readonly views: ReadonlyArray<{ readonly view: Grid; readonly sviews: readonly StatefulView[] }>;
}

function planOf(store: Store, original: Grid): Plan {
	const before = store.fields.list(original.no);
	const fields = store.fields.plan(before);
	const ids = new Map(before.map(({ id }, index) => [id, fields[index]?.id ?? id]));
	const sviewsOf = (grid: Grid) => store.presentation.sviews(grid.no, false);
	const views = store.grids.views(original.no).map((view) => ({ view, sviews: sviewsOf(view) }));
	return { original, ids, fields, sviews: sviewsOf(original), views };
}

function addSviews(store: Store, sviews: readonly StatefulView[], to: Grid, ids: CopiedIds): void {
	for (const { id, type, properties, slotProperties } of sviews)
		ids.add(id, store.presentation.addSview(to.no, { type, properties, slotProperties }).id);
}

/**
 * Creates the records of a copied grid, which still contain IDs of originals.
 * @param draft tables with its entities
 */
function publish(store: Store, plan: Plan, to: { spaceId: string; draft: number }, ids: CopiedIds): void {
	const { name, key, icon, properties } = plan.original;
	const copy = store.addGrid(to.spaceId, { name, key, icon, properties }, to.draft);
	ids.add(plan.original.id, copy.id);
	store.fields.addPlanned(copy.no, plan.fields);
	for (const [original, field] of plan.ids) ids.add(original, field);
	const forms = store.presentation.forms(copy.no);
	store.presentation.forms(plan.original.no).forEach((form, index) => {
		ids.add(form.id, forms[index]?.id ?? form.id);
	});
	addSviews(store, plan.sviews, copy, ids);
	for (const { view, sviews } of plan.views) {
		if (!view.definition) continue;
		const given = { name: view.name, key: view.key, icon: view.icon, properties: view.properties };
		const copied = store.grids.create(to.spaceId, given, { base: copy, definition: view.definition });
		ids.add(view.id, copied.id);
		addSviews(store, sviews, copied, ids);
	}
}

/** Values by the field IDs of the copy, without those of deleted fields. */
function copiedValues(values: Values, ids: FieldMap): Values {
	const copied: Values = {};
	for (const [fieldId, value] of Object.entries(values)) {
		const id = ids.get(fieldId);
		if (id !== undefined) copied[id] = value;
	}
	return copied;
}

/** Copies the entities of a grid into the draft of its copy. */
function* copyEntities(call: SpaceCall, { original, ids }: Plan, reader: Reader, draft: number): Steps<void> {
	const { store, identity } = call;
	for (const entities of store.selections.portions(original.no, reader)) {
		for (const entity of entities) {
			store.entities.create(draft, copiedValues(entity.values, ids), identity.userId);
			yield;
		}
	}
}

async function copySpace(call: SpaceCall, grids: readonly Grid[], name: string, includeEntities: boolean) {
	const { store, identity } = call;
	store.spaces.requireUnused(identity.userId, { name });
	return store.withSnapshot(async (reader) => {
		const plans = grids.map((grid) => planOf(store, grid));
		const fill = plans.map((plan) => (draft: number) => copyEntities(call, plan, reader, draft));
		const create = (drafts: readonly number[]) => {
			const { belongsTo, icon, properties } = call.space;
			const target = store.spaces.create(identity.userId, { name, belongsTo, icon, properties });
			const ids = new CopiedIds(call.space.id, spacePath(identity.userId, target.id));
			ids.add(call.space.id, target.id);
			plans.forEach((plan, index) => {
				publish(store, plan, { spaceId: target.id, draft: drafts[index] ?? NaN }, ids);
			});
			writeCopiedIds(store, target, ids);
			return target;
		};
		const steps = includeEntities ? fill : plans.map(() => nothing);
		return await store.fillGrids(steps, create, call.authorizeAgain);
	});
}

function* nothing(): Steps<void> {
	// A copy without entities.
}

const spacePath = (userId: string, spaceId: string) =>
	expandPath('/api/users/:userId/spaces/:spaceId', { userId, spaceId });

const space = inSpace('');

space.post(
	'/copy',
	'reader',
	{ on: { space: 'copy' }, body: copyBody, optional: true, response: 'created' },
	async (call) => {
		const { store, identity } = call;
		const { name, includeEntities } = parseInput(copyBody, call.body ?? {}, 'Body');
		const grids = store.grids.list(call.space.id, 'persistent');
		const entities = grids.reduce((sum, grid) => sum + store.entities.positions.total(grid.no), 0);
		if (includeEntities && entities > MAX_COPIED_ENTITIES) {
			throw badRequest(
				`The space has ${entities} entities; up to ${MAX_COPIED_ENTITIES} are copied in one request`,
			);
		}
		const taken = (candidate: string) => store.spaces.isTaken(identity.userId, 'name', candidate);
		const copyName = name ?? freeName(call.space.name, ' copy', taken);
		const made = await copySpace(call, grids, copyName, includeEntities);
		return created(spacePath(identity.userId, made.id));
	},
);

export const copyRoutes = space.routes;
