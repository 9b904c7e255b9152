import type { INodeExecutionData, INodeType, INodeTypes } from 'n8n-workflow';
import { Entity } from '../../nodes/Entity/Entity.node.ts';
import { Grid } from '../../nodes/Grid/Grid.node.ts';
import { Form } from '../../nodes/Form/Form.node.ts';
import { EntityTrigger } from '../../nodes/EntityTrigger/EntityTrigger.node.ts';
import { PublicLink } from '../../nodes/PublicLink/PublicLink.node.ts';
import { PushNotification } from '../../nodes/PushNotification/PushNotification.node.ts';
import { Space } from '../../nodes/Space/Space.node.ts';
import { toolOf } from './tool';

/** The nodes of the package by their type names in workflows. */
const nodeTypesByName = new Map<string, INodeType>(
	Object.entries({
		'n8n-nodes-datagrid.entity': new Entity(),
		'n8n-nodes-datagrid.grid': new Grid(),
		'n8n-nodes-datagrid.form': new Form(),
		'n8n-nodes-datagrid.entityTrigger': new EntityTrigger(),
		'n8n-nodes-datagrid.publicLink': new PublicLink(),
		'n8n-nodes-datagrid.pushNotification': new PushNotification(),
		'n8n-nodes-datagrid.space': new Space(),
	}),
);

/** The nodes of the package. */
export const ownNodes: readonly INodeType[] = [...nodeTypesByName.values()];

/** The first node of a test workflow: outputs the items of the test. */
function itemsSource(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Items',
			name: 'items',
			group: ['trigger'],
			version: 1,
			description: 'Outputs the items of a test',
			defaults: { name: 'Items' },
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		execute: () => Promise.resolve([items]),
	};
}

/** @throws Error for a type that no node has */
export function nodeTypeNamed(name: string): INodeType {
	const type = nodeTypesByName.get(name);
	if (!type) throw new Error(`No node type ${name}: add it to testbed/engine/nodeTypes.ts`);
	return type;
}

/** Registry of node types for n8n's engine. @param items output of the first node */
export function typesWith(items: INodeExecutionData[]): INodeTypes {
	const find = (name: string): INodeType => {
		if (name === 'test.items') return itemsSource(items);
		const type = nodeTypeNamed(name.replace(/Tool$/, ''));
		return name.endsWith('Tool') ? toolOf(type) : type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

/** Makes another node known, e.g. one that a benchmark compares. */
export function addNodeType(name: string, type: INodeType): void {
	nodeTypesByName.set(name, type);
}
