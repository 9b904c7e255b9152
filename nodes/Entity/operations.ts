import type { Resource } from '../shared/operation';
import { create } from './entity/create';
import { deleteEntity } from './entity/delete';
import { get } from './entity/get';
import { getMany } from './entity/getMany';
import { update } from './entity/update';

export const resources: readonly Resource[] = [
	{ value: 'entity', name: 'Entity', operations: [create, deleteEntity, get, getMany, update] },
];
