import type { Resource } from '../shared/runner/operation';
import { exportFile } from './bulk/exportFile';
import { sync } from './bulk/sync';
import { syncFile } from './bulk/syncFile';
import { count } from './entity/count';
import { create } from './entity/create';
import { deleteEntity } from './entity/delete';
import { deleteMany } from './entity/deleteMany';
import { get } from './entity/get';
import { getMany } from './entity/getMany';
import { lookUp } from './entity/lookUp';
import { search } from './entity/search';
import { update } from './entity/update';
import { updateMany } from './entity/updateMany';
import { upsert } from './entity/upsert';
import { getMany as getHistory } from './history/getMany';
import { restore } from './history/restore';

export const resources: readonly Resource[] = [
	{
		value: 'entity',
		name: 'Entity',
		description: 'A row of a grid',
		operations: [
			count,
			create,
			upsert,
			deleteEntity,
			deleteMany,
			get,
			getMany,
			lookUp,
			search,
			update,
			updateMany,
		],
		preferred: create,
	},
	{
		value: 'history',
		name: 'History',
		description: 'The changes of a row: list them, or restore earlier values',
		operations: [getHistory, restore],
	},
	{
		value: 'bulk',
		name: 'Whole Grid',
		description: 'All rows of a grid together: sync them with items or a file, or export them',
		operations: [exportFile, sync, syncFile],
		preferred: sync,
	},
];
