import { deepCopy } from 'n8n-workflow';
import type { Entity } from '../../../client';
import { FailedRow, type RowWriter } from '../../shared/rows/output';
import type { Result } from '../../shared/runner/context';

/**
 * Replaces each object that occurs again in the output by a copy, because a later node may change
 * one of them.
 * @returns the same results
 */
export function copySharedObjects(results: Array<Result | Error>): Array<Result | Error> {
	const seen = new Set<object>();
	for (const row of results.flat()) {
		if (row instanceof FailedRow) copyMembers(row.row, seen);
		else if (!(row instanceof Error)) copyMembers(row, seen);
	}
	return results;
}

function copyMembers(parent: object, seen: Set<object>): void {
	for (const name of Object.keys(parent)) {
		const value: unknown = Reflect.get(parent, name);
		// Objects with their own notation, such as dates, are not JSON.
		if (typeof value !== 'object' || value === null || 'toJSON' in value) continue;
		if (seen.has(value)) Object.defineProperty(parent, name, { value: deepCopy(value) });
		else copyMembers(value, seen.add(value));
	}
}

/** Entities whose values are in the output. */
const output = new WeakSet<Entity>();

/** A row of an entity that several items may output: from the second time on, a copy. */
export function unsharedRow(entity: Entity, write: RowWriter): object {
	const row = write(entity);
	if (output.has(entity)) return deepCopy(row);
	output.add(entity);
	return row;
}
