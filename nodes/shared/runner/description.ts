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

/**
 * The subtitle of a node on the canvas: the operation, and the name of its grid or space, e.g.
 * `Create or Update · Orders`.
 * @param unnamed resources that are left out, because the names of their operations suffice
 */
export function subtitleOf(resources: readonly Resource[], ...unnamed: string[]): string {
	const labels = resources.flatMap(({ value, name, operations }) =>
		operations.map((operation) => [
			`${value}.${operation.value}`,
			unnamed.includes(value) ? operation.name : `${name}: ${operation.name}`,
		]),
	);
	const does = `(${JSON.stringify(Object.fromEntries(labels))})[$parameter.resource + "." + $parameter.operation]`;
	return withGrid(`${does} ?? $parameter.operation`);
}

/** The trigger's subtitle, e.g. `Created, Updated · Orders`. @param events kinds of change */
export function triggerSubtitle(events: string): string {
	const kinds = `$parameter[${JSON.stringify(events)}]`;
	const names = `({ entered: "Enters View", left: "Leaves View" })`;
	const named = `${kinds}.map((kind) => ${names}[kind] ?? kind[0].toUpperCase() + kind.slice(1)).join(", ")`;
	const becomes = `$parameter.options?.becomes?.to?.values`;
	const value = `${becomes}?.length ? "Becomes " + ${becomes}.join(", ")`;
	const isAny = `["created", "updated", "deleted"].every((kind) => ${kinds}.includes(kind))`;
	// The canvas cuts a subtitle after about 25 characters: three kinds would hide the grid's name.
	return withGrid(`${value} : ${isAny} ? "Any Change" : ${named}`);
}

/** @param does the expression that yields the text before the grid's name */
function withGrid(does: string): string {
	// `$parameter.grid` is only the id; its name is in the stored parameters.
	const stored = 'JSON.parse(JSON.stringify($parameter))';
	const name = `(${stored}.grid?.cachedResultName || ${stored}.space?.cachedResultName)`;
	return `={{ [${does}, ${name}].filter(Boolean).join(" · ") }}`;
}

declare module 'n8n-workflow' {
	interface INodeTypeDescription {
		/** What n8n's AI builder reads about a node; n8n 2.41 has it, the types used here do not. */
		builderHint?: BuilderHint;
	}
	interface INodeProperties {
		/** What n8n's AI builder reads about an input. */
		builderHint?: { propertyHint: string };
	}
}

interface BuilderHint {
	/** Shown with the node in the results of a search. */
	searchHint: string;
	/** Nodes that are found together with this one. */
	relatedNodes: Array<{ nodeType: string; relationHint: string }>;
}

const RELATIONS = {
	entity: 'Reads, writes and synchronizes the rows of a grid',
	form: 'Submits rows through a form',
	grid: 'Creates grids, changes columns and views, imports and exports CSV files',
	publicLink: 'Opens public links to forms, views and rows without an account',
	entityTrigger: 'Starts the workflow when rows are created, updated or deleted',
	space: 'Creates spaces, which contain the grids, and shares them',
};

/** @param related names of nodes of this package that belong in the same workflows */
export function builderHint(searchHint: string, related: ReadonlyArray<keyof typeof RELATIONS>): BuilderHint {
	return {
		searchHint,
		relatedNodes: related.map((name) => ({
			nodeType: `n8n-nodes-datagrid.${name}`,
			relationHint: RELATIONS[name],
		})),
	};
}
