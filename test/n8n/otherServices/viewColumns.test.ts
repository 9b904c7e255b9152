import { z } from 'zod/v4';
import { rewrite } from '../../../testbed/proxy/rewriting';
import { versionOne } from '../../../testbed/proxy/versionOne';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** PUT (§4.4) replaces name, columns and filter of a view, so an update must send all of them. */
const bed = new ProxiedWorld();
const viewSchema = z.looseObject({ fields: z.array(z.looseObject({ id: z.string() })) });
const schemaSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

let grid: WorldGrid;
let view: string;
beforeEach(async () => {
	grid = await bed.grid({ Name: 'string', State: 'string', Count: 'integer' });
	view = await grid.view(['Count', 'Name']);
});

const run = async (operation: string, parameters: object = {}) =>
	await bed.run({
		node: 'grid',
		resource: 'view',
		operation,
		parameters: { ...grid.chosen, view: byId(view), selectBy: 'json', ...parameters },
	});
const rename = async () => await run('update', { newName: 'Renamed' });
const stored = async () => {
	const { spaceId } = grid.grid.address;
	const { name, fields } = await bed.newClient().grids.open({ spaceId, gridId: view });
	return { name, columns: fields?.map((field) => field.name) };
};

describe('a service whose views have only column IDs (§2.8) and the schema of the grid', () => {
	beforeEach(() => {
		bed.proxy.setRules(
			rewrite({
				request: (path) => path.replace(`${view}/schema`, `${grid.grid.id}/schema`),
				response({ path, body, method }) {
					if (method !== 'GET' || !path.endsWith(`/grids/${view}`)) return {};
					const shown = viewSchema.parse(JSON.parse(body));
					return { body: JSON.stringify({ ...shown, fields: shown.fields.map(({ id }) => id) }) };
				},
			}),
		);
	});

	test('Update keeps the columns and their order', async () => {
		const { error, rows } = await rename();
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ fields: [grid.id('Count'), grid.id('Name')] }]);
		expect(await stored()).toEqual({ name: 'Renamed', columns: ['Count', 'Name'] });
	});

	test('Get shows these columns', async () => {
		const { rows } = await run('get');
		expect(rows).toMatchObject([{ fields: [{ name: 'Count' }, { name: 'Name' }] }]);
	});
});

test('with numeric IDs in a schema only, Update requires the columns because their order is unknown', async () => {
	const numbers = ['Name', 'Count', 'State'].map((name, at) => [grid.id(name), String(at + 1)] as const);
	bed.proxy.setRules(
		rewrite({
			...versionOne,
			response(passing) {
				const { body = passing.body } = versionOne.response?.(passing) ?? {};
				const schema = schemaSchema.safeParse(passing.path.endsWith('/schema') ? JSON.parse(body) : null);
				if (!schema.success) return { body };
				return { body: numbers.reduce((text, [id, number]) => text.replaceAll(id, number), body) };
			},
		}),
	);
	const { error } = await rename();
	expect(error?.message).toContain('does not return the order of the columns');
	expect(bed.proxy.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	bed.proxy.setRules();
	expect(await stored()).toMatchObject({ columns: ['Count', 'Name'] });
});
