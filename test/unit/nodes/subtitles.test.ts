import type { INodeParameters, INodeType } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { PublicLink } from '../../../nodes/PublicLink/PublicLink.node';
import { PushNotification } from '../../../nodes/PushNotification/PushNotification.node';
import { Space } from '../../../nodes/Space/Space.node';
import { evaluateNodeExpression } from '../../fixtures/nodeExpression';

const picked = (cachedResultName: string) => ({ __rl: true, mode: 'list', value: 's1/g1', cachedResultName });
const grid = picked('Orders');
const space = picked('Operations');
const byId = { __rl: true, mode: 'id', value: 's1/g1' };

const trigger = new EntityTrigger();
const entity = new Entity();

test.each<[string, INodeType, INodeParameters]>([
	['Any Change · Orders', trigger, { events: ['created', 'updated', 'deleted'], space, grid }],
	['Created, Deleted · Orders', trigger, { events: ['created', 'deleted'], space, grid }],
	['Updated', trigger, { events: ['updated'], grid: byId }],
	['Create or Update · Orders', entity, { resource: 'entity', operation: 'upsert', space, grid }],
	['Import From File · Orders', entity, { resource: 'entity', operation: 'importFile', space, grid }],
	['History: Restore · Orders', entity, { resource: 'history', operation: 'restore', space, grid }],
	['Create · Operations', new Grid(), { resource: 'grid', operation: 'create', space }],
	['Delete · Operations', new Space(), { resource: 'space', operation: 'delete', space }],
	['Form: Submit', new PublicLink(), { resource: 'form', operation: 'submit' }],
	['New order', new PushNotification(), { title: 'New order' }],
])('the subtitle is "%s"', (subtitle, node, parameters) => {
	expect(evaluateNodeExpression(node, parameters, node.description.subtitle ?? '')).toBe(subtitle);
});
