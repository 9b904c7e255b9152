import { inspect, isDeepStrictEqual } from 'node:util';

/** A run of a node that came to something else than it had to. */
export class Difference extends Error {}

const LONGEST = 600;
const shown = (value: unknown): string =>
	inspect(value, { depth: 6, breakLength: Infinity, maxStringLength: LONGEST }).slice(0, LONGEST);
const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** Where two values differ first, and what stands there. */
function firstDifference(
	found: unknown,
	expected: unknown,
	path = '',
): [path: string, found: unknown, expected: unknown] {
	if (isRecord(found) && isRecord(expected) && Array.isArray(found) === Array.isArray(expected))
		for (const name of new Set([...Object.keys(expected), ...Object.keys(found)]))
			if (!isDeepStrictEqual(found[name], expected[name]))
				return firstDifference(found[name], expected[name], `${path}/${name}`);
	return [path, found, expected];
}

/** @throws Difference where the two are not the same, members in any order */
export function same(what: string, found: unknown, expected: unknown): void {
	if (isDeepStrictEqual(found, expected)) return;
	const [path, one, other] = firstDifference(found, expected);
	const counts =
		Array.isArray(found) && Array.isArray(expected) ? ` (${found.length}, not ${expected.length})` : '';
	throw new Difference(
		`${what}${counts}${path === '' ? '' : `, at ${path}`}\n    found    ${shown(one)}\n    expected ${shown(other)}`,
	);
}

/** @throws Difference where it does not hold */
export function holds(what: string, condition: boolean, found: unknown): void {
	if (!condition) throw new Difference(`${what}\n    found    ${shown(found)}`);
}
