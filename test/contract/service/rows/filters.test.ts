import { fieldSchema, type Field } from '../../../../client/resources/fields';
import { filterReading } from '../../../../nodes/shared/rows/filterReading';
import { Random } from '../../../simulation/random';
import type { Json } from '../http';
import { id, makeGrid, objects, testService } from '../http';
import { meets, sorted, STRUCTURED, type Filter, type Level } from './filterModel';
import { OPTIONS, TYPES } from './typeValues';

const ORDERED = ['$gt', '$gte', '$lt', '$lte'];
const CONTAINED = ['a', 'A', 'ä', 'red', 'x', '1', 'true', 'Z', '', '[', '"', '%', 'e', '😀', 'api'];
/** Enough rows that the service uses an index. */
const FILLERS = 2100;

const { owner } = testService();

interface Table {
	readonly grid: string;
	readonly ids: Record<string, string>;
	readonly types: Record<string, string>;
	readonly fields: readonly Field[];
	readonly rows: readonly Json[];
}

/** Makes a grid with a column of each type; row n has the nth value of each. */
async function makeTable(name: string, fillers: number): Promise<Table> {
	const columns = TYPES.map(([type]): [string, Json] => [
		type.replace('-', '').toLowerCase(),
		{ name: type, ...(type.startsWith('enum') ? { options: OPTIONS } : {}) },
	]);
	const { grid, ids } = await makeGrid(owner, Object.fromEntries(columns), name);
	const writable = TYPES.filter(([, values]) => values.length > 0);
	const longest = Math.max(...writable.map(([, values]) => values.length));
	for (let n = 0; n < longest; n++) {
		const cells = writable.map(([type, values]): [string, unknown] => [
			id(ids, type.replace('-', '').toLowerCase()),
			values[n] ?? null,
		]);
		const given: Json = Object.fromEntries(n === 0 ? cells : cells.filter(([, value]) => value !== null));
		await owner.create(`${grid}/entities`, given, { layout: 'field' });
	}
	for (let n = 0; n <= fillers; n += 50) {
		const some = Array.from({ length: Math.min(50, fillers + 1 - n) }, () =>
			owner.create(`${grid}/entities`, {}, { layout: 'field' }),
		);
		await Promise.all(some);
	}
	const described = await owner.fields(grid);
	const rows: Json[] = [];
	for (let pageIndex = 1; rows.length < longest + fillers + 1; pageIndex++) {
		const page = await owner.get(`${grid}/entities`, { pageIndex: String(pageIndex), pageSize: '1000' });
		rows.push(...objects(page.json()['items']));
	}
	return {
		grid,
		ids,
		types: Object.fromEntries(TYPES.map(([type]) => [id(ids, type.replace('-', '').toLowerCase()), type])),
		fields: described.map((field) => fieldSchema.parse(field)),
		rows,
	};
}

const sortingOf = (levels: readonly Level[]) =>
	JSON.stringify(
		Object.fromEntries(levels.map(([field, down]) => [field, { $order: down ? 'descending' : 'ascending' }])),
	);

const PAGE_SIZE = 50;

/** Entities of the first and the last page, by page number. */
const firstAndLastPage = (rows: readonly Json[]) =>
	new Map(
		[0, Math.max(0, Math.ceil(rows.length / PAGE_SIZE) - 1)].map((page) => [
			page + 1,
			rows.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
		]),
	);

const idsOf = (rows: readonly Json[]) => rows.map((row) => row['_id']);

/** Compares the service with the filter model, and the node's row test with both. */
async function check(
	{ types, fields, rows }: Table,
	address: string,
	asked: Filter,
	expected: Filter,
	levels: readonly Level[] = [],
) {
	const matching = sorted(
		rows.filter((row) => meets(expected, row, types)),
		levels,
		types,
	);
	for (const [pageIndex, shown] of firstAndLastPage(matching)) {
		const reply = await owner.get(`${address}/entities`, {
			filter: JSON.stringify(asked),
			pageIndex: String(pageIndex),
			pageSize: String(PAGE_SIZE),
			...(levels.length > 0 ? { sorting: sortingOf(levels) } : {}),
		});
		expect({ asked, status: reply.status }).toEqual({ asked, status: 200 });
		const { items, numberOfItems } = reply.json();
		expect({ asked, levels, numberOfItems, ids: idsOf(objects(items)) }).toEqual({
			asked,
			levels,
			numberOfItems: matching.length,
			ids: idsOf(shown),
		});
	}
	const answerOf = filterReading(asked, fields);
	const notAccepted = idsOf(matching.filter((row) => answerOf(row, true) === 'fails'));
	expect({ asked, notAccepted }).toEqual({ asked, notAccepted: [] });
}

