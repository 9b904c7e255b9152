import type { Resource } from '../shared/runner/operation';
import { create as createBoard } from './board/create';
import { deleteBoard } from './board/delete';
import { get as getBoard } from './board/get';
import { getMany as getBoards } from './board/getMany';
import { update as updateBoard } from './board/update';
import { create as createField } from './field/create';
import { deleteField } from './field/delete';
import { ensure } from './field/ensure';
import { get as getField } from './field/get';
import { getMany as getFields } from './field/getMany';
import { update as updateField } from './field/update';
import { create } from './grid/create';
import { createFromCsv } from './grid/createFromCsv';
import { deleteGrid } from './grid/delete';
import { get } from './grid/get';
import { getMany } from './grid/getMany';
import { update } from './grid/update';
import { create as createShare } from './share/create';
import { deleteShare } from './share/delete';
import { getMany as getShares } from './share/getMany';
import { create as createView } from './view/create';
import { deleteView } from './view/delete';
import { get as getView } from './view/get';
import { getMany as getViews } from './view/getMany';
import { update as updateView } from './view/update';

export const resources: readonly Resource[] = [
	{
		value: 'grid',
		name: 'Grid',
		description: 'A table',
		preferred: getMany,
		operations: [create, createFromCsv, deleteGrid, get, getMany, update],
	},
	{
		value: 'field',
		name: 'Column',
		description: 'A column of a grid',
		preferred: getFields,
		operations: [ensure, createField, deleteField, getField, getFields, updateField],
	},
	{
		value: 'view',
		name: 'View',
		description: 'A saved selection of a grid: columns, filter and sort order',
		preferred: getViews,
		operations: [createView, deleteView, getView, getViews, updateView],
	},
	{
		value: 'board',
		name: 'Board or Calendar',
		description: 'The rows of a grid or view as cards in lanes, or on the days of a calendar',
		preferred: getBoards,
		operations: [createBoard, deleteBoard, getBoard, getBoards, updateBoard],
	},
	{
		value: 'share',
		name: 'Share',
		description: 'Access of a person to a board or calendar',
		preferred: getShares,
		operations: [createShare, deleteShare, getShares],
	},
];
