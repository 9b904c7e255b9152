import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import type { Client } from '../../../client';
import type { Field } from '../../../client/resources/fields';
import type { OpenForm } from '../../../client/resources/forms';
import type { GridReference } from '../../../client/resources/grids';
import { mapperOf } from '../../shared/inputs/columnMapper';
import { connect } from '../../shared/connection/connect';
import { chosen, pickedBy } from '../../shared/inputs/locators';
import { toNodeError } from '../../shared/display/nodeError';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { pickedAbove } from '../../shared/inputs/pickedUrls';
import { formPicker } from '../../shared/inputs/pickers/form';
import { gridPicker, gridReference, isGridChosen } from '../../shared/inputs/pickers/grid';
import { gridSpacePicker } from '../../shared/inputs/pickers/space';
import { fieldsOfForm, mapperFields } from '../formValues';

/** A form and the fields it asks for; no fields where it may be submitted but not read (§5 creator). */
export interface ChosenForm {
	open: OpenForm;
	fields: Field[] | undefined;
}

/** A form is opened once for each client, so its fields are worked out once, too. */
const known = new WeakMap<OpenForm, Promise<Field[] | undefined>>();

/** The form that the pickers name. */
export async function chosenForm(client: Client, parameter: ReadParameter): Promise<ChosenForm> {
	const grid = gridReference(parameter(gridPicker), parameter(gridSpacePicker));
	return await openForm(client, grid, parameter(formPicker));
}

async function openForm(client: Client, grid: GridReference, formId: string): Promise<ChosenForm> {
	// The form's own address names its grid, so a grid that is not there is found out with it.
	const open = await pickedBy([formPicker, gridPicker, gridSpacePicker], client.forms.open(grid, formId));
	const fields = known.get(open) ?? fieldsOf(client, open);
	known.set(open, fields);
	return { open, fields: await fields };
}

async function fieldsOf(client: Client, { grid, form }: OpenForm): Promise<Field[] | undefined> {
	return grid && form ? fieldsOfForm(form, await client.fields.of(grid)) : undefined;
}

async function getFormFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	// Nobody has done anything wrong yet.
	const form = chosen(this.getCurrentNodeParameter('form'), 'Form');
	if (!isGridChosen(this) || !form)
		return { fields: [], emptyFieldsNotice: 'Choose a grid and a form: its fields then appear here.' };
	return await connect(this)
		.then(async (client) => {
			const grid = await pickedAbove(this, client, gridPicker);
			const spaceId = await pickedAbove(this, client, gridSpacePicker);
			const formId = await pickedAbove(this, client, formPicker);
			const { fields } = await openForm(client, gridReference(grid, spaceId), formId);
			return mapperOf(
				mapperFields(fields ?? []),
				'Fields of this form',
				fields
					? 'This form asks for nothing.'
					: 'Your key may submit this form but not read it: enter the values as JSON, by field ID.',
			);
		})
		.catch((error: unknown) => Promise.reject(toNodeError(this, error)));
}

/** The source of the inputs for a form's fields, for a node's `methods`. */
export const formMapping = { getFormFields };
