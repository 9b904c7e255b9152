import '../../fixtures/skippedWaits';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { fileItem } from '../../../testbed/world/fileItem';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** Compare As: values that are written otherwise and nevertheless equal. */
const world = World.forTests();
let people: WorldGrid;

beforeEach(async () => {
	people = await world.grid({ Mail: 'string', Phone: 'string', Weight: 'decimal', Note: 'string' });
	await people.fill(
		{ Mail: 'ann@example.com', Phone: '+49 30 123', Weight: 1.234, Note: 'old' },
		{ Mail: 'bob@example.com', Phone: '555', Weight: 2, Note: 'old' },
	);
});

const rows = async () =>
	(await people.rows()).map(({ Mail, Phone, Weight, Note }) => [Mail, Phone, Weight, Note]);
const BEFORE = [
	['ann@example.com', '+49 30 123', 1.234, 'old'],
	['bob@example.com', '555', 2, 'old'],
];
const compareAs = (rule: string, column = 'Mail', decimals = 2): INodeParameters => ({
	compareAs: { column: [{ column: people.id(column), rule, decimals }] },
});
const folded = () => compareAs('ignoreCaseAndSpaces');
const ANN = 'Ann @Example.COM';

/** Each operation that finds rows by key, with the key in another spelling. */
const KEYED: Array<[string, () => INodeParameters]> = [
	['upsert', () => people.auto(['Mail'])],
	['sync', () => people.auto(['Mail'])],
	['create', () => people.auto([])],
];
const optionsOf = (operation: string, options: INodeParameters) =>
	operation === 'create' ? { ...options, avoidDuplicatesBy: [people.id('Mail')] } : options;
const run = async (
	operation: string,
	parameters: INodeParameters,
	options: INodeParameters,
	input: IDataObject[],
	extra = {},
) => await people.run(operation, { ...parameters, options: optionsOf(operation, options) }, input, extra);

describe.each(KEYED)('%s', (operation, parameters) => {
	test('finds a key in another spelling, in a dry run as well, and keeps the spelling of the grid', async () => {
		const input = [{ Mail: ANN, Note: 'new' }];
		const dry = await run(operation, { ...parameters(), dryRun: true }, folded(), input);
		const real = await run(operation, parameters(), folded(), input);
		expect(real.error).toBeUndefined();
		const isCreation = operation === 'create';
		expect(dry.rows.map(({ _outcome }) => _outcome)).toEqual([isCreation ? 'existing' : 'update']);
		expect(real.rows.map(({ _outcome }) => _outcome)).toEqual([isCreation ? 'existing' : 'updated']);
		const [[, ...ann] = [], bob] = BEFORE;
		expect(await rows()).toEqual([['ann@example.com', ...ann.slice(0, 2), isCreation ? 'old' : 'new'], bob]);
	});

	test('creates one row for two spellings of a new key, or refuses them', async () => {
		const input = [{ Mail: 'Cy@example.com' }, { Mail: 'cy@EXAMPLE.com' }];
		const { error } = await run(operation, parameters(), folded(), input);
		if (operation === 'sync')
			expect(error?.message).toContain('The input has several rows with the same key');
		expect((await rows()).length).toBe(operation === 'sync' ? 2 : 3);
	});

	test('takes a key without a compared part for an empty one', async () => {
		const options = { ...compareAs('digitsOnly'), rowsWithoutKey: 'fail' };
		const extra = { onError: 'continueRegularOutput' };
		const { rows: output, error } = await run(operation, parameters(), options, [{ Mail: '--' }], extra);
		expect(JSON.stringify([output, error?.message])).toMatch(/has no value/);
		expect(await rows()).toEqual(BEFORE);
	});
});

