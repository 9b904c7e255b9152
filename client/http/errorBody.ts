/** Members that may contain the service's message, in order of precedence. */
const MESSAGE_KEYS = ['message', 'error_description', 'detail', 'error', 'title', 'reason', 'errors'];

/** Finds the service's message in an error body, in any plausible shape: §7 leaves it open. */
export function messageIn(body: unknown): string | undefined {
	if (typeof body === 'string') return body.trim() || undefined;
	if (Array.isArray(body)) return body.map(messageIn).filter(Boolean).join('; ') || undefined;
	if (typeof body !== 'object' || body === null) return undefined;
	const entries = new Map<string, unknown>(Object.entries(body));
	for (const key of MESSAGE_KEYS) {
		const message = messageIn(entries.get(key));
		if (message) return message;
	}
	return messagesByName(entries.get('errors'));
}

/** Validation messages by member, such as `{ name: "is taken" }`. */
function messagesByName(errors: unknown): string | undefined {
	if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return undefined;
	const messages = Object.entries(errors).flatMap(([name, error]) => {
		// Already searched; searching twice at each level would take 2^n steps for n levels.
		if (MESSAGE_KEYS.includes(name)) return [];
		const message = messageIn(error);
		return message ? [`${name}: ${message}`] : [];
	});
	return messages.join('; ') || undefined;
}
