import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { loadOptionsContext, testCredential } from '../../fixtures/n8n';
import { Stage } from '../../fixtures/stage';
import { makeGrid } from '../../fixtures/gridFixture';
import type { Grid } from '../../../client/resources/grids';

/**
 * Names that other people choose, where n8n shows HTML: hints, notices, descriptions of errors and
 * options. n8n keeps links and `style`, so a name could cover the whole screen with a link.
 */
const LINK = '<a style="position:fixed;inset:0" href="https://evil.example">click</a>';
const SHOWN = '&#60;a style="position:fixed;inset:0" href="https://evil.example"&#62;click&#60;/a&#62;';

let stage: Stage;
let grid: Grid;
const grids = () => ({
	space: { __rl: true, mode: 'id', value: stage.spaceId },
	grid: { __rl: true, mode: 'id', value: grid.id },
});
const entity = (operation: string) => ({ node: 'entity', resource: 'entity', operation }) as const;
const mapper = {
	matchingColumns: [],
	schema: [],
	attemptToConvertTypes: false,
	convertFieldsToString: false,
};
const asColumns = (value: Record<string, string>) => ({ ...mapper, mappingMode: 'defineBelow', value });
const automatic = { ...mapper, mappingMode: 'autoMapInputData', value: null };

beforeAll(async () => {
	stage = await Stage.open();
	const made = await makeGrid(stage.client, stage.spaceId, `Grid ${LINK}`.slice(0, 80), { [LINK]: 'string', Size: 'integer' });
	grid = made.grid;
}); // prettier-ignore
afterAll(async () => {
	await stage.close();
});

const lists = (): ILoadOptionsFunctions =>
	loadOptionsContext({ type: 'n8n-nodes-datagrid.entity', parameters: grids(), credentials: stage.owner });

test('a hint shows the name of an input as it is written', async () => {
	const { hints } = await stage.run(entity('create'), { ...grids(), columns: automatic }, undefined, [
		{ json: { [LINK]: 'x', [`other ${LINK}`]: 'y' } },
	]);
	expect(hints).toHaveLength(1);
	expect(hints[0]).toContain(`other ${SHOWN}`);
	expect(hints[0]).not.toContain('<');
});

test('the description of an error shows the names of columns as they are written', async () => {
	for (const [value, name] of [
		[{ missing: 'x' }, ''],
		[{}, SHOWN],
	] as const) {
		const parameters = { columns: asColumns(value), options: { columnsToClear: ['gone'] } };
		const { error } = await stage.run(entity('create'), { ...grids(), ...parameters });
		expect(error).toMatchObject({ description: expect.stringContaining(name) as unknown });
		expect(error).not.toMatchObject({ description: expect.stringContaining('<') as unknown });
	}
});

test('the message of an error has no tag in it, and always a description: n8n would show the message in its place, as HTML', async () => {
	const id = (await stage.client.fields.of(grid)).find(({ name }) => name === 'Size')?.id ?? '';
	const { error } = await stage.run(entity('create'), { ...grids(), columns: asColumns({ [id]: `${LINK} 3 < 4` }) });
	expect(error?.message).toContain('‹a style=');
	expect(error?.message).toContain('3 < 4');
	expect(error?.message).not.toMatch(/<\w/);
	stage.listen(() => ({ kind: 'response', status: 200, body: LINK }));
	for (const { error: failure } of [
		await stage.run(entity('getMany'), grids()),
		await stage.run({ node: 'space', resource: 'service', operation: 'getVersion' }, {}),
	]) {
		expect(failure).toMatchObject({ description: expect.stringMatching(/./) as unknown });
		expect(failure?.message).not.toMatch(/<\w/);
	}
	stage.listen();
}); // prettier-ignore

test('the notice of the column mapper shows names as they are written', async () => {
	const { emptyFieldsNotice } = await new Entity().methods.resourceMapping.getColumns.call(lists());
	expect(emptyFieldsNotice).toContain(SHOWN);
	expect(emptyFieldsNotice).not.toContain('<');
});

test('the descriptions in lists show the type of a column as it is written', async () => {
	stage.listen(({ path }) =>
		path.includes(`/grids/${grid.id}`)
			? { kind: 'response', status: 200, body: JSON.stringify({ id: grid.id, name: 'G', fields: [{ id: 'f1', name: 'F', type: { name: LINK } }], _links: { self: { href: path } } }) }
			: undefined,
	);
	const options = await new Entity().methods.loadOptions.getFields.call(lists());
	expect(options.map(({ description }) => description)).toEqual([SHOWN]);
	stage.listen();
}); // prettier-ignore

test('what a credential test says has no tag in it', async () => {
	stage.listen(() => ({ kind: 'response', status: 200, body: LINK }));
	const { message } = await testCredential('n8n-nodes-datagrid.entity', 'testConnection', stage.owner['dataGridApi'] ?? {});
	expect(message).toContain('‹a style=');
	stage.listen();
}); // prettier-ignore
