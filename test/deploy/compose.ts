import { parse } from 'yaml';
import { z } from 'zod/v4';

const wordsSchema = z
	.union([z.string(), z.array(z.string())])
	.transform((words) => (typeof words === 'string' ? words.split(' ') : words));

const serviceSchema = z.object({
	image: z.string().optional(),
	build: z.object({ context: z.string(), target: z.string() }).optional(),
	entrypoint: wordsSchema.default([]),
	command: wordsSchema.default([]),
	user: z.string().optional(),
	env_file: z.string().optional(),
	environment: z.record(z.string(), z.string()).default({}),
	depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
	healthcheck: z.object({ test: z.array(z.string()), interval: z.string(), retries: z.number() }).optional(),
	ports: z.array(z.string()).default([]),
	volumes: z.array(z.string()).default([]),
	networks: z.array(z.string()).default([]),
	restart: z.string().optional(),
	deploy: z.object({ replicas: z.number() }).optional(),
	read_only: z.boolean().default(false),
	tmpfs: z.array(z.string()).default([]),
	cap_drop: z.array(z.string()).default([]),
	stop_grace_period: z.string().default('10s'),
});

const composeSchema = z.object({
	services: z.record(z.string(), serviceSchema),
	networks: z
		.record(z.string(), z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }) }))
		.default({}),
	volumes: z.record(z.string(), z.null()),
});
export type Compose = z.infer<typeof composeSchema>;
type Service = z.infer<typeof serviceSchema>;

/**
 * Content of a Compose file, with its merges carried out and each value on its own, without the
 * members that only other places merge.
 */
export function contentOf(text: string): unknown {
	const content: unknown = parse(text, { merge: true });
	return JSON.parse(
		JSON.stringify(content, (key, value: unknown) => (key.startsWith('x-') ? undefined : value)),
	);
}

export const composeIn = (content: unknown): Compose => composeSchema.parse(content);

/** @throws if the file has no service with this name */
export function serviceOf({ services }: Compose, name: string): Service {
	const service = services[name];
	if (!service) throw new Error(`There is no service "${name}"`);
	return service;
}

/** What a service has mounted at a folder: a volume or a file, and `ro` if it only reads. */
export function mountAt(compose: Compose, name: string, folder: string): string | undefined {
	const mounts = serviceOf(compose, name).volumes.map((mount) => mount.split(':'));
	const [source, , ...rest] = mounts.find(([, path]) => path === folder) ?? [];
	return source === undefined ? undefined : [source, ...rest].join(' ');
}

/** Value of an option in a command, as `--name value` or `--name=value`. */
export function optionOf({ command }: Service, name: string): string | undefined {
	const at = command.findIndex((word) => word === name || word.startsWith(`${name}=`));
	return at < 0 || command[at] === name ? command[at + 1] : command[at]?.slice(name.length + 1);
}

/** Variables that a text takes from its surroundings, such as `${N8N_HOST:?Set it}`. */
export const variablesIn = (text: string): string[] =>
	[...text.matchAll(/\$\{([A-Z0-9_]+)[:}]/g)].map(([, name = '']) => name);

type Key = string | number;

const isRecord = (value: unknown): value is Record<Key, unknown> =>
	typeof value === 'object' && value !== null;

/** Paths of all texts, numbers and switches in a content, as keys. */
function placesIn(content: unknown, path: readonly Key[] = []): Array<readonly Key[]> {
	if (Array.isArray(content)) return content.flatMap((value, at) => placesIn(value, [...path, at]));
	if (!isRecord(content)) return [path];
	return Object.keys(content).flatMap((key) => placesIn(content[key], [...path, key]));
}

/** The content with another value at a place, or without it. */
function changed(
	content: unknown,
	[key, ...rest]: readonly Key[],
	change: (value: unknown) => unknown,
): unknown {
	if (key === undefined) return change(content);
	const inner = isRecord(content) ? changed(content[key], rest, change) : undefined;
	if (Array.isArray(content)) {
		const items: unknown[] = content;
		return items.flatMap((item, at) => (at !== key ? [item] : inner === undefined ? [] : [inner]));
	}
	return { ...(isRecord(content) ? content : {}), [key]: inner };
}

/** Breaks one value: leaves it out, or makes it another one. */
const BREAKS: ReadonlyArray<(value: unknown) => unknown> = [
	() => undefined,
	(value) => (typeof value === 'string' ? `${value}x` : value === null ? 'x' : !value),
	(value) => (typeof value === 'string' ? `x${value}` : undefined),
];

/** A place of a Compose file, and the file with that place broken in each way. */
export function brokenOnes(content: unknown): Array<{ place: string; variants: unknown[] }> {
	return placesIn(content).map((path) => ({
		place: path.join('.'),
		variants: BREAKS.map((change) => changed(content, path, change)),
	}));
}
