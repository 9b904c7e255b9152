import { z } from 'zod/v4';
import { noCondition, type Condition } from '../../rules/filter';
import type { Field, Value } from '../../rules/fieldTypes';
import { forbidden } from '../../rules/errors';
import { namesText, nameText } from '../../rules/nameList';
import type { Values } from '../../rules/layouts';
import { viewCondition } from '../../rules/viewDefinition';
import type { Entity } from '../../store/rows/entities';
import type { EntitiesCall } from '../scopes';
import { entitiesOf, entityOf } from './entities';

/**
 * The names of linked rows: for exports, and for people without an account, who cannot read the
 * grids of these rows. Not in the specification, where an entity has only their addresses.
 */

/** Linked rows that are read at once. */
const IDS_AT_ONCE = 500;

const rowLink = z.object({ uri: z.string() });

/** The addresses of the rows to which a value links. */
function linkedAddresses(value: Value): string[] {
	const values = Array.isArray(value) ? value : [value];
	return values.flatMap((one) => rowLink.safeParse(one).data?.uri ?? []);
}

const idsIn = (address: string) => address.split('/entities/').slice(1, 2);

/** The IDs of the rows to which a value links. */
const linkedIds = (value: Value) => linkedAddresses(value).flatMap(idsIn);

/** The linked IDs of entities, by field. */
class LinkedRows {
	private readonly ids = new Map<Field, Set<string>>();

	constructor(fields: readonly Field[]) {
		for (const field of fields) if (field.linkedNames) this.ids.set(field, new Set());
	}

	add({ values }: Entity): void {
		for (const [field, ids] of this.ids) for (const id of linkedIds(values[field.id] ?? null)) ids.add(id);
	}

	/** @param conditionOn of the rows of a grid whose names, in a field of it, may be shown */
	async names({ store }: EntitiesCall, conditionOn: (grid: number, nameId: string) => Condition | undefined) {
		const names = new Map<string, string>();
		for (const [field, all] of this.ids) {
			const ids = [...all];
			for (const [grid, nameId] of field.linkedNames?.() ?? []) {
				const condition = conditionOn(grid, nameId);
				for (let from = 0; condition && from < ids.length; from += IDS_AT_ONCE) {
					await store.slices.turn();
					const rows = store.entities.byIds(grid, ids.slice(from, from + IDS_AT_ONCE), condition);
					for (const [id, { values }] of rows) names.set(id, textOf(values[nameId] ?? null));
				}
			}
		}
		return names;
	}
}

/** The text of a name. */
export const textOf = (value: Value): string =>
	value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/**
 * The names of rows that a page of a shared view links to: of all rows if the maker of the link
 * chose so, else of those that the view shows with the column of their name.
 */
export async function namesInView(call: EntitiesCall, isForAll: boolean) {
	const { page, shown } = await entitiesOf(call);
	const linked = new LinkedRows(shown);
	for await (const items of page.batches(() => call.store.slices.turn()))
		for (const item of items) linked.add(item());
	const names = await linked.names(call, (grid, nameId) => {
		if (isForAll) return noCondition;
		const isShown = grid === call.base.no && call.fields.some(({ id }) => id === nameId);
		return isShown ? viewCondition(call.grid.definition, call.allFields) : undefined;
	});
	return { names: Object.fromEntries(names) };
}

/** The names of rows that the addressed entity links to, if the maker of the link chose so. */
export async function namesInEntity(call: EntitiesCall, isForAll: boolean) {
	const linked = new LinkedRows(call.fields);
	linked.add(entityOf(call));
	const names = await linked.names(call, () => (isForAll ? noCondition : undefined));
	return { names: Object.fromEntries(names) };
}

/**
 * Entities with the names of the rows that they link to, as texts of cells. A row without a name,
 * or out of reach for the caller, keeps its address.
 */
export async function withNames(call: EntitiesCall, fields: readonly Field[], entities: readonly Entity[]) {
	const linked = new LinkedRows(fields);
	for (const entity of entities) linked.add(entity);
	const names = await linked.names(call, () => noCondition);
	const nameOf = (address: string) => names.get(idsIn(address)[0] ?? '') || address;
	const textIn = (value: Value) => {
		const texts = linkedAddresses(value).map(nameOf);
		return Array.isArray(value) ? namesText(texts) : texts.map(nameText).join('');
	};
	const linking = fields.filter(({ linkedNames }) => linkedNames !== undefined);
	return entities.map((entity) => {
		const texts = linking.map(({ id }) => [id, textIn(entity.values[id] ?? null) || null] as const);
		return { ...entity, values: { ...entity.values, ...Object.fromEntries(texts) } };
	});
}

/**
 * Refuses values that link to further rows: through a link that shows the names of linked rows,
 * those of any row could be read.
 * @throws ServiceError 403
 */
export function refuseOtherLinks(fields: readonly Field[], { values: before }: Entity, values: Values): void {
	const linking = fields.filter(({ linkedNames }) => linkedNames !== undefined);
	const present = new Set(linking.flatMap(({ id }) => linkedIds(before[id] ?? null)));
	for (const { id, name } of linking)
		if (linkedIds(values[id] ?? null).some((one) => !present.has(one)))
			throw forbidden(`Through this link, "${name}" can link no further rows, because it shows their names`);
}
