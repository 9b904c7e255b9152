import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { fileItem } from '../../../testbed/world/fileItem';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const bed = World.forTests();
let people: WorldGrid;
const NAMES = Array.from({ length: 25 }, (_, at) => `p${at}`);

beforeEach(async () => {
	people = await bed.grid({ Name: 'string', Phone: 'string', City: 'string' });
	await people.fill(...NAMES.map((Name) => ({ Name, Phone: '1', City: 'Bonn' })));
});

/** Items of a source that has lost the phone of so many. */
const hollow = (count: number) =>
	NAMES.map((Name, at) => ({ Name, Phone: at < count ? null : '1', City: 'Bonn' }));
const phones = async () => (await people.rows()).filter(({ Phone }) => Phone !== null).length;

const run = async (operation: string, options: INodeParameters, count: number, dryRun = false) =>
	await people.run(operation, { ...people.auto(['Name']), dryRun, options }, hollow(count));

describe.each([
	['sync', {}],
	['upsert', { emptiedValues: 20 }],
])('%s', (operation, options) => {
	test('refuses to empty more of a column than allowed, and names it', async () => {
		const { error } = await run(operation, options, 6);
		expect(error?.message).toMatch(
			/^6 of the 25 values of "Phone" in ".+" would be emptied, which is more than 20 %; nothing was written$/,
		);
		expect(error?.description).toContain('"Columns to Clear"');
		expect(await phones()).toBe(25);
		expect((await run(operation, options, 5)).error).toBeUndefined();
		expect(await phones()).toBe(20);
	});

	test('shows it in a dry run as a warning', async () => {
		const { rows, hints } = await run(operation, options, 25, true);
		expect(rows.filter(({ _outcome }) => _outcome === 'update')).toHaveLength(25);
		expect(hints.join()).toContain('this run would fail: 25 of the 25 values of "Phone"');
	});

	test('empties a column in Columns to Clear, and one with fewer values than 20', async () => {
		const cleared = people.auto(['Name']);
		const input = NAMES.map((Name) => ({ Name }));
		const given = { ...cleared, options: { ...options, columnsToClear: [people.id('Phone')] } };
		expect((await people.run(operation, given, input)).error).toBeUndefined();
		expect(await phones()).toBe(0);
		const few = await bed.grid({ Name: 'string', Phone: 'string' });
		await few.fill(...NAMES.slice(0, 19).map((Name) => ({ Name, Phone: '1' })));
		const items = NAMES.slice(0, 19).map((Name) => ({ Name, Phone: null }));
		const { error } = await few.run(operation, { ...few.auto(['Name']), options }, items);
		expect(error).toBeUndefined();
	});
});

test('Create or Update has no such limit unless it is set, and refuses it One by One', async () => {
	expect((await run('upsert', { emptiedValues: 20, findRows: 'oneByOne' }, 25)).error?.message).toContain(
		'"Emptied Values (%)" cannot be checked',
	);
	expect((await run('upsert', {}, 25)).error).toBeUndefined();
	expect(await phones()).toBe(0);
});

test('a source that loses a column in the night empties none of its values', async () => {
	// What the members of the source become is a matter of the mapping.
	const nights: Array<[INodeParameters, IDataObject[]]> = [
		[people.auto(['Name']), NAMES.map((Name) => ({ Name, City: 'Bonn' }))],
		[people.auto(['Name']), hollow(25)],
		[
			people.mapped({ Name: '={{ $json.Name }}', Phone: '={{ $json.Phone }}' }, ['Name']),
			NAMES.map((Name) => ({ Name })),
		],
		[
			people.mapped({ Name: '={{ $json.Name }}', Phone: '={{ $json.Phone ?? null }}' }, ['Name']),
			NAMES.map((Name) => ({ Name })),
		],
	];
	const messages: Array<string | undefined> = [];
	for (const [columns, items] of nights)
		messages.push((await people.run('sync', columns, items)).error?.message);
	expect(messages.map((message) => message?.includes('25 of the 25 values of "Phone"'))).toEqual([
		...[undefined, true, undefined, true],
	]);
	expect(await phones()).toBe(25);
});

describe('Import From File', () => {
	const file = (count: number, city = 'Bonn') =>
		fileItem(
			['Name,Phone,City', ...NAMES.map((Name, at) => `${Name},${at < count ? '' : '1'},${city}`)].join('\n'),
		);
	const importFile = async (item: ReturnType<typeof file>, options: INodeParameters, more: object = {}) =>
		await people.run('importFile', { keyColumns: ['Name'], options, ...more }, [item]);

	test.each([
		['without conditions', {}],
		[
			'with conditions, whose values the plan keeps as well',
			{ onlyRowsWhere: { condition: [{ column: 'City', operator: 'notNull' }] } },
		],
	])('refuses to empty more of a column than allowed %s', async (_how, more) => {
		const options = { emptiedValues: 20, ...more };
		expect((await importFile(file(6), options)).error?.message).toMatch(
			/^6 of the 25 values of "Phone" in ".+" would be emptied, which is more than 20 %; nothing was written$/,
		);
		expect(await phones()).toBe(25);
		const planned = await importFile(file(6), options, { dryRun: true });
		expect(planned.hints.join()).toContain('this run would fail: 6 of the 25 values of "Phone"');
		expect((await importFile(file(5, 'Kiel'), options)).rows).toMatchObject([{ updated: 25 }]);
		expect(await phones()).toBe(20);
	});

	test('has no such limit unless it is set', async () => {
		expect((await importFile(file(25), {})).error).toBeUndefined();
		expect(await phones()).toBe(0);
	});
});
