import type { Resource } from '../shared/runner/operation';
import { create as createAccessKey } from './accessKey/create';
import { deleteAccessKey } from './accessKey/delete';
import { getMany as getManyAccessKeys } from './accessKey/getMany';
import { getInfo } from './service/getInfo';
import { create as createShare } from './share/create';
import { deleteShare } from './share/delete';
import { getMany as getManyShares } from './share/getMany';
import { copy } from './space/copy';
import { create } from './space/create';
import { deleteSpace } from './space/delete';
import { get } from './space/get';
import { getMany } from './space/getMany';
import { update } from './space/update';

export const resources: readonly Resource[] = [
	{
		value: 'accessKey',
		name: 'Access Key',
		description: 'A key and secret for integrations such as n8n',
		preferred: getManyAccessKeys,
		operations: [createAccessKey, deleteAccessKey, getManyAccessKeys],
	},
	{
		value: 'service',
		name: 'Service',
		description: 'Information about the service and your account',
		operations: [getInfo],
	},
	{
		value: 'share',
		name: 'Share',
		description: 'Access of another person to a space, with or without an email',
		operations: [createShare, deleteShare, getManyShares],
	},
	{
		value: 'space',
		name: 'Space',
		description: 'A container for grids',
		preferred: getMany,
		operations: [copy, create, deleteSpace, get, getMany, update],
	},
];
