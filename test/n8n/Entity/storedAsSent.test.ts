import '../../fixtures/skippedWaits';
import { z } from 'zod/v4';
import { fileItem } from '../../../testbed/world/fileItem';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let people: WorldGrid;

beforeEach(async () => {
	people = await bed.grid({ Name: 'string', Email: 'string', Share: 'decimal', Count: 'integer' });
	await people.fill(...['a', 'b', 'c'].map((Name) => ({ Name, Email: 'x@y.de', Share: 1, Count: 1 })));
});

const cells = z.record(z.string(), z.unknown());

/** Makes the service store other values than it is sent. */
const store = (change: (cell: (name: string) => unknown) => Record<string, unknown>, when = 'PUT') => {
	bed.proxy.setRules(({ method, body }) => {
		if (method !== when) return undefined;
		const sent = cells.parse(JSON.parse(body));
		const changed = Object.entries(change((name) => sent[people.id(name)]));
		const stored = {
			...sent,
			...Object.fromEntries(changed.map(([name, value]) => [people.id(name), value])),
		};
		return { kind: 'change', request: { body: JSON.stringify(stored) } };
	});
};

const given = ['a', 'b', 'c'].map((Name) => ({ Name, Email: `${Name}@Y.de`, Share: 2.26, Count: 2 }));
const told = (hints: readonly string[]) => hints.filter((hint) => hint.includes('otherwise than sent'));

const STORES = [
	[
		'lower-cases e-mails',
		'Email',
		(cell: (name: string) => unknown) => ({ Email: String(cell('Email')).toLowerCase() }),
		{ field: 'Email', sent: 'a@Y.de', stored: 'a@y.de' },
	],
	['rounds', 'Share', () => ({ Share: 2.3 }), { field: 'Share', sent: 2.26, stored: 2.3 }],
	['ignores a column', 'Count', () => ({ Count: 1 }), { field: 'Count', sent: 2, stored: 1 }],
] as const;

describe.each(STORES)('a service that %s', (_what, column, change, stored) => {
	test.each(['upsert', 'sync'])('is told once by %s, and in each item', async (operation) => {
		store(change);
		const { rows, hints } = await people.run(operation, people.auto(['Name']), given);
		expect(rows).toHaveLength(3);
		expect(rows[0]).toMatchObject({ _outcome: 'updated', _stored: [stored] });
		expect(told(hints)).toEqual([
			expect.stringContaining(`The service stored 3 values of "${column}" otherwise than sent, e.g. `),
		]);
	});
});

test('Update, Update Many and Import From File tell it, too', async () => {
	store(() => ({ Count: 7 }));
	const matchBy = { key: [{ column: people.id('Name'), value: '={{ $json.Name }}' }] };
	const byKey = { ...people.mapped({ Count: 2 }), rowBy: 'keyColumns', matchBy };
	const update = await people.run('update', byKey, [{ Name: 'a' }]);
	expect(update.rows).toMatchObject([{ Count: 7, _stored: [{ field: 'Count', sent: 2, stored: 7 }] }]);
	expect(told(update.hints)).toEqual([expect.stringContaining('1 value of "Count"')]);
	const conditions = { condition: [{ column: people.id('Email'), operator: '$eq', value: 'x@y.de' }] };
	const many = await people.run('updateMany', { ...people.mapped({ Count: 3 }), conditions });
	expect(many.rows[2]).toMatchObject({ _stored: [{ field: 'Count', sent: 3, stored: 7 }] });
	expect(told(many.hints)).toEqual([expect.stringContaining('3 values of "Count"')]);
	const file = fileItem('Name,Count\na,4\nb,4\n');
	const imported = await people.run('importFile', { keyColumns: ['Name'] }, [file]);
	expect(told(imported.hints)).toEqual([expect.stringContaining('2 values of "Count"')]);
});

test('what is stored as sent takes no member, no hint and no further request', async () => {
	const { rows, hints } = await people.run('upsert', people.auto(['Name']), given);
	expect(rows.every((row) => !('_stored' in row))).toBe(true);
	expect(told(hints)).toEqual([]);
	expect(bed.proxy.requests.filter(({ method }) => method === 'PUT')).toHaveLength(3);
});

describe('rows that are made', () => {
	const made = ['n1', 'n2'].map((Name) => ({ Name, Email: `${Name}@Y.de`, Share: 2.26, Count: 2 }));
	const stored = { field: 'Email', sent: 'n1@Y.de', stored: 'n1@y.de' };
	const inLowerCase = () => {
		store((cell) => ({ Email: String(cell('Email')).toLowerCase() }), 'POST');
	};

	test.each([
		['upsert', () => people.auto(['Name'])],
		['sync', () => people.auto(['Name'])],
		['create', () => ({ ...people.auto(), options: { avoidDuplicatesBy: ['Name'] } })],
	])(
		'%s compares them when it looks for duplicates, without a request more',
		async (operation, parameters) => {
			bed.proxy.setRules(() => undefined);
			await people.run(operation, parameters(), [
				{ ...made[0], Name: 'x1' },
				{ ...made[1], Name: 'x2' },
			]);
			const { length } = bed.proxy.requests;
			inLowerCase();
			const { rows, hints } = await people.run(operation, parameters(), made);
			expect(rows).toMatchObject([{ _outcome: 'created', _stored: [stored] }, { _outcome: 'created' }]);
			expect(told(hints)).toEqual([
				expect.stringContaining(
					'The service stored 2 values of "Email" in new rows otherwise than sent, e.g. ',
				),
			]);
			expect(bed.proxy.requests).toHaveLength(length);
		},
	);

	test('Create without keys compares them with Read Rows Back', async () => {
		inLowerCase();
		const options = { readRowsBack: true };
		const { rows, hints } = await people.run('create', { ...people.auto(), options }, made);
		expect(rows).toMatchObject([{ Email: 'n1@y.de', _stored: [stored] }, { Email: 'n2@y.de' }]);
		expect(told(hints)).toEqual([expect.stringContaining('2 values of "Email"')]);
	});

	test('Import From File tells it as a hint', async () => {
		inLowerCase();
		const file = fileItem('Name,Email\nn1,n1@Y.de\nn2,n2@Y.de\n');
		const { hints } = await people.run('importFile', { keyColumns: ['Name'] }, [file]);
		expect(told(hints)).toEqual([expect.stringContaining('2 values of "Email" in new rows')]);
	});
});
