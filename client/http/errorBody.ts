/** Members that may hold the service's words, in the order in which they are looked up. */
const MESSAGE_KEYS = ['message', 'error_description', 'detail', 'error', 'title', 'reason', 'errors'];

/**
 * Finds the service's own words in an error body: §4 leaves its format open, so every plausible
 * shape is read.
 */
export function messageIn(body: unknown): string | undefined {
	if (typeof body === 'string') return body.trim() || undefined;
	if (Array.isArray(body)) return body.map(messageIn).filter(Boolean).join('; ') || undefined;
	if (typeof body !== 'object' || body === null) return undefined;
	const entries = new Map<string, unknown>(Object.entries(body));
	for (const key of MESSAGE_KEYS) {
		const found = messageIn(entries.get(key));
		if (found) return found;
	}
	return messagesByName(entries.get('errors'));
}

/** `{ name: "is taken" }`, as validators tell it: what is wrong with each member. */
function messagesByName(errors: unknown): string | undefined {
	if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return undefined;
	const messages = Object.entries(errors).flatMap(([name, error]) => {
		// Looked into before, in vain: a second time at each level takes 2^n looks for n levels.
		if (MESSAGE_KEYS.includes(name)) return [];
		const message = messageIn(error);
		return message ? [`${name}: ${message}`] : [];
	});
	return messages.join('; ') || undefined;
}
