import { send } from '../session/api.js';
import { optionsOf } from '../values/cells.js';
import { ask, confirmLoss, waiting } from '../elements/dialog.js';
import { button, h, told } from '../elements/dom.js';

const WITH_OPTIONS = ['enum', 'enumcollection'];

const lines = (text) => text.split('\n').map((one) => one.trim()).filter(Boolean); // prettier-ignore

/** A type with options from the lines of a text; known options keep their label and color. */
function typeFrom(name, text, before) {
	if (!WITH_OPTIONS.includes(name)) return { name };
	const known = before?.options ?? [];
	return { name, options: lines(text).map((value) => known.find((one) => one.value === value) ?? value) };
}

const inputs = (types, field) => [
	{ name: 'name', label: 'Name', value: field?.name ?? '', required: true },
	{
		name: 'key',
		label: 'Key',
		value: field?.key ?? '',
		hint: 'For integrations. If empty, derived from the name.',
	},
	{ name: 'description', label: 'Description', value: field?.description ?? '' },
	{ name: 'type', label: 'Type', type: 'select', value: field?.type.name ?? 'string', options: types },
	{ name: 'options', label: 'Options, one per line', type: 'textarea', value: field ? optionsOf(field).join('\n') : '', shownFor: { name: 'type', values: WITH_OPTIONS } }, // prettier-ignore
];

const typeNames = async () => (await send({ href: '/api/types', method: 'get' })).map(({ name }) => name);

export async function addColumn(grid, done) {
	const isWaiting = waiting();
	const types = await typeNames();
	if (!isWaiting()) return;
	ask({
		title: 'Add a column',
		fields: inputs(types),
		action: 'Add',
		run: async ({ name, key, description, type, options }) => {
			const body = { name, type: typeFrom(type, options), ...(key ? { key } : {}), ...(description ? { description } : {}) }; // prettier-ignore
			await send(grid._links.columnAdd, { body });
			await done();
		},
	});
}

/** The number of rows with a value in a column. */
async function filledRows(grid, field) {
	const filter = JSON.stringify({ [field.id]: { $empty: false } });
	return (await send(grid._links.entities, { query: { filter, pageSize: 1 } })).numberOfItems;
}

const rows = (count) => (count === 1 ? '1 row has a value' : `${count.toLocaleString()} rows have a value`);

async function removeColumn(grid, field, done) {
	const isWaiting = waiting();
	const count = await filledRows(grid, field);
	if (!isWaiting()) return;
	confirmLoss({
		title: `Delete the column “${field.name}”?`,
		lost: `${rows(count)} in it. All of them are deleted; views no longer show the column.`,
		action: `Delete “${field.name}”`,
		run: async () => {
			await send(grid._links.columnRemove, { body: { fieldId: field.id } });
			await done();
		},
	});
}

/** Describes what a change of type may lose; undefined if all values stay. */
async function lossOf(grid, field, type) {
	const kept = (type.options ?? []).map((one) => one.value ?? one);
	const gone = optionsOf(field).filter((one) => !kept.includes(one));
	if (type.name === field.type.name && gone.length === 0) return undefined;
	const count = await filledRows(grid, field);
	if (count === 0) return undefined;
	const what = type.name === field.type.name ? `The options ${gone.join(', ')} are removed.` : `The type changes from ${field.type.name} to ${type.name}.`; // prettier-ignore
	return `${what} ${rows(count)} in “${field.name}”: those that fit are converted, all others become empty. The history of each row keeps the old value.`;
}

/** Renames, changes or deletes a column. */
export async function changeColumn(grid, field, done) {
	const isWaiting = waiting();
	const types = await typeNames();
	if (!isWaiting()) return;
	const change = async (body) => {
		if (Object.keys(body).length > 0) await send(field._links.update, { body });
		await done();
	};
	const dialog = ask({
		title: `Column “${field.name}”`,
		fields: [
			...inputs(types, field),
			h(
				'p',
				{},
				button(
					'Delete this column',
					() => {
						dialog.close();
						void told(removeColumn)(grid, field, done);
					},
					{ className: 'danger' },
				),
			),
		],
		action: 'Save',
		run: async ({ name, key, description, type, options }, isOpen) => {
			const after = typeFrom(type, options, field.type);
			const isSame = type === field.type.name && JSON.stringify(after.options ?? []) === JSON.stringify(field.type.options ?? []); // prettier-ignore
			const body = {
				...(name === field.name ? {} : { name }),
				...(key === field.key ? {} : { key }),
				...(description === (field.description ?? '') ? {} : { description: description || null }),
				...(isSame ? {} : { type: after }),
			};
			const lost = isSame ? undefined : await lossOf(grid, field, after);
			if (lost === undefined) await change(body);
			else if (isOpen()) confirmLoss({ title: `Change “${field.name}”?`, lost, action: 'Change the type', run: () => change(body) }); // prettier-ignore
		},
	});
}
