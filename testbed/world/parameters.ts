/** Picker value with an ID. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Narrows an output value to text. @throws if it is not text */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	throw new Error(`Not a text: ${JSON.stringify(value)}`);
}
