import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { loadOptionsContext, testCredential } from '../../../testbed/engine/engine';
import type { Grid } from '../../../client/resources/grids';
import { makeGrid } from '../../../testbed/world/makeGrid';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/**
 * Names that other users choose, in places where n8n renders HTML: hints, notices, descriptions of
 * errors and options. n8n keeps links and `style`, so a name could cover the screen with a link.
 */
const LINK = '<a style="position:fixed;inset:0" href="https://evil.example">click</a>';
const SHOWN = '&#60;a style="position:fixed;inset:0" href="https://evil.example"&#62;click&#60;/a&#62;';

let world: SampleWorld;
let grid: Grid;
const grids = () => ({
	space: { __rl: true, mode: 'id', value: world.spaceId },
	grid: { __rl: true, mode: 'id', value: grid.id },
});
const entity = (operation: string, parameters: INodeParameters = {}) =>
	({ node: 'entity', resource: 'entity', operation, parameters: { ...grids(), ...parameters } }) as const;
const mapper = {
	matchingColumns: [],
	schema: [],
	attemptToConvertTypes: false,
	convertFieldsToString: false,
};
const asColumns = (value: Record<string, string>) => ({ ...mapper, mappingMode: 'defineBelow', value });
const automatic = { ...mapper, mappingMode: 'autoMapInputData', value: null };

beforeAll(async () => {
	world = await SampleWorld.start();
	const made = await makeGrid(world.client, world.spaceId, `Grid ${LINK}`.slice(0, 80), { [LINK]: 'string', Size: 'integer' });
	grid = made.grid;
}); // prettier-ignore
afterAll(async () => {
	await world.stop();
});

const lists = (): ILoadOptionsFunctions =>
	loadOptionsContext({
		type: 'n8n-nodes-datagrid.entity',
		parameters: grids(),
		credentials: world.credentials(),
	});

test('a hint shows the name of an input literally', async () => {
	const { hints } = await world.run(entity('create', { columns: automatic }), {
		input: [{ json: { [LINK]: 'x', [`other ${LINK}`]: 'y' } }],
	});
	expect(hints).toHaveLength(1);
	expect(hints[0]).toContain(`other ${SHOWN}`);
	expect(hints[0]).not.toContain('<');
});

test('the description of an error shows column names literally', async () => {
	for (const [value, name] of [
		[{ missing: 'x' }, ''],
		[{}, SHOWN],
	] as const) {
		const parameters = { columns: asColumns(value), options: { columnsToClear: ['gone'] } };
		const { error } = await world.run(entity('create', parameters));
		expect(error?.description).toContain(name);
		expect(error).not.toMatchObject({ description: expect.stringContaining('<') as unknown });
	}
});

test('an error has no tags in its message and always a description, without which n8n renders HTML', async () => {
	const id = (await world.client.fields.of(grid)).find(({ name }) => name === 'Size')?.id ?? '';
	const { error } = await world.run(entity('create', { columns: asColumns({ [id]: `${LINK} 3 < 4` }) }));
	expect(error?.message).toContain('‹a style=');
	expect(error?.message).toContain('3 < 4');
	expect(error?.message).not.toMatch(/<\w/);
	world.listen(() => ({ kind: 'response', status: 200, body: LINK }));
	for (const { error: failure } of [
		await world.run(entity('getMany')),
		await world.run({ node: 'space', resource: 'service', operation: 'getInfo' }),
	]) {
		expect(failure).toMatchObject({ description: expect.stringMatching(/./) as unknown });
		expect(failure?.message).not.toMatch(/<\w/);
	}
	world.listen();
}); // prettier-ignore

test('the notice of the column mapper shows names literally', async () => {
	const { emptyFieldsNotice } = await new Entity().methods.resourceMapping.getColumns.call(lists());
	expect(emptyFieldsNotice).toContain(SHOWN);
	expect(emptyFieldsNotice).not.toContain('<');
});

test('the descriptions in lists show the type of a column literally', async () => {
	world.listen(({ path }) =>
		path.includes(`/grids/${grid.id}`)
			? { kind: 'response', status: 200, body: JSON.stringify({ id: grid.id, name: 'G', fields: [{ id: 'f1', name: 'F', type: { name: LINK } }], _links: { self: { href: path, method: 'get' } } }) }
			: undefined,
	);
	const options = await new Entity().methods.loadOptions.getFields.call(lists());
	expect(options.map(({ description }) => description)).toEqual([SHOWN]);
	world.listen();
}); // prettier-ignore

test('the message of a credential test contains no tags', async () => {
	world.listen(() => ({ kind: 'response', status: 200, body: LINK }));
	const { message } = await testCredential('n8n-nodes-datagrid.entity', 'testConnection', { ...world.owner, baseUrl: world.proxy.url });
	expect(message).toContain('‹a style=');
	world.listen();
}); // prettier-ignore
