import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { requireDefined } from './parameter';
import { VALUE_FROM } from './selection/valueFrom';

/** The value of an input for an item, as the engine resolves it. */
export type RawValue = (property: INodeProperties, itemIndex: number) => unknown;

/**
 * Reads the values of a node's inputs. Inputs without expressions are resolved once for all items,
 * because resolving them for each item would dominate the run time.
 * @throws InvalidInput if an expression returns undefined
 */
export function rawValues(node: IExecuteFunctions): RawValue {
	const { parameters } = node.getNode();
	const fixed = new Map<string, unknown>();
	return (property, itemIndex) => {
		const { name } = property;
		if (fixed.has(name)) return fixed.get(name);
		const raw = node.getNodeParameter(name, itemIndex, property.default);
		requireDefined(property, raw);
		if (!holdsExpression(parameters[name])) fixed.set(name, raw);
		return raw;
	};
}

/** In n8n, expressions start with an equals sign. */
export function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=') && value !== VALUE_FROM;
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
