import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { SampleWorld } from '../../testbed/world/sampleWorld';
import { caseOf, offered, type Offered } from './cases';

/** An example value that a person may copy from the editor. */
interface Example {
	title: string;
	operation: Offered;
	/** Inputs that lead to the value, outermost first. */
	path: readonly INodeProperties[];
	json: string;
}

const world = SampleWorld.forTests();

beforeAll(async () => {
	// The columns that the examples name.
	for (const name of ['f1', 'Status', 'Comment'])
		await world.client.fields.add(world.orders.grid, { name, type: { name: 'string' } });
});

/** The JSON after "e.g.", up to where it ends. */
function jsonIn(text = ''): string | undefined {
	const start = /e\.g\. (?=[[{])/.exec(text);
	if (!start) return undefined;
	const rest = text.slice(start.index + start[0].length);
	for (let end = rest.length; end > 0; end--) {
		try {
			JSON.parse(rest.slice(0, end));
			return rest.slice(0, end);
		} catch {
			// Shorter, until it is the JSON alone.
		}
	}
	throw new Error(`No JSON follows in: ${text}`);
}

function examplesIn(
	operation: Offered,
	properties: readonly INodeProperties[],
	above: INodeProperties[] = [],
): Example[] {
	return properties.flatMap((property) => {
		const path = [...above, property];
		const inner = property.type === 'collection' ? (property.options ?? []) : [];
		const json =
			property.type === 'resourceMapper'
				? undefined
				: (jsonIn(property.description) ?? jsonIn(property.placeholder));
		const title = `${operation.title}: ${path.map(({ displayName }) => displayName).join(' → ')}`;
		return [
			...(json === undefined || property.displayOptions?.show?.['@tool']
				? []
				: [{ title, operation, path, json }]),
			...examplesIn(
				operation,
				inner.filter((one): one is INodeProperties => 'type' in one),
				path,
			),
		];
	});
}

/** What the editor stores once the inputs on the way to the value are shown, and it is entered. */
function entered({ path, json }: Example): INodeParameters {
	const [outer, inner] = path;
	const shown = Object.entries(outer?.displayOptions?.show ?? {}).filter(
		([name]) => name !== 'resource' && name !== 'operation',
	);
	return {
		// Conditions and their JSON are two forms of one input.
		conditions: {},
		...Object.fromEntries(shown.map(([name, values]) => [name, z.string().parse(values?.[0])])),
		[outer?.name ?? '']: inner ? { [inner.name]: json } : json,
	};
}

const examples = offered.flatMap((operation) => examplesIn(operation, operation.properties));

test.each(examples.map((example) => [example.title, example] as const))('%s', async (_title, example) => {
	const { node, resource, operation } = example.operation;
	const parameters = await caseOf(example.operation).parameters(world);
	const { error } = await world.run({
		node,
		resource,
		operation,
		parameters: { ...parameters, ...entered(example) },
	});
	expect(error).toBeUndefined();
});

test('attachments are written as addresses, as the description of the columns says', async () => {
	await world.client.fields.add(world.orders.grid, { name: 'Files', type: { name: 'attachments' } });
	const addresses = ['https://files.example/a.pdf', 'https://files.example/b.pdf'];
	const { error } = await world.orders.run('create', world.orders.auto(), [{ Files: addresses.join(', ') }]);
	expect(error).toBeUndefined();
	const { items } = await world.client.entities.many(world.orders.grid);
	expect(items.flatMap((row) => Object.values(row))).toContainEqual([
		{ name: 'a.pdf', url: addresses[0] },
		{ name: 'b.pdf', url: addresses[1] },
	]);
});
