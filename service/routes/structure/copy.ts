import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import { CopiedIds } from '../../rules/copiedIds';
import { badRequest } from '../../rules/errors';
import { isLink, type Field, type Value } from '../../rules/fieldTypes';
import type { Values } from '../../rules/layouts';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import type { Grid } from '../../store/structure/grids';
import type { Space } from '../../store/structure/spaces';
import type { StatefulView } from '../../store/structure/presentation';
import type { Steps } from '../../store/files/slices';
import type { Reader } from '../../store/files/database';
import type { Store } from '../../store/store';
import { newId } from '../../store/ids';
import { freeName, nameText } from '../../rules/text';
import { writeCopiedIds } from './copiedRecords';
import { created } from '../../http/route';
import { inSpace, type SpaceCall } from '../scopes';

const copyBody = z.strictObject({
	name: nameText(LIMITS.nameLength).optional(),
	includeEntities: z.boolean().default(false),
});

/** What is copied of a grid, as of the start of the copy. */
interface Plan {
	readonly original: Grid;
	/** The fields of the original. */
	readonly before: readonly Field[];
	/** The fields of the copy. */
	readonly fields: readonly Field[];
	readonly sviews: readonly StatefulView[];
	readonly views: ReadonlyArray<{ readonly view: Grid; readonly sviews: readonly StatefulView[] }>;
}

function planOf(store: Store, original: Grid): Plan {
	const before = store.fields.list(original.no);
	const fields = store.fields.plan(before);
	const sviewsOf = (grid: Grid) => store.presentation.sviews(grid.no, false);
	const views = store.grids.views(original.no).map((view) => ({ view, sviews: sviewsOf(view) }));
	return { original, before, fields, sviews: sviewsOf(original), views };
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
	plan.before.forEach(({ id }, index) => {
		ids.add(id, plan.fields[index]?.id ?? id);
	});
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

/** Assigns the IDs of copied rows, before links to them are copied. */
function* assignRowIds(
	{ store }: SpaceCall,
	{ original }: Plan,
	reader: Reader,
	ids: CopiedIds,
): Steps<void> {
	for (const rows of store.selections.idPortions(original.no, reader)) {
		for (const id of rows) ids.add(id, newId());
		yield;
	}
}

/** Copies the entities of a grid, without values of deleted fields. */
function* copyEntities(
	{ store, identity }: SpaceCall,
	{ original, before }: Plan,
	reader: Reader,
	copy: Grid,
	ids: CopiedIds,
): Steps<void> {
	const columns = before.map((field) => ({
		from: field.id,
		to: ids.inText(field.id),
		copied: isLink(field) ? (value: Value) => ids.in(value) : (value: Value) => value,
	}));
	for (const entities of store.selections.portions(original.no, reader)) {
		for (const { id, values } of entities) {
			const copies: Values = {};
			for (const { from, to, copied } of columns) {
				const value = values[from];
				if (value !== undefined) copies[to] = copied(value);
			}
			store.entities.create(copy.no, copies, identity.userId, ids.copyOf(id));
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
	const ids = new CopiedIds(call.space.id, spacePath(identity.userId, target.id), reader !== undefined);
	ids.add(call.space.id, target.id);
	const grids: Array<readonly [Plan, Grid]> = [];
	for (const plan of plans) {
		grids.push([plan, makeCopy(store, plan, target.id, ids)]);
		yield;
	}
	if (reader) {
		for (const [plan] of grids) yield* assignRowIds(call, plan, reader, ids);
		for (const [plan, copy] of grids) yield* copyEntities(call, plan, reader, copy, ids);
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
