import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import {
	type Client,
	type Field,
	type Form,
	type GridReference,
	oncePer,
	type OpenForm,
} from '../../../client';
import { mapperOf } from '../../shared/inputs/columns/columnMapper';
import { unloadedColumns } from '../../shared/inputs/columns/unloadedColumns';
import { connect } from '../../shared/connection/connect';
import { chosen, pickedBy } from '../../shared/inputs/pickers/locators';
import { parentPickerValue } from '../../shared/inputs/pickers/resolvedPickers';
import { formPicker } from '../../shared/inputs/pickers/form';
import { changeableGridFields, chosenReference, gridFields } from '../../shared/inputs/pickers/chosenGrid';
import type { Target } from '../../shared/inputs/target';
import { gridPicker, gridReference, isGridChosen } from '../../shared/inputs/pickers/grid';
import { gridSpacePicker } from '../../shared/inputs/pickers/space';
import { fieldsOfForm, mapperFields } from '../../shared/inputs/formValues';

/** A form and its fields; the fields are undefined if the form may not be read (§5, creator). */
interface ChosenForm {
	open: OpenForm;
	form: OpenForm['form'];
	formFields: Field[] | undefined;
}

/** A form is opened once per client, so its fields are computed once. */
const fieldsIn = oncePer((form: Form) => oncePer((fields: Field[]) => fieldsOfForm(form, fields)));

const open: Target<ChosenForm>['open'] = async (client, parameter) =>
	await openForm(client, chosenReference(parameter), parameter(formPicker));

export const chosenForm = { fields: [...gridFields, formPicker], open };

/** A form of a grid that can be changed. */
export const formToSubmit = { fields: [...changeableGridFields, formPicker], open };

async function openForm(client: Client, grid: GridReference, formId: string): Promise<ChosenForm> {
	// The address of a form contains its grid, so a missing grid is detected here.
	const open = await pickedBy([formPicker, gridPicker, gridSpacePicker], client.forms.open(grid, formId));
	const { form } = open;
	const formFields = open.grid && form ? fieldsIn(form)(await client.fields.of(open.grid)) : undefined;
	return { open, form, formFields };
}

async function getFormFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const form = chosen(this.getCurrentNodeParameter('form'), 'Form');
	if (!isGridChosen(this) || !form)
		return { fields: [], emptyFieldsNotice: 'Choose a grid and a form to see its fields.' };
	return await connect(this)
		.then(async (client) => {
			const grid = await parentPickerValue(this, client, gridPicker);
			const spaceId = await parentPickerValue(this, client, gridSpacePicker);
			const formId = await parentPickerValue(this, client, formPicker);
			const { formFields } = await openForm(client, gridReference(grid, spaceId), formId);
			return mapperOf(
				mapperFields(formFields ?? []),
				'Fields of this form',
				formFields
					? 'This form has no fields.'
					: 'Your key may submit but not read this form. Enter the values as JSON, by field ID.',
			);
		})
		.catch((error: unknown) => unloadedColumns(this, 'formFields', error));
}

/** Loads the fields of a form into the editor; for a node's `methods`. */
export const formMapping = { getFormFields };
