import type { Resource } from '../shared/runner/operation';
import { count } from './entity/count';
import { create } from './entity/create';
import { deleteEntity } from './entity/delete';
import { deleteMany } from './entity/deleteMany';
import { exportRows } from './entity/export';
import { get } from './entity/get';
import { getMany } from './entity/getMany';
import { importFile } from './entity/importFile';
import { lookUp } from './entity/lookUp';
import { sync } from './entity/sync';
import { update } from './entity/update';
import { updateMany } from './entity/updateMany';
import { upsert } from './entity/upsert';
import { confirmChanges } from './history/confirmChanges';
import { getChanges } from './history/getChanges';
import { getMany as getHistory } from './history/getMany';
import { restore } from './history/restore';
import { undo } from './history/undo';

export const resources: readonly Resource[] = [
	{
		value: 'entity',
		name: 'Row',
		description: 'The rows of a grid (table)',
		operations: [
			count,
			create,
			upsert,
			deleteEntity,
			deleteMany,
			exportRows,
			get,
			getMany,
			importFile,
			lookUp,
			sync,
			update,
			updateMany,
		],
		preferred: getMany,
	},
	{
		value: 'history',
		name: 'History',
		description: 'What changed in the rows: list it, or restore earlier values',
		operations: [confirmChanges, getChanges, getHistory, restore, undo],
		preferred: getHistory,
	},
];
