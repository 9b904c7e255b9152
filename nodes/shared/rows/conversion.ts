/** A value that has no form of the field's type. */
export class Unconvertible {
	/** @param because what keeps it from fitting, where that is not plain from value and type */
	constructor(readonly because?: string) {}
}

/**
 * Turns a value into the form that a type asks for, exactly, or answers `Unconvertible`.
 * @param timezone of the workflow, for moments without an offset
 */
export type Convert = (value: unknown, timezone: string) => unknown;
