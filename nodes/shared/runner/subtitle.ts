import type { Resource } from './operation';

/**
 * What stands under a node in the canvas: what it does, and to which grid (else to which space),
 * e.g. `Create or Update · Orders`.
 * @param preferred the resource that needs no mention
 */
export function subtitleOf(resources: readonly Resource[], preferred: string): string {
	const labels = resources.flatMap(({ value, name, operations }) =>
		operations.map((operation) => [
			`${value}.${operation.value}`,
			value === preferred ? operation.name : `${name}: ${operation.name}`,
		]),
	);
	const does = `(${JSON.stringify(Object.fromEntries(labels))})[$parameter.resource + "." + $parameter.operation]`;
	// `$parameter.grid` is the id that a picker holds; the name beside it is only in the parameters
	// as they are written down.
	const held = 'JSON.parse(JSON.stringify($parameter))';
	const named = `(${held}.grid?.cachedResultName || ${held}.space?.cachedResultName)`;
	return `={{ [${does} ?? $parameter.operation, ${named}].filter(Boolean).join(" · ") }}`;
}
