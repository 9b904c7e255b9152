import { z } from 'zod/v4';
import { badRequest, notFound } from '../errors';
import { fieldTypeSchema, type Field } from '../fieldTypes';
import { read } from '../paging';
import { fieldView } from './grids';
import { created, inGrid, type GridCall } from './route';

const name = z.string().trim().min(1).max(80);
const key = z.string().trim().min(1).max(80);
const description = z.string().max(2000).nullable();

const columnAdd = z.strictObject({
	name,
	key: key.optional(),
	description: description.optional(),
	position: z.int().min(0).optional(),
	type: fieldTypeSchema,
});

/** The field of the grid with this id. @throws ServiceError 400: unknown field identifier (§7) */
export function fieldOf(call: GridCall, id: string): Field {
	const field = call.allFields.find((one) => one.id === id);
	if (!field) throw badRequest(`Unknown field "${id}"`, { unknown: id });
	return field;
}

const grid = inGrid('');

grid.post('/ColumnAdd', 'admin', { grid: 'columnAdd' }, (call) => {
	const field = call.store.fields.add(call.base.no, read(columnAdd, call.body, 'Body'));
	return created(`${call.url.replace(/\/ColumnAdd.*$/, '')}/fields/${field.id}`);
});

const fields = inGrid('/fields');

fields.get('/:fieldId', 'reader', { field: 'self' }, (call) => {
	const field = call.fields.find((one) => one.id === call.params['fieldId']);
	if (!field) throw notFound('Field');
	return fieldView(call, call.grid.id, field);
});

export const fieldRoutes = [...grid.routes, ...fields.routes];
