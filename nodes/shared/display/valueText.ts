/** A value as text for messages, shortened to 80 characters. */
export function valueText(value: unknown): string {
	if (value === undefined) return 'nothing (undefined)';
	// JSON writes NaN as null and cannot represent a bigint.
	const isNumber = typeof value === 'number' || typeof value === 'bigint';
	const text =
		typeof value === 'string'
			? `"${value}"`
			: isNumber
				? String(value)
				: (JSON.stringify(value) ?? String(value));
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
