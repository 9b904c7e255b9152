import { read } from '../session/api';
import * as schemas from '../session/schemas';
import { membersOf, type Field, type Grid } from '../session/schemas';
import { changeProperties } from '../session/properties';
import { isComputed } from '../values/cells';
import { isLink, linkedGrid } from '../values/linkedRows';
import { ask, waiting } from '../elements/dialog';
import { h } from '../elements/dom';
import { columnLine, ordered } from './columnOrder';

/** A column that a form asks for, as the service reads it. */
interface FormInput {
	readonly field: string;
	readonly label?: string;
	readonly description?: string;
	readonly required?: boolean;
	/** Whether guests pick linked rows from a list, if their link allows it. */
	readonly offerRows?: boolean;
}

/**
 * The line of a column. `read()` returns its input in a list, or nothing if the form lacks it.
 * @param isListable whether it links to the rows of one grid
 */
function inputLine(field: Field, isListable: boolean, input?: FormInput) {
	const { label = '', description = '', required = false, offerRows = false } = input ?? {};
	const text = (value: string, what: string) =>
		h('input', { type: 'text', value, placeholder: what, 'aria-label': `${what} of ${field.name}` });
	const labels = text(label, 'Label');
	const descriptions = text(description, 'Description');
	const mark = h('input', { type: 'checkbox', checked: required });
	const offer = h('input', { type: 'checkbox', checked: offerRows });
	const offering = isListable ? h('label', {}, offer, ' Guests pick from a list of the names') : undefined;
	const marks = h('label', {}, mark, ' Required');
	const more = h('div', { className: 'more' }, labels, descriptions, marks, offering);
	const { line, check } = columnLine(field, input !== undefined, more);
	const read = (): FormInput[] =>
		check.checked
			? [
					{
						field: field.id,
						label: labels.value.trim(),
						description: descriptions.value.trim(),
						required: mark.checked,
						...(isListable && offer.checked ? { offerRows: true } : {}),
					},
				]
			: [];
	return { line, read };
}

const isText = (value: unknown) => ['string', 'undefined'].includes(typeof value);
function isInput(input: unknown): input is FormInput {
	const { field, label, description, required, offerRows } = membersOf(input);
	return (
		typeof field === 'string' &&
		isText(label) &&
		isText(description) &&
		[required, offerRows].every((one) => ['boolean', 'undefined'].includes(typeof one))
	);
}

/** The inputs of a form, as the service reads them; undefined if it takes all columns. */
function inputsOf(properties: Grid['properties']): FormInput[] | undefined {
	const { inputs } = membersOf(properties.form);
	return Array.isArray(inputs) && inputs.every(isInput) ? inputs : undefined;
}

/** Asks what the form of a grid asks for. It is kept in the grid's property `form`. */
export async function designForm(grid: Grid) {
	const isWaiting = waiting();
	const { fields, properties } = await read(grid._links.self, schemas.grid);
	if (!isWaiting()) return;
	const written = fields.filter((field) => !isComputed(field));
	const inputs = inputsOf(properties) ?? written.map(({ id }) => ({ field: id }));
	const inOrder = ordered(
		written,
		inputs.map(({ field }) => field),
	);
	const lines = inOrder.map((field) =>
		inputLine(
			field,
			isLink(field) && linkedGrid({ properties }, field) !== undefined,
			inputs.findLast((input) => input.field === field.id),
		),
	);
	const list = h('ol', { className: 'lines' }, ...lines.map(({ line }) => line));
	ask({
		title: `Form of “${grid.name}”`,
		intro:
			'What people see who open a link to the form. Without a label, the name of the column is shown. Linked rows are picked from a list only through links that show their names.',
		fields: [list],
		action: 'Save',
		run: async () => {
			const chosen = [...list.children].flatMap(
				(one) => lines.find(({ line }) => line === one)?.read() ?? [],
			);
			if (chosen.length === 0) throw new Error('Choose at least one column');
			await changeProperties(grid, ({ form }) => ({
				form: { ...membersOf(form), inputs: chosen },
			}));
		},
	});
}
