import { z } from 'zod/v4';
import { badRequest } from '../../rules/errors';
import { linksToRows, type Value } from '../../rules/fieldTypes';
import { LIMITS } from '../../rules/limits';
import { linkedGridId } from '../../rules/linkedGrids';
import type { FormField } from '../../rules/formDesign';
import type { Values } from '../../rules/layouts';
import { viewCondition } from '../../rules/viewDefinition';
import type { Condition } from '../../rules/filter';
import { parseInput } from '../../http/input';
import { expandPath } from '../../http/links';
import type { Grid } from '../../store/structure/grids';
import { openGridOf, type EntitiesCall } from '../scopes';
import { allValues } from './entities';
import { textOf } from './linkedNames';

/**
 * Rows of another grid that people without an account may pick in a form. Not in the
 * specification, which does not say to which grid a field links.
 */

/** Maximum number of rows of a list; a longer beginning of their names finds others. */
const MAX_ROWS = 200;

/** `matching` is the beginning of the names. */
export const rowsQuery = z.object({ matching: z.string().max(LIMITS.textLength).default('') });

/** The grid whose rows a form offers for an input; undefined if it offers none. */
export function offeredGrid({ store, base }: EntitiesCall, { field, offerRows }: FormField) {
	const id = offerRows && linksToRows(field) ? linkedGridId(base.properties, field) : undefined;
	const grid = id === undefined ? undefined : store.grids.get(id);
	return grid?.spaceId === base.spaceId ? grid : undefined;
}

/** The IDs and names of rows that the grid of a call shows, by their names. */
export async function listRows(call: EntitiesCall) {
	const { matching } = parseInput(rowsQuery, call.query, 'Query');
	const { store, base, grid, allFields, caller } = call;
	const [field] = call.queryableFields;
	const rows: Array<{ id: string; name: string }> = [];
	if (!field) return { rows };
	const condition: Condition = {
		op: 'all',
		of: [
			viewCondition(grid.definition, allFields),
			matching === '' ? { op: 'empty', field, empty: false } : { op: 'begins', field, text: matching },
		],
	};
	const orders = [{ field, descending: false }];
	const page = await store.selections.page(base.no, {
		condition,
		orders,
		offset: 0,
		limit: MAX_ROWS,
		caller,
	});
	for await (const items of page.batches(() => store.slices.turn()))
		for (const item of items) {
			const entity = item();
			rows.push({ id: entity.id, name: textOf(allValues([field], entity)[field.id] ?? null) });
		}
	return { rows };
}

interface Submission {
	readonly inputs: readonly FormField[];
	readonly values: Values;
	/** The grid whose rows an input offers. */
	readonly offer: (input: FormField) => Grid | undefined;
}

/**
 * The values of a submission, with the addresses of picked rows.
 * @throws ServiceError 400, the same for rows of other grids as for those that do not exist
 */
export function linkOffered(call: EntitiesCall, { inputs, values, offer }: Submission): Values {
	const linked = { ...values };
	for (const input of inputs) {
		const { id } = input.field;
		const value = values[id] ?? null;
		const grid = value === null ? undefined : offer(input);
		if (grid) linked[id] = linksInto(call, grid, value) ?? refuse(id);
	}
	return linked;
}

function refuse(fieldId: string): never {
	throw badRequest(`The value of "${fieldId}" is no row of its list`);
}

const links = z.union([
	z.object({ uri: z.string() }).transform((one) => [one]),
	z.array(z.object({ uri: z.string() })),
]);

/** Links to rows that a value names by IDs or addresses; undefined unless the grid shows all. */
function linksInto({ store, params }: EntitiesCall, grid: Grid, value: Value): Value | undefined {
	const named = links.parse(value).map(({ uri }) => ({ uri, entityId: uri.split('/').at(-1) ?? '' }));
	const { base, allFields } = openGridOf(store, grid);
	const ids = named.map(({ entityId }) => entityId);
	const rows = store.entities.byIds(base.no, ids, viewCondition(grid.definition, allFields));
	const found = named.map(({ uri, entityId }) => {
		const address = expandPath('/api/users/:userId/spaces/:spaceId/grids/:gridId/entities/:entityId', {
			userId: params['userId'] ?? '',
			spaceId: grid.spaceId,
			gridId: grid.id,
			entityId,
		});
		return rows.has(entityId) && [entityId, address].includes(uri) ? [{ uri: address }] : [];
	});
	if (found.some((one) => one.length === 0)) return undefined;
	return Array.isArray(value) ? found.flat() : found[0]?.[0];
}
