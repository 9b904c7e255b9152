import { type Field, type Filter, InvalidInput, isJsonObject, ownMember } from '../../../client';
import { folded } from '../display/foldedText';
import { hasOneOrder, isExactly, sameValue, valueOrder } from './equality';

type Row = Readonly<Record<string, unknown>>;

/**
 * Whether a row meets a filter. §2.8 documents `$eq` only and not how it compares, so a service may
 * read a filter in its own way: `unknown` is the answer if that decides.
 */
export type Answer = 'meets' | 'fails' | 'unknown';

/**
 * @param isExact whether `$eq` regards case and composition of letters, and an empty cell precedes
 *   and follows no value
 */
type Test = (row: Row, isExact?: boolean) => Answer;

/**
 * Compares rows with a filter in the node itself, because a service may ignore operators that it
 * does not know.
 * @param filter keyed by field id, as it is sent
 * @throws InvalidInput if the filter contains an unknown operator
 */
export function filterReading(filter: Filter, fields: readonly Field[]): Test {
	return testOf(filter, new Map(fields.map((field) => [field.id, field])));
}

/** The same for rows that are only read: `unknown` if the filter contains an unknown operator. */
export function looseFilterReading(filter: Filter, fields: readonly Field[]): Test {
	try {
		return filterReading(filter, fields);
	} catch {
		return () => 'unknown';
	}
}

const answerOf = (holds: boolean): Answer => (holds ? 'meets' : 'fails');

const OPPOSITES = { meets: 'fails', fails: 'meets', unknown: 'unknown' } as const;

/** The answer to several conditions at once, or, if `decisive` is `meets`, to any of them. */
function combined(answers: Iterable<Answer>, decisive: 'meets' | 'fails'): Answer {
	let combination: Answer = OPPOSITES[decisive];
	for (const answer of answers) {
		if (answer === decisive) return decisive;
		if (answer === 'unknown') combination = 'unknown';
	}
	return combination;
}

const all =
	(tests: readonly Test[]): Test =>
	(row, isExact) =>
		combined(
			tests.map((test) => test(row, isExact)),
			'fails',
		);

const any =
	(tests: readonly Test[]): Test =>
	(row, isExact) =>
		combined(
			tests.map((test) => test(row, isExact)),
			'meets',
		);

function testOf(filter: Filter, fields: ReadonlyMap<string, Field>): Test {
	const tests = Object.entries(filter).map(([name, condition]): Test => {
		if (name === '$and' || name === '$or') {
			const parts = listOf(name, condition).map((part) => testOf(part, fields));
			return name === '$and' ? all(parts) : any(parts);
		}
		if (name === '$not' && isJsonObject(condition)) {
			const test = testOf(condition, fields);
			return (row, isExact) => OPPOSITES[test(row, isExact)];
		}
		const field = fields.get(name);
		if (!field) throw unknownOperator(name);
		if (!isJsonObject(condition)) throw withoutOperator(field);
		const comparisons = Object.entries(condition).map(([operator, operand]) =>
			comparisonOf(field, operator, operand),
		);
		return all(
			comparisons.map(
				(compare): Test =>
					(row, isExact) =>
						compare(ownMember(row, name) ?? null, isExact),
			),
		);
	});
	return all(tests);
}

type Comparison = (value: unknown, isExact?: boolean) => Answer;

function comparisonOf(field: Field, operator: string, operand: unknown): Comparison {
	const ordered =
		(holds: (order: number) => boolean): Comparison =>
		(value, isExact) =>
			orderAnswer(field, [value, operand], holds, isExact);
	switch (operator) {
		case '$eq':
			return (value, isExact) => equality(field, value, operand, isExact);
		case '$ne':
			return (value, isExact) => OPPOSITES[equality(field, value, operand, isExact)];
		case '$in': {
			const options = [operand].flat();
			return (value, isExact) =>
				combined(
					options.map((option) => equality(field, value, option, isExact)),
					'meets',
				);
		}
		case '$contains':
			return (value) => containment(value, String(operand));
		case '$empty':
			return (value) => (isEmptyValue(value) ? 'unknown' : answerOf((value === null) === (operand === true)));
		case '$gt':
			return ordered((order) => order > 0);
		case '$gte':
			return ordered((order) => order >= 0);
		case '$lt':
			return ordered((order) => order < 0);
		case '$lte':
			return ordered((order) => order <= 0);
		default:
			throw unknownOperator(operator);
	}
}