test('a rule that does not suit its column is refused', async () => {
	for (const [column, rule, type] of [
		['Mail', 'rounded', 'Text'],
		['Weight', 'digitsOnly', 'Decimal Number'],
	] as const) {
		const { error } = await run('sync', people.auto(['Mail']), compareAs(rule, column), [{ Mail: ANN }]);
		expect(error?.message).toBe(`"Compare As" cannot be used for "${column}", because its type is ${type}`);
	}
	expect(await rows()).toEqual(BEFORE);
});

test.each(['upsert', 'sync'])(
	'%s refuses two rows of the grid with the same compared key',
	async (operation) => {
		await people.fill({ Mail: 'ANN@example.com' });
		const { error } = await run(operation, people.auto(['Mail']), folded(), [{ Mail: ANN, Note: 'new' }]);
		expect(error?.message).toMatch(/2 rows have Mail|The grid has several rows with the same key/);
		expect((await rows()).map(([, , , note]) => note)).toEqual(['old', 'old', null]);
	},
);

test('Sync ignores rows whose key has no compared part', async () => {
	await people.fill({ Phone: '-' }, { Phone: '--' });
	const options = compareAs('digitsOnly', 'Phone');
	const parameters = people.auto(['Phone']);
	const { error, rows: output } = await run('sync', parameters, options, [
		{ Phone: '0049-30-123', Note: 'x' },
		{ Phone: '+4930123', Note: 'new' },
	]);
	expect(error).toBeUndefined();
	expect(output.map(({ _outcome }) => _outcome)).toEqual(['created', 'updated']);
});

test('compared columns that differ in spelling only are not written', async () => {
	const compared = {
		compareAs: {
			column: [
				{ column: people.id('Phone'), rule: 'digitsOnly' },
				{ column: people.id('Weight'), rule: 'rounded', decimals: 1 },
				{ column: people.id('Note'), rule: 'exactly' },
			],
		},
	};
	const input = [{ Mail: 'ann@example.com', Phone: '(4930) 123', Weight: '1.2', Note: 'old' }];
	for (const operation of ['upsert', 'sync']) {
		const same = await run(operation, people.auto(['Mail']), compared, input);
		expect(same.error).toBeUndefined();
		expect(same.rows.filter(({ _outcome }) => _outcome !== 'unchanged')).toEqual([]);
	}
	const other = await run('sync', people.auto(['Mail']), compared, [
		{ ...input[0], Weight: 1.3, Note: 'OLD' },
	]);
	expect(other.rows).toMatchObject([{ _changes: [{ field: 'Weight' }, { field: 'Note' }] }]);
});

test('Look Up, Update and Delete find the row', async () => {
	const matchBy = { key: [{ column: people.id('Mail'), value: '={{ $json.mail }}' }] };
	const input = [{ mail: ANN }];
	const lookUp = await run('lookUp', { matchBy }, folded(), input);
	expect(lookUp.rows).toMatchObject([{ row: { Mail: 'ann@example.com' } }]);
	const byKey = { matchBy, rowBy: 'keyColumns' };
	const updated = await run('update', { ...byKey, ...people.mapped({ Note: 'new' }) }, folded(), input);
	expect(updated.rows).toMatchObject([{ Mail: 'ann@example.com', Note: 'new' }]);
	await run('delete', byKey, folded(), input);
	expect((await rows()).map(([mail]) => mail)).toEqual(['bob@example.com']);
});

test('Import From File compares keys and columns', async () => {
	const file = fileItem('Mail,Phone,Note\n ANN@example.com ,+49 30 123,new\nbob@EXAMPLE.com,555,old\n');
	const keyColumns = [people.id('Mail')];
	for (const dryRun of [true, false]) {
		const { rows: output, error } = await people.run(
			'importFile',
			{ keyColumns, dryRun, options: folded() },
			[file],
		);
		expect(error).toBeUndefined();
		expect(output).toMatchObject([{ created: 0, updated: 1, unchanged: 1, deleted: 0 }]);
	}
	expect((await rows()).map(([mail, , , note]) => [mail, note])).toEqual([
		['ann@example.com', 'new'],
		['bob@example.com', 'old'],
	]);
});
