import type { INodeProperties, INodePropertyOptions, NodeHint } from 'n8n-workflow';
import type { Resource } from './operation';

declare module 'n8n-workflow' {
	interface INodeTypeDescription {
		/** Members of the output that n8n should not show; n8n 2.41 reads but ignores this setting. */
		sensitiveOutputFields?: string[];
	}
}

/**
 * The properties of a node: resource, operation, then each operation's inputs, shown only for that
 * operation.
 * @param preferred value of the default resource; the first if omitted
 */
export function describeOperations(
	resources: readonly Resource[],
	preferred = resources[0]?.value ?? '',
): INodeProperties[] {
	return [
		resourceChoice(resources, preferred),
		...resources.map(operationChoice),
		...resources.flatMap(inputsOf),
	];
}

/** Resource and operation decide which inputs exist, so they cannot be expressions. */
const fixedChoice = { type: 'options', noDataExpression: true } as const;

function resourceChoice(resources: readonly Resource[], preferred: string): INodeProperties {
	return {
		...fixedChoice,
		displayName: 'Resource',
		name: 'resource',
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: preferred,
	};
}

function operationChoice(resource: Resource): INodeProperties {
	const options: INodePropertyOptions[] = resource.operations.map(({ name, value, action, description }) => ({
		name,
		value,
		action,
		description,
	}));
	return {
		...fixedChoice,
		displayName: 'Operation',
		name: 'operation',
		displayOptions: { show: { resource: [resource.value] } },
		options,
		default: (resource.preferred ?? resource.operations[0])?.value ?? '',
	};
}

function inputsOf(resource: Resource): INodeProperties[] {
	return resource.operations.flatMap((operation) =>
		operation.fields.map(({ property }) => ({
			...property,
			displayOptions: {
				...property.displayOptions,
				// n8n stops at the first value that is an expression, and shows the input.
				show: {
					resource: [resource.value],
					operation: [operation.value],
					...property.displayOptions?.show,
				},
			},
		})),
	);
}

/**
 * The hints of a node, each shown only for its operation. The editor shows none whose condition is
 * not a boolean or throws, e.g. because an input is an expression without data.
 */
export function hintsBeforeRun(resources: readonly Resource[]): NodeHint[] {
	return resources.flatMap((resource) =>
		resource.operations.flatMap(({ value, hintsBeforeRun: hints = [] }) =>
			hints.map(({ type, when, message }): NodeHint => {
				const isChosen = `$parameter.resource === "${resource.value}" && $parameter.operation === "${value}"`;
				return {
					type,
					message,
					displayCondition: `={{ ${isChosen} && Boolean(${when}) }}`,
					whenToDisplay: 'beforeExecution',
					location: 'outputPane',
				};
			}),
		),
	);
}
