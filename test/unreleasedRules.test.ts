import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';
import { z } from 'zod/v4';

/**
 * Rules that n8n's main branch has in `@n8n/eslint-plugin-community-nodes`, and its releases up to
 * 0.32.0 have not. Once a release has them, `npm run lint` checks them, and this file goes.
 */
const root = join(__dirname, '..');
const manifest = z
	.object({ n8n: z.object({ nodes: z.array(z.string()) }) })
	.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const names = manifest.n8n.nodes.map((path) => /(\w+)\.node\.js$/.exec(path)?.[1] ?? path);

const isNodeClass = (value: unknown): value is new () => INodeType => typeof value === 'function';

async function nodeNamed(name: string): Promise<INodeType> {
	const module = z
		.record(z.string(), z.unknown())
		.parse(await import(join(root, 'nodes', name, `${name}.node.ts`)));
	const { [name]: NodeClass } = module;
	if (!isNodeClass(NodeClass)) throw new Error(`nodes/${name} exports no class ${name}`);
	return new NodeClass();
}

/** The texts of all members of that name, at any depth. */
function textsNamed(name: string, value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
		key === name && typeof inner === 'string' ? [inner] : textsNamed(name, inner),
	);
}

/** An optional JSON field that nobody asked for: others are shown when JSON is chosen. */
const isOpenEnded = ({ type, required, displayOptions }: INodeProperties) =>
	type === 'json' &&
	required !== true &&
	!Object.values(displayOptions?.show ?? {}).some((values) => values?.includes('json'));

describe.each(names)('%s', (name) => {
	test('uses one credential at a time (single-credential-per-node)', async () => {
		const { credentials = [] } = (await nodeNamed(name)).description;
		const conditions = credentials.map(({ displayOptions }) => displayOptions?.show ?? {});
		const together = conditions.flatMap((one, index) =>
			conditions.slice(index + 1).filter((other) => {
				const exclusive = Object.entries(one).some(
					([parameter, values = []]) =>
						Array.isArray(values) &&
						Array.isArray(other[parameter]) &&
						!values.some((value) => other[parameter]?.includes(value)),
				);
				return !exclusive;
			}),
		);
		expect(together).toEqual([]);
	});

	test('has hints of at most 120 characters (hint-max-length)', async () => {
		const { description } = await nodeNamed(name);
		expect(textsNamed('hint', description).filter((hint) => hint.length > 120)).toEqual([]);
	});

	test('has no optional JSON field that nobody asked for (open-ended-node-fields)', async () => {
		const { description } = await nodeNamed(name);
		expect(description.properties.filter(isOpenEnded).map((property) => property.name)).toEqual([]);
	});
});
