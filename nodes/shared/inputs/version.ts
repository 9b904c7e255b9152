import type { Parameter } from './parameter';

/** Determines output and defaults of a node; saved workflows keep their version. */
export type NodeVersion = 1 | 2;

/** An input that only one version of a node has. */
export function inVersion<Value>(version: NodeVersion, input: Parameter<Value>): Parameter<Value> {
	const { property } = input;
	const { displayOptions } = property;
	const show = { ...displayOptions?.show, '@version': [version] };
	return { ...input, property: { ...property, displayOptions: { ...displayOptions, show } } };
}
