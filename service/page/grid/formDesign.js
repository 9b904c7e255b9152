import { send } from '../session/api';
import { changeProperties } from '../session/properties';
import { isComputed } from '../values/cells';
import { ask, waiting } from '../elements/dialog';
import { h } from '../elements/dom';
import { columnLine, ordered } from './columnOrder';

/** The line of a column. `read()` returns its input in a list, or nothing if the form lacks it. */
function inputLine(field, input) {
	const { label = '', description = '', required = false } = input ?? {};
	const text = (value, what) =>
		h('input', { type: 'text', value, placeholder: what, 'aria-label': `${what} of ${field.name}` });
	const labels = text(label, 'Label');
	const descriptions = text(description, 'Description');
	const mark = h('input', { type: 'checkbox', checked: required });
	const more = h('div', { className: 'more' }, labels, descriptions, h('label', {}, mark, ' Required'));
	const line = columnLine(field, input !== undefined, more);
	const read = () =>
		line.querySelector('[data-field]').checked
			? [
					{
						field: field.id,
						label: labels.value.trim(),
						description: descriptions.value.trim(),
						required: mark.checked,
					},
				]
			: [];
	return { line, read };
}

const isText = (value) => ['string', 'undefined'].includes(typeof value);
const isInput = (input) =>
	typeof input?.field === 'string' &&
	isText(input.label) &&
	isText(input.description) &&
	['boolean', 'undefined'].includes(typeof input.required);

/** The inputs of a form, as the service reads them; undefined if it takes all columns. */
function inputsOf(properties) {
	const inputs = properties?.form?.inputs;
	return Array.isArray(inputs) && inputs.every(isInput) ? inputs : undefined;
}

/** Asks what the form of a grid asks for. It is kept in the grid's property `form`. */
export async function designForm(grid) {
	const isWaiting = waiting();
	const { fields, properties } = await send(grid._links.self);
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
			inputs.findLast((input) => input.field === field.id),
		),
	);
	const list = h('ol', { className: 'lines' }, ...lines.map(({ line }) => line));
	ask({
		title: `Form of “${grid.name}”`,
		intro: 'What people see who open a link to the form. Without a label, the name of the column is shown.',
		fields: [list],
		action: 'Save',
		run: async () => {
			const chosen = [...list.children].flatMap((one) => lines.find(({ line }) => line === one).read());
			if (chosen.length === 0) throw new Error('Choose at least one column');
			await changeProperties(grid, ({ form }) => ({
				form: { ...(typeof form === 'object' && form), inputs: chosen },
			}));
		},
	});
}
