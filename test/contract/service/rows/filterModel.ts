/**
 * What a filter and a sorting mean, written from the specification (§2.8) and from the table in
 * service/README.md alone. It shares no code with the service.
 */

export type Cells = Readonly<Record<string, unknown>>;
export type Filter = Readonly<Record<string, unknown>>;

/** The name of the type of each field, by field id. */
export type Types = Readonly<Record<string, string>>;

const LISTS = ['enumcollection', 'stringcollection'];
const MOMENTS = ['date-time', 'createdat'];
/** Types whose values are a list or an object: they have no order. */
export const STRUCTURED = [
	...LISTS,
	'address',
	'geolocation',
	'attachments',
	'reference',
	'references',
	'resource',
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value in its one spelling: of a moment the milliseconds, of `reference` its object. */
function spelled(type: string, value: unknown): unknown {
	if (value === null || value === undefined) return null;
	if (typeof value === 'string' && MOMENTS.includes(type)) return Date.parse(value);
	if (typeof value === 'string' && type === 'reference') return { uri: value };
	if (typeof value === 'string' && type === 'resource') return { href: value };
	return value;
}

/** Objects are equal whatever the order of their members; lists are not. */
function same(one: unknown, other: unknown): boolean {
	if (Array.isArray(one) && Array.isArray(other))
		return one.length === other.length && one.every((value, n) => same(value, other[n]));
	if (isObject(one) && isObject(other)) {
		const names = Object.keys({ ...one, ...other });
		return names.every((name) => name in one && name in other && same(one[name], other[name]));
	}
	return one === other;
}

function byCharacters(one: string, other: string): number {
	const [left, right] = [one, other].map((text) =>
		Array.from(text, (character) => character.codePointAt(0) ?? 0),
	);
	for (let n = 0; n < Math.min(left?.length ?? 0, right?.length ?? 0); n++) {
		const difference = (left?.[n] ?? 0) - (right?.[n] ?? 0);
		if (difference !== 0) return difference;
	}
	return (left?.length ?? 0) - (right?.length ?? 0);
}

/** Empty cells first, then numbers, then text by characters. */
function order(type: string, one: unknown, other: unknown): number {
	const [left, right] = [one, other].map((value) => {
		const plain = spelled(type, value);
		if (typeof plain === 'boolean') return Number(plain);
		return typeof plain === 'object' && plain !== null ? JSON.stringify(plain) : plain;
	});
	if (left === null || right === null) return Number(left !== null) - Number(right !== null);
	if (typeof left === 'string' && typeof right === 'string') return byCharacters(left, right);
	return Number(left) - Number(right);
}

const textsIn = (value: unknown): string[] =>
	isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [String(value)];

function contains(type: string, cell: unknown, wanted: string): boolean {
	if (cell === null) return false;
	if (LISTS.includes(type)) return Array.isArray(cell) && cell.includes(wanted);
	return textsIn(cell).some((text) => text.toLowerCase().includes(wanted.toLowerCase()));
}

function compares(type: string, cell: unknown, [operator, operand]: readonly [string, unknown]): boolean {
	const equals = (value: unknown) => same(spelled(type, cell), spelled(type, value));
	const ordered = cell === null ? Number.NaN : order(type, cell, operand);
	switch (operator) {
		case '$eq':
			return equals(operand);
		case '$ne':
			return !equals(operand);
		case '$gt':
			return ordered > 0;
		case '$gte':
			return ordered >= 0;
		case '$lt':
			return ordered < 0;
		case '$lte':
			return ordered <= 0;
		case '$in':
			return Array.isArray(operand) && operand.some(equals);
		case '$contains':
			return contains(type, cell, String(operand));
		case '$empty':
			return (cell === null) === operand;
		default:
			throw new Error(`The model knows no ${operator}`);
	}
}

/** Whether a row meets a filter. */
export function meets(filter: Filter, row: Cells, types: Types): boolean {
	return Object.entries(filter).every(([name, operand]) => {
		const parts = (Array.isArray(operand) ? operand : [operand]).filter(isObject);
		if (name === '$and') return parts.every((part) => meets(part, row, types));
		if (name === '$or') return parts.some((part) => meets(part, row, types));
		if (name === '$not') return !parts.every((part) => meets(part, row, types));
		const type = types[name] ?? '';
		return Object.entries(isObject(operand) ? operand : {}).every((one) =>
			compares(type, row[name] ?? null, one),
		);
	});
}

/** A field and whether it is sorted downwards. */
export type Level = readonly [fieldId: string, isDescending: boolean];

/**
 * Rows in the order of a sorting; they come in the order of their creation, which decides between
 * equals in the direction of the first field.
 */
export function sorted<Row extends Cells>(
	rows: readonly Row[],
	levels: readonly Level[],
	types: Types,
): Row[] {
	const isDescending = levels[0]?.[1] ?? false;
	const before = (one: Row, other: Row) => {
		for (const [id, isDown] of levels) {
			const difference = order(types[id] ?? '', one[id] ?? null, other[id] ?? null);
			if (difference !== 0) return isDown ? -difference : difference;
		}
		return 0;
	};
	return (isDescending ? [...rows].reverse() : [...rows]).sort(before);
}
