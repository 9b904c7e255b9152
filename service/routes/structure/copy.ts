import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import { CopiedIds } from '../../rules/copiedIds';
import { badRequest } from '../../rules/errors';
import type { Field } from '../../rules/fieldTypes';
import type { Values } from '../../rules/layouts';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import type { Grid } from '../../store/structure/grids';
import type { Space } from '../../store/structure/spaces';
import type { StatefulView } from '../../store/structure/presentation';
import type { Steps } from '../../store/files/slices';
import type { Reader } from '../../store/files/database';
import type { Store } from '../../store/store';
import { freeName, nameText } from '../../rules/text';
import { writeCopiedIds } from './copiedRecords';
import { created } from '../../http/route';
import { inSpace, type SpaceCall } from '../scopes';

const copyBody = z.strictObject({
	name: nameText(LIMITS.nameLength).optional(),
	includeEntities: z.boolean().default(false),
});

/** Field ids of the original and of the copy. */
type FieldMap = ReadonlyMap<string, string>;

/** What is copied of a grid, as of the start of the copy. */
interface Plan {
	readonly original: Grid;
	/** The fields of the original. */
	readonly before: readonly Field[];
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
	return { original, before, ids, fields, sviews: sviewsOf(original), views };
}

function* planAll(store: Store, grids: readonly Grid[]): Steps<Plan[]> {
	const plans: Plan[] = [];
	for (const grid of grids) {
		plans.push(planOf(store, grid));
		yield;
	}
	return plans;
}

/** The plans of grids that still exist, as of now. */
const currentPlans = (store: Store, plans: readonly Plan[]): Plan[] =>
	plans
		.filter(({ original }) => store.grids.get(original.id))
		.map((plan) =>
			store.fields.list(plan.original.no) === plan.before ? plan : planOf(store, plan.original),
		);

function addSviews(store: Store, sviews: readonly StatefulView[], to: Grid, ids: CopiedIds): void {
	for (const { id, type, properties, slotProperties } of sviews)
		ids.add(id, store.presentation.addSview(to.no, { type, properties, slotProperties }).id);
}

/** Creates the records of a copied grid, which still contain IDs of originals. */
function makeCopy(store: Store, plan: Plan, spaceId: string, ids: CopiedIds): Grid {
	const { name, key, icon, properties } = plan.original;
	const copy = store.addGrid(spaceId, { name, key, icon, properties });
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
		const copied = store.grids.create(spaceId, given, { base: copy, definition: view.definition });
		ids.add(view.id, copied.id);
		addSviews(store, sviews, copied, ids);
	}
	return copy;
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

/** Copies the entities of a grid. */
function* copyEntities(call: SpaceCall, { original, ids }: Plan, reader: Reader, copy: Grid): Steps<void> {
	const { store, identity } = call;
	for (const entities of store.selections.portions(original.no, reader)) {
		for (const entity of entities) {
			store.entities.create(copy.no, copiedValues(entity.values, ids), identity.userId);
			yield;
		}
	}
}

/** Fills a copied space. @param reader source of the entities, if they are copied */
function* fillCopy(
	call: SpaceCall,
	plans: readonly Plan[],
	target: Space,
	reader: Reader | undefined,
): Steps<void> {
	const { store, identity } = call;
	const ids = new CopiedIds(call.space.id, spacePath(identity.userId, target.id));
	ids.add(call.space.id, target.id);
	for (const plan of plans) {
		const copy = makeCopy(store, plan, target.id, ids);
		yield;
		if (reader) yield* copyEntities(call, plan, reader, copy);
	}
	yield* writeCopiedIds(store, target, ids);
}

async function copySpace(call: SpaceCall, grids: readonly Grid[], name: string, includeEntities: boolean) {
	const { store, identity } = call;
	const { belongsTo, icon, properties } = call.space;
	store.spaces.requireUnused(identity.userId, { name });
	const plans = await store.slices.read(planAll(store, grids));
	const fill = (reader?: Reader) => {
		const current = currentPlans(store, plans);
		return store.fillSpace(
			identity.userId,
			{ name, belongsTo, icon, properties },
			(target) => fillCopy(call, current, target, reader),
			call.authorizeAgain,
		);
	};
	return await (includeEntities ? store.withSnapshot(fill) : fill());
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
		if (includeEntities && entities > LIMITS.copiedEntities) {
			throw badRequest(
				`The space has ${entities} entities; up to ${LIMITS.copiedEntities} are copied in one request`,
			);
		}
		const taken = (candidate: string) => store.spaces.isTaken(identity.userId, 'name', candidate);
		const copyName = name ?? freeName(call.space.name, ' copy', taken);
		const made = await copySpace(call, grids, copyName, includeEntities);
		return created(spacePath(identity.userId, made.id));
	},
);

export const copyRoutes = space.routes;
