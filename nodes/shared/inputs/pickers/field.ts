import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../../../../client';
import { connect } from '../../connection/connect';
import { escapedItem, unescaped } from '../../display/expressionEscape';
import { BY_KEY, ColumnNames, labelsOf } from '../../rows/columnNames';
import { typeLabel } from '../../rows/columnTypes';
import { linksRows, valueTypeOf } from '../../rows/valueTypes';
import { idPicker } from './locators';
import { isLacking, list, matches } from './pagedList';
import { toNodeError } from '../../display/nodeError';
import { escaped } from '../../display/shownText';
import { storedNames } from '../columns/storedColumns';
import { marked, withoutMark } from '../selection/valueFrom';
import { gridOfParentPickers, isGridChosen } from './grid';

/** A column: its id, or the name or key of an expression. Resolve it with `ColumnNames`. */
export const fieldPicker = idPicker('field', {
	displayName: 'Column',
	name: 'field',
	description: 'The column to work with; an expression may return its ID, name or key',
	searchMethod: 'searchFields',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1/fields/f1',
	idPlaceholder: 'e.g. f1',
});

/** The columns of the chosen grid, with unique labels. */
export async function searchFields(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fieldsListed(this, filter, () => true);
}

/** The columns of the chosen grid that a picker accepts. */
export async function fieldsListed(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	fits: (field: Field) => boolean,
): Promise<INodeListSearchResult> {
	return await list(context, { filter, of: ['field'] }, async (client) => {
		const fields = await client.fields.of(await gridOfParentPickers(context, client));
		return { results: menuOptionsOf(fields, fits).filter(({ name }) => matches(name, filter)) };
	});
}

/** The columns of the chosen grid; a list stores their keys. */
async function getFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await listOf(this, (fields) => menuOptionsOf(fields, () => true, storedIn(fields)));
}

/** The columns that link rows. */
async function getLinkFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await listOf(this, (fields) => menuOptionsOf(fields, linksRows, storedIn(fields)));
}

/** The columns for a condition; a mark tells the editor how their values are entered. */
async function getConditionFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await listOf(this, (fields) => {
		const stored = storedIn(fields);
		return menuOptionsOf(
			fields,
			() => true,
			(field) => marked(stored(field), field),
		);
	});
}

const YES_OR_NO = [
	{ name: 'Yes', value: 'true' },
	{ name: 'No', value: 'false' },
];

/** The options of the column that is chosen in the same condition. */
async function getOptionsOfField(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const column = unescaped(String(this.getCurrentNodeParameter('&column')));
	return await listOf(
		this,
		(fields) => {
			const field = ColumnNames.of(fields).find(withoutMark(column));
			if (field && valueTypeOf(field) === 'boolean') return YES_OR_NO;
			return (field?.type.options ?? []).map(({ name, value }) => ({ name, value }));
		},
		'&value',
	);
}

async function listOf(
	context: ILoadOptionsFunctions,
	items: (fields: readonly Field[]) => INodePropertyOptions[],
	input = '&column',
): Promise<INodePropertyOptions[]> {
	if (!isGridChosen(context)) return [];
	return await connect(context)
		.then(async (client) => {
			const fields = await client.fields.of(await gridOfParentPickers(context, client));
			return items(fields).map(escapedItem);
		})
		.catch((error: unknown) => {
			// n8n empties the input, and then lists of other inputs, if the account lacks the grid.
			const value = context.getCurrentNodeParameter(input);
			const isKept = typeof value === 'string' && value !== '' && isLacking(error);
			if (isKept) return [{ name: withoutMark(value).replace(BY_KEY, ''), value }];
			return Promise.reject(toNodeError(context, error));
		});
}

/** What a list stores for a column of the grid: its key, which other accounts know, or its id. */
function storedIn(fields: readonly Field[]): (field: Field) => string {
	const stored = storedNames(fields);
	return ({ id }) => (stored.get(id) === id ? id : `${stored.get(id) ?? id}${BY_KEY}`);
}

function menuOptionsOf(
	fields: readonly Field[],
	fits: (field: Field) => boolean,
	valueOf = ({ id }: Field) => id,
): INodePropertyOptions[] {
	const labels = labelsOf(fields);
	return fields.filter(fits).map((field) => ({
		name: labels.get(field.id) ?? field.name,
		value: valueOf(field),
		description: escaped(typeLabel(field.type.name)),
	}));
}

/** Column lists with multiple selection; for a node's `methods`. */
export const fieldOptions = { getConditionFields, getFields, getLinkFields, getOptionsOfField };
