import type { INodeParameters } from 'n8n-workflow';
import { same } from '../difference';
import type { Probe } from './probe';
import type { Trial } from '../trial';
import type { Cells } from '../truth';
import { asInput, newCells, sameRows } from './rows';
import { z } from 'zod/v4';
import { byId } from '../../../testbed/world/parameters';

const page = z.object({ items: z.array(z.object({ id: z.string() })) });
const parameters = z.custom<INodeParameters>();
const submitted = z.looseObject({ submitted: z.literal(true), _id: z.string().nullish() });

/** How the values of a form are given: by the ids of fields, or by the labels of the form. */
const WAYS = [
	(trial: Trial, cells: Cells) => ({
		valuesAs: 'fields',
		formFields: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(
				Object.entries(cells).map(([name, cell]) => [trial.shown(trial.grid.fieldId(name)), cell]),
			),
			matchingColumns: [],
			schema: [],
		},
	}),
	() => ({
		valuesAs: 'fields',
		formFields: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
	}),
	(_world: Trial, cells: Cells) => ({ valuesAs: 'json', valuesJson: JSON.stringify(cells) }),
];

/** A form of the grid creates the row that is sent, once, and says which one it is. */
async function submit(trial: Trial): Promise<void> {
	const [form] = (await trial.trials.truth.read(page, `${trial.grid.path}/forms`)).items;
	for (const values of WAYS) {
		const before = await trial.grid.rows();
		const cells = newCells(trial);
		const rows = await trial.rows(
			{ node: 'form', resource: 'form', operation: 'submit' },
			parameters.parse({
				...trial.inGrid,
				form: byId(trial.shown(form?.id ?? '')),
				...values(trial, cells),
			}),
			[asInput(cells)],
		);
		const made = (await trial.grid.rows()).at(-1);
		same('form.submit: rows of output', rows.length, 1);
		await sameRows(trial, 'form.submit: rows', [...before, { id: made?.id ?? '', cells }]);
		same('form.submit: the id of the row', submitted.parse(rows[0])._id, made?.id);
	}
}

export const formProbes: Probe[] = [{ name: 'form.submit', every: 4, run: submit }];
