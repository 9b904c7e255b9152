import type { Resource } from '../shared/runner/operation';
import { create as createAccessKey } from './accessKey/create';
import { deleteAccessKey } from './accessKey/delete';
import { getMany as getManyAccessKeys } from './accessKey/getMany';
import { create as createInvitation } from './invitation/create';
import { deleteInvitation } from './invitation/delete';
import { getMany as getManyInvitations } from './invitation/getMany';
import { send } from './notification/send';
import { getBlockTypes } from './service/getBlockTypes';
import { getCurrentUser } from './service/getCurrentUser';
import { getFieldTypes } from './service/getFieldTypes';
import { getFlowNodeTypes } from './service/getFlowNodeTypes';
import { getVersion } from './service/getVersion';
import { create as createShare } from './share/create';
import { deleteShare } from './share/delete';
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
		description: 'A key and secret for integrations such as n8n',
		preferred: getManyAccessKeys,
		operations: [createAccessKey, deleteAccessKey, getManyAccessKeys],
	},
	{
		value: 'invitation',
		name: 'Invitation',
		description: 'A share of a space, sent to a person by email',
		operations: [createInvitation, deleteInvitation, getManyInvitations],
	},
	{
		value: 'notification',
		name: 'Notification',
		description: 'A push notification to users of the app',
		operations: [send],
	},
	{
		value: 'service',
		name: 'Service',
		description: 'Information about the service and your account',
		preferred: getCurrentUser,
		operations: [getBlockTypes, getCurrentUser, getFieldTypes, getFlowNodeTypes, getVersion],
	},
	{
		value: 'share',
		name: 'Share',
		description: 'Access of another person to a space, granted without an email',
		operations: [createShare, deleteShare, getManyShares],
	},
	{
		value: 'space',
		name: 'Space',
		description: 'A container for grids',
		preferred: getMany,
		operations: [copy, create, deleteSpace, get, getMany, getResources, update],
	},
];
