import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { Form } from '../../../nodes/Form/Form.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { PublicLink } from '../../../nodes/PublicLink/PublicLink.node';
import { PushNotification } from '../../../nodes/PushNotification/PushNotification.node';
import { Space } from '../../../nodes/Space/Space.node';
import type { OperationCase } from './case';
import { entityCases } from './entity';
import { formCases } from './form';
import { gridCases } from './grid';
import { publicLinkCases } from './publicLink';
import { pushNotificationCases } from './pushNotification';
import { spaceCases } from './space';
import type { OperationName } from '../../../testbed/world/call';

const cases = {
	entity: entityCases,
	form: formCases,
	grid: gridCases,
	publicLink: publicLinkCases,
	pushNotification: pushNotificationCases,
	space: spaceCases,
};
const nodes = {
	entity: new Entity(),
	form: new Form(),
	grid: new Grid(),
	publicLink: new PublicLink(),
	pushNotification: new PushNotification(),
	space: new Space(),
} as const;
const NODES = ['entity', 'form', 'grid', 'publicLink', 'pushNotification', 'space'] as const;

/** An operation from the description of a node, with the inputs that are shown for it. */
export interface Offered extends OperationName {
	title: string;
	/** Label of the resource. */
	resourceName: string;
	option: INodePropertyOptions;
	properties: INodeProperties[];
}

/** The choices of an `options` property. */
function choicesOf(property: INodeProperties): INodePropertyOptions[] {
	return (property.options ?? []).flatMap((option) => ('value' in option ? [option] : []));
}

const shownFor = ({ displayOptions }: INodeProperties, name: string, value: unknown) =>
	(displayOptions?.show?.[name] ?? []).some((shown) => shown === value);

/** The only operation of a node on which nothing has to be chosen. */
function onlyOperation({ properties, description }: INodeTypeDescription): Offered {
	const option = { name: 'Send', value: 'send', action: 'Send push notification', description };
	const named = { node: 'pushNotification', resource: 'notification', operation: 'send' } as const;
	return {
		...named,
		title: 'pushNotification → notification.send',
		resourceName: 'Inputs',
		option,
		properties,
	};
}

function offeredBy(node: OperationName['node']): Offered[] {
	const { description } = nodes[node];
	const { properties } = description;
	if (node === 'pushNotification') return [onlyOperation(description)];
	return properties
		.filter(({ name }) => name === 'resource')
		.flatMap(choicesOf)
		.flatMap((resource) =>
			properties
				.filter((property) => property.name === 'operation' && shownFor(property, 'resource', resource.value))
				.flatMap(choicesOf)
				.map((option) => ({
					node,
					resource: String(resource.value),
					resourceName: resource.name,
					operation: String(option.value),
					title: `${node} → ${String(resource.value)}.${String(option.value)}`,
					option,
					properties: properties.filter(
						(property) =>
							shownFor(property, 'resource', resource.value) && shownFor(property, 'operation', option.value),
					),
				})),
		);
}

/** All operations, read from the descriptions of the nodes. */
export const offered: Offered[] = NODES.flatMap(offeredBy);

/** Cases for `test.each` with the titles of operations. */
export const withTitles = (operations: readonly Offered[]) =>
	operations.map((operation): [string, Offered] => [operation.title, operation]);

/** Returns the case of an operation. @throws if a new operation has none */
export function caseOf({ node, resource, operation, title }: Offered): OperationCase {
	const found = cases[node][resource]?.[operation];
	if (!found) throw new Error(`${title} has no case: add one to test/n8n/cases/${node}.ts`);
	return found;
}

/** Returns the cases whose operation no node has. */
export function orphans(): string[] {
	const known = new Set(offered.map(({ node, resource, operation }) => `${node}.${resource}.${operation}`));
	return Object.entries(cases).flatMap(([node, resources]) =>
		Object.entries(resources)
			.flatMap(([resource, operations]) =>
				Object.keys(operations).map((operation) => `${node}.${resource}.${operation}`),
			)
			.filter((name) => !known.has(name)),
	);
}
