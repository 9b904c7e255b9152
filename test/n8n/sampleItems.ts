import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod/v4';
import type { OperationFile } from './outputSchema';

/**
 * One item in and one item out of each operation, as its case runs it. The pages in docs/nodes show
 * them.
 */
const file = resolve(__dirname, '..', 'frozen', 'items.json');

const itemSchema = z.record(z.string(), z.unknown());
const sampleSchema = z.object({ input: itemSchema.optional(), output: itemSchema });
const samplesSchema = z.record(z.string(), sampleSchema);
export type SampleItems = z.infer<typeof sampleSchema>;

const MAX_MEMBERS = 8;
const MAX_TEXT = 48;
const MAX_DEPTH = 2;

const nameOf = ({ node, resource = '', operation = '' }: OperationFile) =>
	[node, resource, operation].join('/');

/** What differs from run to run, and what stands for it. */
const VARIABLE: ReadonlyArray<readonly [RegExp, string]> = [
	[/\b[0-9a-f]{24}\b/g, '6710f0a1'],
	[/\bf[0-9a-f]{9}\b/g, 'f1'],
	[/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '2026-03-01T09:30:00.000Z'],
	[/http:\/\/127\.0\.0\.1:\d+/g, 'https://grids.example.com'],
	[/[\w-]{22,}/g, '…'],
];

function stable(value: unknown, depth: number): unknown {
	if (typeof value === 'string') {
		const text = VARIABLE.reduce((rest, [pattern, shown]) => rest.replace(pattern, shown), value);
		return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
	}
	if (Array.isArray(value)) return value.slice(0, 1).map((one: unknown) => stable(one, depth));
	const members = itemSchema.safeParse(value).data;
	if (!members) return value;
	return depth === MAX_DEPTH ? '…' : shortened(members, depth + 1);
}

/** The first members of an item, without links. */
const shortened = (item: Record<string, unknown>, depth = 0) =>
	Object.fromEntries(
		Object.entries(item)
			.filter(([name]) => name !== '_links')
			.slice(0, MAX_MEMBERS)
			.map(([name, value]) => [name, stable(value, depth)] as const),
	);

/** A binary field is shown by the name of its file. */
function shownInput(item: unknown): Record<string, unknown> {
	const withFiles = filesSchema.safeParse(item).data;
	if (!withFiles) return itemSchema.catch({}).parse(item);
	const files = Object.entries(withFiles.binary).map(([name, { fileName }]): [string, unknown] => [
		`binary: ${name}`,
		fileName,
	]);
	return Object.fromEntries<unknown>([...Object.entries(withFiles.json), ...files]);
}
const filesSchema = z.object({
	json: itemSchema,
	binary: z.record(z.string(), z.object({ fileName: z.string() })),
});

/** Both items as the pages show them. */
export function sampleOf(input: unknown, output: unknown): SampleItems {
	const item = shortened(shownInput(input));
	const shown = Object.keys(item).length > 0 ? { input: item } : {};
	return { ...shown, output: shortened(itemSchema.parse(output)) };
}

/** Names of the members: their values may depend on the cases that ran before. */
export const namesIn = ({ input = {}, output }: SampleItems) => [Object.keys(input), Object.keys(output)];

const read = () => (existsSync(file) ? samplesSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {});

export const frozenSample = (operation: OperationFile): SampleItems | undefined => read()[nameOf(operation)];

/** Writes the items of an operation; `FREEZE=1 npm run jest -- test/n8n/operations` calls it. */
export function freezeSample(operation: OperationFile, sample: SampleItems): void {
	const samples = Object.entries({ ...read(), [nameOf(operation)]: sample });
	const sorted = samples.sort(([one], [other]) => (one < other ? -1 : 1));
	writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, '\t')}\n`);
}
