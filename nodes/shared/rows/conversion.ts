import { type Field, InvalidInput } from '../../../client';

/** A value that does not fit its column. */
export class InvalidCell extends InvalidInput {
	constructor(
		readonly field: Pick<Field, 'id' | 'name'>,
		{ message, hint }: InvalidInput,
	) {
		super(message, hint);
	}
}

/** The result for a value that cannot be converted to the field's type. */
export class Unconvertible {
	/** @param reason the reason, if it is not obvious from value and type */
	constructor(readonly reason?: string) {}
}

/**
 * Converts a value to a type without loss, or returns `Unconvertible`.
 * @param timezone the workflow's time zone, for date-times without an offset
 */
export type Convert = (value: unknown, timezone: string) => unknown;
