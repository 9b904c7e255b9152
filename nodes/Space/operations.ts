import type { Resource } from '../shared/operation';
import { create as createAccessKey } from './accessKey/create';
import { deleteAccessKey } from './accessKey/delete';
import { getMany as getManyAccessKeys } from './accessKey/getMany';
import { create as createInvitation } from './invitation/create';
import { getMany as getManyInvitations } from './invitation/getMany';
import { send } from './notification/send';
import { getBlockTypes } from './service/getBlockTypes';
import { getCurrentUser } from './service/getCurrentUser';
import { getFieldTypes } from './service/getFieldTypes';
import { getFlowNodeTypes } from './service/getFlowNodeTypes';
import { getVersion } from './service/getVersion';
import { create as createShare } from './share/create';
import { getMany as getManyShares } from './share/getMany';
import { copy } from './space/copy';
import { create } from './space/create';
import { deleteSpace } from './space/delete';
import { get } from './space/get';
import { getMany } from './space/getMany';
import { getResources } from './space/getResources';
import { update } from './space/update';

export const resources: readonly Resource[] = [
	{
		value: 'accessKey',
		name: 'Access Key',
		operations: [createAccessKey, deleteAccessKey, getManyAccessKeys],
	},
	{ value: 'invitation', name: 'Invitation', operations: [createInvitation, getManyInvitations] },
	{ value: 'notification', name: 'Notification', operations: [send] },
	{
		value: 'service',
		name: 'Service',
		operations: [getBlockTypes, getCurrentUser, getFieldTypes, getFlowNodeTypes, getVersion],
	},
	{ value: 'share', name: 'Share', operations: [createShare, getManyShares] },
	{
		value: 'space',
		name: 'Space',
		operations: [copy, create, deleteSpace, get, getMany, getResources, update],
	},
];