/** Valid and refused operands of every operator for a type. */
function operandsOf(type: string, values: readonly unknown[], wrong: readonly unknown[]) {
	const scalar = !STRUCTURED.includes(type);
	const valid: Array<Readonly<Record<string, unknown>>> = [
		...[...values, null].flatMap((value) => [{ $eq: value }, { $ne: value }, { $in: [value] }]),
		{ $in: [] },
		{ $in: [...values, null] },
		{ $in: values.slice(1) },
		{ $empty: true },
		{ $empty: false },
		...CONTAINED.map((text) => ({ $contains: text })),
		...(scalar ? values.flatMap((value) => ORDERED.map((operator) => ({ [operator]: value }))) : []),
		...(scalar ? values.slice(1).map((value) => ({ $gte: values[0], $lt: value, $ne: value })) : []),
	];
	const refused: Array<Readonly<Record<string, unknown>>> = [
		...wrong.flatMap((value) => ['$eq', '$ne', ...ORDERED].map((operator) => ({ [operator]: value }))),
		...wrong.map((value) => ({ $in: [...values, value] })),
		...ORDERED.map((operator) => ({ [operator]: null })),
		...(scalar ? [] : values.flatMap((value) => ORDERED.map((operator) => ({ [operator]: value })))),
		{ $contains: 5 },
		{ $empty: 'yes' },
		{ $in: 'a' },
		{ $regex: 'a' },
		{},
	];
	return { valid, refused };
}

/** Returns a random filter of several fields and levels. */
function nested(table: Table, next: (limit: number) => number, depth: number): Filter {
	const part = () => nested(table, next, depth - 1);
	const kind = depth === 0 ? 9 : next(6);
	if (kind === 0) return { $and: Array.from({ length: next(4) }, part) };
	if (kind === 1) return { $or: Array.from({ length: next(4) }, part) };
	if (kind === 2) return { $not: part() };
	const [type = '', values = [], wrong = []] = TYPES[next(TYPES.length)] ?? [];
	const { valid } = operandsOf(type, values, wrong);
	return {
		[id(table.ids, type.replace('-', '').toLowerCase())]: valid[next(valid.length)],
		...(kind === 3 ? part() : {}),
	};
}

describe.each([
	['that scan every row', 0],
	['that use an index', FILLERS],
])('§2.8, §4.5: filters %s', (name, fillers) => {
	let table: Table;
	beforeAll(async () => {
		table = await makeTable(name, fillers);
	}, 60_000);

	test.each(TYPES)(
		'%s: every operator works as documented in service/README',
		async (type, values, wrong) => {
			const field = id(table.ids, type.replace('-', '').toLowerCase());
			const seen = table.rows.slice(0, 2).map((row) => row[field]).filter((value) => typeof value === 'string'); // prettier-ignore
			const { valid, refused } = operandsOf(type, values.length > 0 ? values : seen, wrong);
			// An index finds no texts within texts, and values are validated without one.
			const asked = fillers > 0 ? valid.filter((operand) => !('$contains' in operand)) : valid;
			for (const operand of asked) await check(table, table.grid, { [field]: operand }, { [field]: operand });
			for (const operand of fillers > 0 ? [] : refused) {
				const filter = JSON.stringify({ [field]: operand });
				const { status } = await owner.get(`${table.grid}/entities`, { filter });
				expect({ operand, status }).toEqual({ operand, status: 400 });
			}
			for (const isDescending of [false, true]) {
				await check(table, table.grid, {}, {}, [[field, isDescending]]);
				const other = id(table.ids, type === 'boolean' ? 'enum' : 'boolean');
				const by: Level[] = [[other, !isDescending], [field, isDescending]]; // prettier-ignore
				await check(table, table.grid, { [field]: { $empty: false } }, { [field]: { $empty: false } }, by);
				if (values.length > 0) await check(table, table.grid, { [field]: { $eq: values[0] } }, { [field]: { $eq: values[0] } }, by); // prettier-ignore
			}
		},
		60_000,
	);

	test('nested filters match the model, also in views that hide the compared fields', async () => {
		const random = new Random(20260301);
		const next = (limit: number) => random.below(limit);
		const shown = [id(table.ids, 'string')];
		for (let n = 0; n < 40; n++) {
			const own = nested(table, next, 2);
			const view = await owner.view(table.grid, shown, own, { name: `${name} ${n}` });
			await check(table, view, {}, own);
			for (let more = 0; more < 4; more++) {
				const asked = nested(table, next, 3);
				const levels: Level[] = [[id(table.ids, 'integer'), next(2) === 0], [id(table.ids, 'string'), next(2) === 0]]; // prettier-ignore
				await check(table, table.grid, asked, asked, levels);
				await check(table, view, asked, { $and: [own, asked] }, levels);
			}
		}
	}, 120_000);
});
