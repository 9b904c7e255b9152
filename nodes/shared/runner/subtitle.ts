import type { Resource } from './operation';

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

/**
 * The subtitle of the trigger, e.g. `Created, Updated · Orders`.
 * @param events the parameter that lists the kinds of change
 */
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
