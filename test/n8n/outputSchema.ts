import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod/v4';

/**
 * The schema that n8n's editor offers for mapping before a node has run. n8n 2.41 looks for it at
 * `__schema__/v<major.minor.patch>/<resource>/<operation>.json` beside the built node.
 */
const FOLDERS = {
	entity: 'Entity',
	form: 'Form',
	grid: 'Grid',
	entityTrigger: 'EntityTrigger',
	publicLink: 'PublicLink',
	pushNotification: 'PushNotification',
	space: 'Space',
} as const;
const nodes = resolve(__dirname, '..', '..', 'nodes');

export interface OutputSchema {
	type?: string | undefined;
	properties?: Record<string, OutputSchema> | undefined;
	items?: OutputSchema | undefined;
}

const outputSchema: z.ZodType<OutputSchema> = z.object({
	type: z.string().optional(),
	get properties() {
		return z.record(z.string(), outputSchema).optional();
	},
	get items() {
		return outputSchema.optional();
	},
});

/** Deeper levels, such as block types, would only lengthen the list in the editor. */
const MAX_DEPTH = 4;

/**
 * Derives the schema of an output.
 * @param values values of one member in several items
 * @param omitted names and IDs of the grid's own columns
 */
export function schemaOf(values: readonly unknown[], omitted: ReadonlySet<string>, depth = 0): OutputSchema {
	const known = values.filter((value) => value !== null && value !== undefined);
	if (known.length === 0) return values.length > 0 ? { type: 'null' } : {};
	if (known.every((value) => Array.isArray(value)))
		return { type: 'array', items: schemaOf(known.flat(), omitted, depth) };
	const objects = z.array(z.record(z.string(), z.unknown())).safeParse(known);
	if (objects.success) {
		if (depth === MAX_DEPTH) return { type: 'object', properties: {} };
		const members = new Map<string, unknown[]>();
		for (const [name, value] of objects.data.flatMap(Object.entries<unknown>))
			if (!omitted.has(name)) members.set(name, [...(members.get(name) ?? []), value]);
		return {
			type: 'object',
			properties: Object.fromEntries(
				[...members].map(([name, held]) => [name, schemaOf(held, omitted, depth + 1)]),
			),
		};
	}
	const types = new Set(known.map((value) => (Array.isArray(value) ? 'array' : typeof value)));
	return types.size === 1 ? { type: [...types].join() } : {};
}

export interface OperationFile {
	node: keyof typeof FOLDERS;
	/** A node with one operation, such as the trigger, has neither resource nor operation. */
	resource?: string;
	operation?: string;
}

function fileOf({ node, resource, operation }: OperationFile): string {
	const chosen = node === 'pushNotification' ? [] : [resource, operation];
	const parts = ['v1.0.0', ...chosen].flatMap((part) => part ?? []);
	return `${join(nodes, FOLDERS[node], '__schema__', ...parts)}.json`;
}

/** Reads a schema of the package. @returns undefined if the operation has none */
export function publishedSchema(operation: OperationFile): OutputSchema | undefined {
	const file = fileOf(operation);
	if (!existsSync(file)) return undefined;
	return outputSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Writes the schema of an output; `FREEZE=1 npm run jest -- test/n8n` calls it. */
export function freezeSchema(operation: OperationFile, schema: OutputSchema): void {
	const file = fileOf(operation);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify({ ...schema, version: 1 }, null, 2)}\n`);
}
