/** The value of a picker: an id. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A text in an output row. @throws if it is not a text */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	throw new Error(`Not a text: ${JSON.stringify(value)}`);
}
