import { randomUUID } from 'crypto';

export interface FormFile {
	/** The name of its form field. */
	field: string;
	name: string;
	type: string;
	content: Uint8Array;
}

/** Escapes a quoted header parameter the way browsers do. */
const quoted = (text: string) => text.replace(/["\r\n]/g, (character) => encodeURIComponent(character));

/**
 * A body of multipart/form-data (RFC 7578): texts by field name, then one file.
 * @returns the body and its content type, which names the boundary between the parts
 */
export function multipart(texts: Record<string, string>, file: FormFile): { type: string; data: Uint8Array } {
	const encoder = new TextEncoder();
	const boundary = `datagrid-${randomUUID()}`;
	const parts = Object.entries(texts).map(
		([name, text]) =>
			`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${text}\r\n`,
	);
	const disposition = `form-data; name="${quoted(file.field)}"; filename="${quoted(file.name)}"`;
	const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${file.type}\r\n\r\n`;
	const before = encoder.encode(parts.join('') + head);
	const after = encoder.encode(`\r\n--${boundary}--\r\n`);
	const data = new Uint8Array(before.length + file.content.length + after.length);
	data.set(before);
	data.set(file.content, before.length);
	data.set(after, before.length + file.content.length);
	return { type: `multipart/form-data; boundary=${boundary}`, data };
}
