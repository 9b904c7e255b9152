import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import * as responses from '../../http/responseSchemas';
import { badRequest, notFound } from '../../rules/errors';
import { fieldTypeSchema, type Field } from '../../rules/fieldTypes';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { columnText, fieldName, nameText } from '../../rules/text';
import { fieldView } from './grids';
import { atPersistentGrid } from '../rows/rowAccess';
import { created } from '../../http/route';
import { inGrid, type GridCall } from '../scopes';

const name = nameText(LIMITS.textLength);
const key = nameText(LIMITS.textLength);
const description = columnText(LIMITS.descriptionLength).nullable();
const fieldId = z.string();

const columnAdd = z.strictObject({
	name,
	key: key.optional(),
	description: description.optional(),
	position: z.int().min(0).optional(),
	type: fieldTypeSchema,
});
const columnRename = z.strictObject({ oldName: z.string(), newName: name });
const columnTypeChange = z.strictObject({ fieldId, type: fieldTypeSchema });
const columnKeyChange = z.strictObject({ fieldId, key });
const columnRemove = z.strictObject({ fieldId });
const fieldChange = z.strictObject({ name, key, description, type: fieldTypeSchema }).partial();

/** Returns a field by its ID. @throws ServiceError 400: unknown field identifier (§7) */
export function fieldOf(call: GridCall, id: string): Field {
	const field = call.allFields.find((one) => one.id === id);
	if (!field) throw badRequest(`Unknown field "${id}"`, { unknown: id });
	return field;
}

const grid = inGrid('');

grid.post(
	'/ColumnAdd',
	'admin',
	{ on: { grid: 'columnAdd' }, body: columnAdd, response: 'created' },
	(call) => {
		const field = call.store.fields.add(call.base.no, parseInput(columnAdd, call.body, 'Body'));
		// A view does not show the new field.
		const params = { ...atPersistentGrid(call).params, fieldId: field.id };
		return created(expandPath('/api/users/:userId/spaces/:spaceId/grids/:gridId/fields/:fieldId', params));
	},
);

grid.post(
	'/ColumnRename',
	'admin',
	{ on: { grid: 'columnRename' }, body: columnRename, response: responses.nothing },
	(call) => {
		const { oldName, newName } = parseInput(columnRename, call.body, 'Body');
		const field = call.allFields.find((one) => one.name === oldName || one.name === fieldName(oldName));
		if (!field) throw badRequest(`Unknown field "${oldName}"`, { unknown: oldName });
		call.store.fields.update(call.base.no, field, { name: newName });
		return {};
	},
);

grid.post(
	'/ColumnTypeChange',
	'admin',
	{ on: { grid: 'columnTypeChange' }, body: columnTypeChange, response: responses.nothing },
	(call) => {
		const change = parseInput(columnTypeChange, call.body, 'Body');
		call.store.changeField(
			call.base,
			fieldOf(call, change.fieldId),
			{ type: change.type },
			call.identity.userId,
		);
		return {};
	},
);

grid.post(
	'/ColumnKeyChange',
	'admin',
	{ on: { grid: 'columnKeyChange' }, body: columnKeyChange, response: responses.nothing },
	(call) => {
		const change = parseInput(columnKeyChange, call.body, 'Body');
		call.store.fields.update(call.base.no, fieldOf(call, change.fieldId), { key: change.key });
		return {};
	},
);

grid.post(
	'/ColumnRemove',
	'admin',
	{ on: { grid: 'columnRemove' }, body: columnRemove, response: responses.nothing },
	(call) => {
		const change = parseInput(columnRemove, call.body, 'Body');
		call.store.removeField(call.base, fieldOf(call, change.fieldId));
		return {};
	},
);

const fields = inGrid('/fields');

function shownField(call: GridCall): Field {
	const field = call.fields.find((one) => one.id === call.params['fieldId']);
	if (!field) throw notFound('Field');
	return field;
}

fields.get('/:fieldId', 'reader', { on: { field: 'self' }, response: responses.field }, (call) =>
	fieldView(call, call.grid.id, shownField(call)),
);

fields.patch(
	'/:fieldId',
	'admin',
	{ on: { field: 'update' }, body: fieldChange, response: responses.nothing },
	(call) => {
		const change = parseInput(fieldChange, call.body, 'Body');
		call.store.changeField(call.base, shownField(call), change, call.identity.userId);
		return {};
	},
);

export const fieldRoutes = [...grid.routes, ...fields.routes];
