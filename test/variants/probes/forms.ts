import type { INodeParameters } from 'n8n-workflow';
import { same } from '../difference';
import type { Probe } from './probe';
import type { World } from '../world';
import { newCells, sameRows } from './rows';
import { z } from 'zod/v4';
import { byId } from '../../../testbed/account';

const page = z.object({ items: z.array(z.object({ id: z.string() })) });
const mapping = z.custom<INodeParameters>();
const submitted = z.looseObject({ submitted: z.literal(true), _id: z.string().nullish() });

/** A form of the grid creates the row that is sent, once, and says which one it is. */
async function submit(world: World): Promise<void> {
	const cells = newCells(world);
	const [form] = (await world.ground.truth.read(page, `${world.grid.path}/forms`)).items;
	const value = Object.fromEntries(
		Object.entries(cells).map(([name, cell]) => [world.shown(world.grid.fieldId(name)), cell]),
	);
	const rows = await world.rows(
		{ node: 'form', resource: 'form', operation: 'submit' },
		{
			...world.inGrid,
			form: byId(world.shown(form?.id ?? '')),
			valuesAs: 'fields',
			formFields: mapping.parse({ mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] }),
		},
	);
	const [made] = await world.grid.rows();
	same('form.submit: rows of output', rows.length, 1);
	await sameRows(world, 'form.submit: rows', [{ id: made?.id ?? '', cells }]);
	same('form.submit: the id of the row', submitted.parse(rows[0])._id, made?.id);
}

export const formProbes: Probe[] = [{ name: 'form.submit', every: 4, run: submit }];
