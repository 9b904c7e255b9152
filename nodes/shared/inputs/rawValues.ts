import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { refuseHoles } from './parameter';

/** The value of an input for an item, as the engine resolves it. */
export type RawValue = (property: INodeProperties, itemIndex: number) => unknown;

/**
 * Reads the values of a node's inputs. What holds no expression is the same for all items, so the engine is asked for it once: for
 * thousands of items it takes longer to resolve what there is nothing to resolve in than all else.
 * @throws InvalidInput where an expression yields nothing
 */
export function rawValues(node: IExecuteFunctions): RawValue {
	const { parameters } = node.getNode();
	const fixed = new Map<string, unknown>();
	return (property, itemIndex) => {
		const { name } = property;
		if (fixed.has(name)) return fixed.get(name);
		const raw = node.getNodeParameter(name, itemIndex, property.default);
		refuseHoles(property, raw);
		if (!holdsExpression(parameters[name])) fixed.set(name, raw);
		return raw;
	};
}

/** n8n marks an expression by an equals sign before it. */
function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
