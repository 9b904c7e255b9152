import type { Resource } from '../shared/operation';
import { create } from './entity/create';
import { deleteEntity } from './entity/delete';
import { get } from './entity/get';
import { getMany } from './entity/getMany';
import { search } from './entity/search';
import { update } from './entity/update';
import { upsert } from './entity/upsert';

export const resources: readonly Resource[] = [
	{
		value: 'entity',
		name: 'Entity',
		operations: [create, upsert, deleteEntity, get, getMany, search, update],
	},
];
