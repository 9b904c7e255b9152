import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { runNode } from '../../testbed/engine/engine';
import { SampleWorld } from '../../testbed/world/sampleWorld';
import { byId } from '../../testbed/world/parameters';

/** A name or key in use is reported with advice for the operation. */
const world = SampleWorld.forTests();
let target: INodeParameters;
let column: INodeParameters;

beforeAll(async () => {
	const own = await world.grid({ Title: 'string', Other: 'string' });
	target = own.chosen;
	column = { ...target, field: byId(own.id('Title')) };
	await world.client.spaces.create({ name: 'Taken' });
});

const errorSchema = z.looseObject({ message: z.string(), description: z.string() });

async function errorOf(node: 'grid' | 'space', resource: string, operation: string, inputs: INodeParameters) {
	const parameters = { resource, operation, ...inputs };
	const settings = world.settings({ node, resource, operation, parameters });
	return errorSchema.parse((await runNode(settings)).error);
}

const updateFields = (fields: INodeParameters) => ({ updateFields: fields });
const MANY_COLUMNS = JSON.stringify(
	['Parcel', 'Weight', 'Price', 'State'].map((name) => ({ name, type: 'Text' })),
);
const newGrid = () => ({
	...world.inSpace,
	...{ name: 'Orders', specifyColumns: 'json', columnsJson: MANY_COLUMNS },
});
const CASES: Array<[string, 'grid' | 'space', string, string, () => INodeParameters, RegExp]> = [
	['a new grid', 'grid', 'grid', 'create', newGrid, /"If the Key Exists"/],
	['a grid', 'grid', 'grid', 'update', () => ({ ...target, ...updateFields({ name: 'Orders' }) }), /other/],
	['a new column', 'grid', 'field', 'create', () => ({ ...target, name: 'Other' }), /"Add Missing"/],
	[
		'a column',
		'grid',
		'field',
		'update',
		() => ({ ...column, newName: 'Other', newKey: 'heading' }),
		/other/,
	],
	['a changed key', 'grid', 'field', 'update', () => ({ ...column, newKey: 'other' }), /other/],
	['a new view', 'grid', 'view', 'create', () => ({ ...target, name: 'Orders' }), /"Update"/],
	[
		'a view',
		'grid',
		'view',
		'update',
		() => ({ ...world.inGrid, view: byId(world.viewId), newName: 'Orders' }),
		/other/,
	],
	['a new space', 'space', 'space', 'create', () => ({ name: 'Taken' }), /"If the Key Exists"/],
	['a copied space', 'space', 'space', 'copy', () => ({ ...world.inSpace, name: 'Taken' }), /other/],
	[
		'a space',
		'space',
		'space',
		'update',
		() => ({ ...world.inSpace, ...updateFields({ name: 'Taken' }) }),
		/other/,
	],
];

test.each(CASES)(
	'advises what to do when the name of %s is in use',
	async (_title, node, resource, operation, inputs, advice) => {
		const { message, description } = await errorOf(node, resource, operation, inputs());
		expect(message).toContain('already');
		expect(description).toMatch(/in use/);
		expect(description).toMatch(advice);
		expect(description).not.toMatch(/values of this item|Columns \(JSON\)/);
	},
);