/** An empty text or list, which some services store as no value. */
const isEmptyValue = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Services differ in the case and composition of letters, the order of options and whether empty is
 * a value.
 */
function equality(field: Field, value: unknown, operand: unknown, isExact = false): Answer {
	if (value === operand) return 'meets';
	const emptyValues = [value, operand].filter((one) => one === null || isEmptyValue(one)).length;
	if (emptyValues > 0) return emptyValues === 2 ? 'unknown' : 'fails';
	if (sameValue(field, value, operand)) return isExactly(field, value, operand) ? 'meets' : 'unknown';
	return !isExact && hasText(value, operand) ? 'unknown' : 'fails';
}

/** Whether a value is, or a list contains, a text in any case and composition. */
const hasText = (value: unknown, text: unknown): boolean =>
	textsIn(value).some((one) => folded(one) === folded(String(text)));

/** Services differ in where they sort empty cells, and in the order of texts. */
function orderAnswer(
	field: Field,
	[value, operand]: readonly [unknown, unknown],
	holds: (order: number) => boolean,
	isExact = false,
): Answer {
	const order = value === null ? undefined : valueOrder(field, value, operand);
	if (order === undefined) return isExact ? 'fails' : 'unknown';
	const isAlike = hasOneOrder(field) || holds(order) === holds(String(value).localeCompare(String(operand)));
	return isAlike ? answerOf(holds(order)) : 'unknown';
}

/** Services differ in case, composition of letters, and in comparing lists as a whole. */
function containment(value: unknown, part: string): Answer {
	const texts = textsIn(value);
	const has = texts.some((text) => text.includes(part));
	const hasFolded = texts.some((text) => folded(text).includes(folded(part)));
	if (hasFolded && (Array.isArray(value) ? texts.includes(part) : has)) return 'meets';
	return has || hasFolded ? 'unknown' : 'fails';
}

function textsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
	return value === null || value === undefined ? [] : [String(value)];
}

/** The ids of the columns that a filter names. */
export function columnsIn(filter: Filter): string[] {
	return Object.entries(filter).flatMap(([name, condition]) =>
		name.startsWith('$') ? partsOf(condition).flatMap(columnsIn) : [name],
	);
}

/** The operators of a filter, one for each comparison; a service may ignore each separately. */
export function operatorsIn(filter: Filter): string[] {
	return Object.entries(filter).flatMap(([name, condition]) =>
		partsOf(condition).flatMap((part) => (name.startsWith('$') ? operatorsIn(part) : Object.keys(part))),
	);
}

const partsOf = (condition: unknown): Filter[] => [condition].flat().filter(isJsonObject);

function listOf(name: string, condition: unknown): Filter[] {
	if (Array.isArray(condition) && condition.every(isJsonObject)) return condition;
	throw unknownOperator(name);
}

function withoutOperator({ name }: Field): InvalidInput {
	return new InvalidInput(
		`The filter gives a value for "${name}", but no operator`,
		`Write the value with an operator, e.g. { "${name}": { "$eq": "new" } }.`,
	);
}

function unknownOperator(name: string): InvalidInput {
	return new InvalidInput(
		`The filter uses "${name}", which this node cannot verify before it writes`,
		'Use $eq, $ne, $gt, $gte, $lt, $lte, $in, $contains, $empty, $and, $or and $not, or read the rows with Get Many and pass them on.',
	);
}
