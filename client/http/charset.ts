const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a text: as UTF-8, which JSON requires (RFC 8259, 8.1), otherwise by its `Content-Type`.
 * @returns the bytes if they are in neither encoding
 */
export function decodedText(bytes: Uint8Array, contentType = ''): string | Uint8Array {
	const text = decodedBy(() => utf8, bytes);
	if (text !== undefined) return text;
	const [, charset] = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType) ?? [];
	if (charset === undefined) return bytes;
	return decodedBy(() => new TextDecoder(charset, { fatal: true }), bytes) ?? bytes;
}

/** Decodes a header, which Node reads as ISO-8859-1, if its bytes are UTF-8. */
export function decodedHeader(value: string): string {
	if (!/[\u0080-\u00ff]/.test(value)) return value;
	const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
	return decodedBy(() => utf8, bytes) ?? value;
}

/** @returns undefined for bytes of another encoding, and for an unknown encoding */
function decodedBy(decoder: () => typeof utf8, bytes: Uint8Array): string | undefined {
	try {
		return decoder().decode(bytes);
	} catch {
		return undefined;
	}
}
