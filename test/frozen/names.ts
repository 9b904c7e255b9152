import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod/v4';

/** What a saved workflow relies on for one parameter. */
const parameterSchema = z.object({
	type: z.string(),
	default: z.unknown(),
	/** Option values, or the modes of a resource locator. */
	values: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
});
type FrozenParameter = z.infer<typeof parameterSchema>;

const typeSchema = z.object({
	version: z.number(),
	/** By `resource.operation.parameter`, or `parameter` where it stands under no operation. */
	parameters: z.record(z.string(), parameterSchema),
});
export type FrozenType = z.infer<typeof typeSchema>;

/** By node or credential type. */
export const frozenSchema = z.record(z.string(), typeSchema);
export type Frozen = z.infer<typeof frozenSchema>;

const namesSchema = z.array(z.string());

/** The frozen names of a node. */
export function frozenNode({ version, properties }: INodeTypeDescription): FrozenType {
	return {
		version: z.number().parse(version),
		parameters: sorted(properties.flatMap((property) => entriesOf(property))),
	};
}

/** The frozen names of a credential. */
export function frozenCredential({ properties }: ICredentialType): FrozenType {
	return { version: 1, parameters: sorted(properties.flatMap((property) => entriesOf(property))) };
}

type Entry = [string, FrozenParameter];

/** Notices carry no value, so nothing is stored under their names. */
function entriesOf(property: INodeProperties, parent?: string): Entry[] {
	if (property.type === 'notice') return [];
	const shown = parent === undefined ? property.displayOptions?.show : undefined;
	// The same parameter may stand twice: as a tool of an AI agent it may begin with another value.
	const own = shown?.['@tool'] ? `${property.name} (tool)` : property.name;
	const path = parent === undefined ? own : `${parent}.${property.name}`;
	const resources = namesSchema.parse(shown?.resource ?? []);
	const operations = namesSchema.parse(shown?.operation ?? []);
	const owners = resources.flatMap((resource) => operations.map((operation) => `${resource}.${operation}.`));
	// The choice of an operation is shown for a resource alone.
	const choosing = resources.length > 0 ? resources.map((resource) => `${resource}.`) : [''];
	const prefixes = owners.length > 0 ? owners : choosing;
	return prefixes.flatMap((prefix) => [
		[prefix + path, parameterOf(property)] satisfies Entry,
		...nestedOf(property).flatMap((nested) => entriesOf(nested, prefix + path)),
	]);
}

function parameterOf({ type, default: value, options = [], modes = [] }: INodeProperties): FrozenParameter {
	const values = [
		...options.flatMap((option) => ('value' in option ? [option.value] : [])),
		...modes.map(({ name }) => name),
	];
	return { type, default: value, ...(values.length > 0 ? { values } : {}) };
}

/** Parameters inside a collection, or inside a fixed collection under the names of its groups. */
function nestedOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		if ('values' in option)
			return option.values.map((nested) => ({ ...nested, name: `${option.name}.${nested.name}` }));
		return 'type' in option ? [option] : [];
	});
}

const sorted = (entries: Entry[]) =>
	Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));

/**
 * Lists what a saved workflow would no longer find.
 * @returns sentences, none if everything frozen is still there
 */
export function broken(frozen: Frozen, current: Frozen): string[] {
	return Object.entries(frozen).flatMap(([type, { version, parameters }]) => {
		const now = current[type];
		if (!now) return [`${type} is gone`];
		return [
			...(now.version === version ? [] : [`${type}: version ${version} is gone`]),
			...Object.entries(parameters).flatMap(([name, was]) =>
				changes(was, now.parameters[name]).map((change) => `${type}: ${name} ${change}`),
			),
		];
	});
}

function changes(was: FrozenParameter, is: FrozenParameter | undefined): string[] {
	if (!is) return ['is gone'];
	const said = (value: unknown) => (value === undefined ? 'undefined' : JSON.stringify(value));
	return [
		...(is.type === was.type ? [] : [`was of type ${was.type} and is ${is.type}`]),
		...(said(is.default) === said(was.default)
			? []
			: [`had the default ${said(was.default)} and has ${said(is.default)}`]),
		...(was.values ?? [])
			.filter((value) => !(is.values ?? []).includes(value))
			.map((value) => `lacks the value ${said(value)}`),
	];
}
