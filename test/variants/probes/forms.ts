import type { INodeParameters } from 'n8n-workflow';
import { same } from '../difference';
import type { Probe } from './probe';
import type { World } from '../world';
import type { Cells } from '../truth';
import { asInput, newCells, sameRows } from './rows';
import { z } from 'zod/v4';
import { byId } from '../../fixtures/account';

const page = z.object({ items: z.array(z.object({ id: z.string() })) });
const parameters = z.custom<INodeParameters>();
const submitted = z.looseObject({ submitted: z.literal(true), _id: z.string().nullish() });

/** How the values of a form are given: by the ids of fields, or by the labels of the form. */
const WAYS = [
	(world: World, cells: Cells) => ({
		valuesAs: 'fields',
		formFields: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(
				Object.entries(cells).map(([name, cell]) => [world.shown(world.grid.fieldId(name)), cell]),
			),
			matchingColumns: [],
			schema: [],
		},
	}),
	() => ({
		valuesAs: 'fields',
		formFields: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
	}),
	(_world: World, cells: Cells) => ({ valuesAs: 'json', valuesJson: JSON.stringify(cells) }),
];

/** A form of the grid creates the row that is sent, once, and says which one it is. */
async function submit(world: World): Promise<void> {
	const [form] = (await world.ground.truth.read(page, `${world.grid.path}/forms`)).items;
	for (const values of WAYS) {
		const before = await world.grid.rows();
		const cells = newCells(world);
		const rows = await world.rows(
			{ node: 'form', resource: 'form', operation: 'submit' },
			parameters.parse({
				...world.inGrid,
				form: byId(world.shown(form?.id ?? '')),
				...values(world, cells),
			}),
			[asInput(cells)],
		);
		const made = (await world.grid.rows()).at(-1);
		same('form.submit: rows of output', rows.length, 1);
		await sameRows(world, 'form.submit: rows', [...before, { id: made?.id ?? '', cells }]);
		same('form.submit: the id of the row', submitted.parse(rows[0])._id, made?.id);
	}
}

export const formProbes: Probe[] = [{ name: 'form.submit', every: 4, run: submit }];
