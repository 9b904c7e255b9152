import { fieldSchema } from '../../../../client/resources/fields';
import { readUpdate } from '../../../../client/resources/updates/updateRecord';
import { EventFilter, type FilterSettings } from '../../../../nodes/EntityTrigger/eventFilter';

const fields = [
	{ id: 'f1', name: 'Status', key: 'status', type: { name: 'string' }, _links: new Map() },
	{ id: 'f2', name: 'Ready', key: 'ready', type: { name: 'boolean' }, _links: new Map() },
];
const anything: FilterSettings = {
	kinds: new Set(['created', 'updated', 'deleted']),
	watched: [],
	becomes: undefined,
	ignoredUsers: [],
};
const becomes = (more: object = {}) => ({
	...anything,
	becomes: {
		column: 'f1',
		values: ['late'],
		from: [],
		includeNewRows: true,
		ifUnknown: 'emit' as const,
		...more,
	},
});

function accepts(settings: FilterSettings, entry: object): boolean {
	const update = readUpdate({ entityId: 'e1', type: 'updated', ...entry });
	if (!update) throw new Error('Not read');
	return new EventFilter(settings, fields, 'u1').accepts(update);
}

const status = (oldValue: unknown, newValue: unknown) => ({
	changes: [{ fieldId: 'f1', oldValue, newValue }],
});

test.each<[string, FilterSettings, object, boolean]>([
	['gets the value', becomes(), status('early', 'late'), true],
	['keeps the value', becomes(), status('late', 'late'), false],
	['gets another value', becomes(), status('late', 'early'), false],
	['comes from a wanted value', becomes({ from: ['early'] }), status('early', 'late'), true],
	['comes from another value', becomes({ from: ['early'] }), status('new', 'late'), false],
	['is not changed', becomes(), { changes: [{ fieldId: 'f2', oldValue: false, newValue: true }] }, false],
	['is named by the feed alone', becomes(), { changes: { Status: 'late' } }, true],
	['may have had the value', becomes({ ifUnknown: 'skip' }), { changes: { Status: 'late' } }, false],
	['is set in a new row', becomes(), { type: 'created', ...status(null, 'late') }, true],
	[
		'is set in a row that does not count',
		becomes({ includeNewRows: false }),
		{ type: 'created', ...status(null, 'late') },
		false,
	],
	['is another one in a new row', becomes(), { type: 'created', entity: { f1: 'early' } }, false],
	['was in a deleted row', becomes({ ifUnknown: 'skip' }), { type: 'deleted' }, true],
	[
		'is cleared and has the value again by now',
		becomes(),
		{ ...status('early', null), entity: { f1: 'late' } },
		false,
	],
	[
		'is empty in a new row and has the value by now',
		becomes(),
		{ type: 'created', changes: [{ fieldId: 'f2', newValue: true }], entity: { f1: 'late' } },
		false,
	],
	['is named without its value', becomes(), { changes: [{ fieldId: 'f1' }], entity: { f1: 'late' } }, true],
	[
		'is named without its value in a new row',
		becomes(),
		{ type: 'created', changes: [{ fieldId: 'f1' }], entity: { f1: 'late' } },
		true,
	],
	['may have the value in a new row', becomes(), { type: 'created', changes: [{ fieldId: 'f1' }] }, true],
	[
		'was chosen from the list and is stored by its key',
		{ ...becomes({ column: 'status|key' }), watched: ['status|key'] },
		status('early', 'late'),
		true,
	],
	[
		'is a box that is ticked',
		becomes({ column: 'Ready', values: ['true'] }),
		{ changes: { f2: { old: false, new: true } } },
		true,
	],
])('Column Becomes: a column that %s', (_name, settings, entry, expected) => {
	expect(accepts(settings, entry)).toBe(expected);
});

test.each<[string, string[], object, boolean]>([
	['the own user', ['me'], { userId: 'u1' }, false],
	['another user', ['me'], { userId: 'u2' }, true],
	['a chosen user', ['u2'], { userId: 'u2' }, false],
])('Ignore Changes By: a change by %s', (_name, ignoredUsers, entry, expected) => {
	expect(accepts({ ...anything, ignoredUsers }, entry)).toBe(expected);
});

test('Ignore Changes By notes a change that does not say who made it', () => {
	const filter = new EventFilter({ ...anything, ignoredUsers: ['me'] }, fields, 'u1');
	const update = readUpdate({ entityId: 'e1' });
	expect(update && filter.accepts(update)).toBe(true);
	expect(filter.lacksUser).toBe(true);
});

test('a change of the structure is no row event', () => {
	const update = readUpdate({ type: 'ColumnAdd', timestamp: '2026-01-01T00:00:00Z' });
	const filterOf = (kinds: FilterSettings['kinds']) =>
		new EventFilter({ ...anything, kinds }, fields, undefined);
	expect(update && filterOf(anything.kinds).accepts(update)).toBe(false);
	expect(update && filterOf(new Set(['structure'])).accepts(update)).toBe(true);
});

test.each<[string, FilterSettings]>([
	['Watched Columns', { ...anything, watched: ['gone'] }],
	['Column Becomes', becomes({ column: 'gone' })],
])('a column that is gone is an error: %s', (option, settings) => {
	expect(() => new EventFilter(settings, fields, undefined)).toThrow(
		`The grid has no column "gone", which "${option}" names`,
	);
});

describe('a choice column', () => {
	const options = [
		{ value: 'o1', name: 'Approved' },
		{ value: 'o2', name: 'Paid' },
	];
	const choice = fieldSchema.parse({ id: 'f3', name: 'State', type: { name: 'enum', options } });
	const filterFor = (values: string[], from: string[] = []) =>
		new EventFilter(becomes({ column: 'f3', values, from }), [choice], 'u1');

	test.each([['o1'], ['Approved']])('gets the option %s', (wanted) => {
		const changes = [{ fieldId: 'f3', oldValue: 'o2', newValue: 'o1' }];
		const update = readUpdate({ entityId: 'e1', type: 'updated', changes });
		expect(update && filterFor([wanted], ['Paid']).accepts(update)).toBe(true);
	});

	test.each<[string, string[], string[]]>([
		['Gets One Of', ['approved'], []],
		['Only From', ['Paid'], ['Draft']],
	])('%s refuses what is no option', (label, values, from) => {
		expect(() => filterFor(values, from)).toThrow(`"${label}" of "Column Becomes" names what is no option`);
	});
});

test.each<[string | undefined, Partial<FilterSettings>, object]>([
	['Events', { kinds: new Set(['created']) }, {}],
	['Ignore Changes By', { ignoredUsers: ['me'] }, { userId: 'u1' }],
	['Watched Columns', { watched: ['f2'] }, status('early', 'late')],
	['Column Becomes', becomes(), status('late', 'early')],
	[undefined, {}, status('late', 'early')],
])('names the input that leaves out a change: %s', (label, settings, entry) => {
	const update = readUpdate({ entityId: 'e1', type: 'updated', ...entry });
	expect(update && new EventFilter({ ...anything, ...settings }, fields, 'u1').rejecting(update)).toBe(label);
});

test('a column that is gone is named without the mark of its list', () => {
	expect(() => new EventFilter({ ...anything, watched: ['gone|key'] }, fields, 'u1')).toThrow(
		'The grid has no column "gone", which "Watched Columns" names',
	);
});
