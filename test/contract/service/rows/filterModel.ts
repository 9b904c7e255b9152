/**
 * Reference implementation of filters and sorting, written from the specification (§2.8) and the
 * table in service/README.md. It shares no code with the service.
 */

export type Cells = Readonly<Record<string, unknown>>;
export type Filter = Readonly<Record<string, unknown>>;

/** Type names by field ID. */
export type Types = Readonly<Record<string, string>>;

const LIST_TYPES = ['enumcollection', 'stringcollection'];
const TIME_TYPES = ['date-time', 'createdat'];
/** Types whose values are arrays or objects, which have no order. */
export const STRUCTURED = [
	...LIST_TYPES,
	'address',
	'geolocation',
	'attachments',
	'reference',
	'references',
	'resource',
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Normalizes a value: times to milliseconds, reference strings to objects. */
function normalized(type: string, value: unknown): unknown {
	if (value === null || value === undefined) return null;
	if (typeof value === 'string' && TIME_TYPES.includes(type)) return Date.parse(value);
	if (typeof value === 'string' && type === 'reference') return { uri: value };
	if (typeof value === 'string' && type === 'resource') return { href: value };
	return value;
}

/** Deep equality: the order of members does not matter, the order of items does. */
function isEqual(one: unknown, other: unknown): boolean {
	if (Array.isArray(one) && Array.isArray(other))
		return one.length === other.length && one.every((value, n) => isEqual(value, other[n]));
	if (isObject(one) && isObject(other)) {
		const names = Object.keys({ ...one, ...other });
		return names.every((name) => name in one && name in other && isEqual(one[name], other[name]));
	}
	return typeof one === 'string' && typeof other === 'string'
		? one.normalize() === other.normalize()
		: one === other;
}

function compareCodePoints(one: string, other: string): number {
	const [left, right] = [one, other].map((text) =>
		Array.from(text, (character) => character.codePointAt(0) ?? 0),
	);
	for (let n = 0; n < Math.min(left?.length ?? 0, right?.length ?? 0); n++) {
		const difference = (left?.[n] ?? 0) - (right?.[n] ?? 0);
		if (difference !== 0) return difference;
	}
	return (left?.length ?? 0) - (right?.length ?? 0);
}

/** Compares two values: empty cells first, numbers by value, text by code points. */
function compare(type: string, one: unknown, other: unknown): number {
	const [left, right] = [one, other].map((value) => {
		const plain = normalized(type, value);
		if (typeof plain === 'boolean') return Number(plain);
		return typeof plain === 'object' && plain !== null ? JSON.stringify(plain) : plain;
	});
	if (left === null || right === null) return Number(left !== null) - Number(right !== null);
	if (typeof left === 'string' && typeof right === 'string')
		return compareCodePoints(left.normalize(), right.normalize());
	return Number(left) - Number(right);
}

const textsIn = (value: unknown): string[] =>
	isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [String(value)];

function contains(type: string, cell: unknown, wanted: string): boolean {
	if (cell === null) return false;
	if (LIST_TYPES.includes(type)) return Array.isArray(cell) && cell.some((one) => isEqual(one, wanted));
	const folded = (text: string) => text.normalize().toLowerCase();
	return textsIn(cell).some((text) => folded(text).includes(folded(wanted)));
}

function matches(type: string, cell: unknown, [operator, operand]: readonly [string, unknown]): boolean {
	const equals = (value: unknown) => isEqual(normalized(type, cell), normalized(type, value));
	const ordered = cell === null ? Number.NaN : compare(type, cell, operand);
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
			throw new Error(`Unknown operator ${operator}`);
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
			matches(type, row[name] ?? null, one),
		);
	});
}

/** A field, and whether it is sorted in descending order. */
export type Level = readonly [fieldId: string, isDescending: boolean];

/**
 * Sorts rows that are given in creation order. Equal rows keep that order, reversed if the first
 * field is sorted in descending order.
 */
export function sorted<Row extends Cells>(
	rows: readonly Row[],
	levels: readonly Level[],
	types: Types,
): Row[] {
	const isDescending = levels[0]?.[1] ?? false;
	const before = (one: Row, other: Row) => {
		for (const [id, isDown] of levels) {
			const difference = compare(types[id] ?? '', one[id] ?? null, other[id] ?? null);
			if (difference !== 0) return isDown ? -difference : difference;
		}
		return 0;
	};
	return (isDescending ? [...rows].reverse() : [...rows]).sort(before);
}
