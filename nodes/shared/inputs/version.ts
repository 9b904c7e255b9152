import type { Parameter } from './parameter';

/** What a node outputs and stores by default, by its version; saved workflows keep theirs. */
export type NodeVersion = 1 | 2;

/** An input that only one version of a node shows. */
export function inVersion<Value>(version: NodeVersion, input: Parameter<Value>): Parameter<Value> {
	const { property } = input;
	const { displayOptions } = property;
	const show = { ...displayOptions?.show, '@version': [version] };
	return { ...input, property: { ...property, displayOptions: { ...displayOptions, show } } };
}
