import type { Resource } from '../shared/runner/operation';
import { changeKey } from './field/changeKey';
import { changeType } from './field/changeType';
import { create as createField } from './field/create';
import { deleteField } from './field/delete';
import { ensure } from './field/ensure';
import { get as getField } from './field/get';
import { getMany as getFields } from './field/getMany';
import { rename } from './field/rename';
import { update as updateField } from './field/update';
import { create } from './grid/create';
import { createFromCsv } from './grid/createFromCsv';
import { deleteGrid } from './grid/delete';
import { exportCsv } from './grid/exportCsv';
import { get } from './grid/get';
import { getMany } from './grid/getMany';
import { getSchema } from './grid/getSchema';
import { getUpdates } from './grid/getUpdates';
import { update } from './grid/update';
import { create as createLink } from './publicLink/create';
import { deleteLink } from './publicLink/delete';
import { getMany as getLinks } from './publicLink/getMany';
import { create as createStatefulView } from './statefulView/create';
import { deleteStatefulView } from './statefulView/delete';
import { deleteShare } from './statefulView/deleteShare';
import { get as getStatefulView } from './statefulView/get';
import { getMany as getStatefulViews } from './statefulView/getMany';
import { getSchema as getStatefulViewSchema } from './statefulView/getSchema';
import { getShares } from './statefulView/getShares';
import { share } from './statefulView/share';
import { update as updateStatefulView } from './statefulView/update';
import { create as createView } from './view/create';
import { deleteView } from './view/delete';
import { get as getView } from './view/get';
import { getMany as getViews } from './view/getMany';
import { update as updateView } from './view/update';
import { updateFilter } from './view/updateFilter';

export const resources: readonly Resource[] = [
	{
		value: 'grid',
		name: 'Grid',
		description: 'A table',
		preferred: getMany,
		operations: [create, createFromCsv, deleteGrid, exportCsv, get, getMany, getSchema, getUpdates, update],
	},
	{
		value: 'field',
		name: 'Column',
		description: 'A column (field) of a grid',
		preferred: getFields,
		operations: [
			ensure,
			changeKey,
			changeType,
			createField,
			deleteField,
			getField,
			getFields,
			rename,
			updateField,
		],
	},
	{
		value: 'view',
		name: 'View',
		description: 'A saved selection of a grid: columns, filter and sort order',
		preferred: getViews,
		operations: [createView, deleteView, getView, getViews, updateView, updateFilter],
	},
	{
		value: 'statefulView',
		name: 'Stateful View',
		description: 'A presentation of a grid or view, such as a kanban board or a calendar',
		preferred: getStatefulViews,
		operations: [
			createStatefulView,
			deleteStatefulView,
			deleteShare,
			getStatefulView,
			getStatefulViews,
			getStatefulViewSchema,
			getShares,
			share,
			updateStatefulView,
		],
	},
	{
		value: 'publicLink',
		name: 'Public Link',
		description: 'A link to a form, rows or one row, for people without an account',
		preferred: getLinks,
		operations: [createLink, deleteLink, getLinks],
	},
];
