import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ResponseTooLarge } from '../../../client/http/responseLimit';
import type { TransportRequest } from '../../../client/http/transport';

/** What n8n stores a file from. */
export type FileContent = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];
/** A stream of bytes, as n8n takes one for a file. */
type FileStream = Exclude<FileContent, Uint8Array> & AsyncIterable<Uint8Array>;

/** A stream of bytes, whatever class it is of. */
export const fileStream = z.custom<FileStream>(
	(value) =>
		typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'destroy' in value,
);

/**
 * Headers by their names in lower case; n8n hands over an instance of axios's own class, which zod
 * does not take for a record.
 */
export const headersSchema = z.unknown().transform((headers): Record<string, string> => {
	const pairs = Object.entries(headers ?? {}).map(([name, value]: [string, unknown]) => [
		name.toLowerCase(),
		Array.isArray(value) ? value.join(', ') : String(value),
	]);
	return Object.fromEntries(pairs);
});

const streamedSchema = z.looseObject({ statusCode: z.number(), headers: headersSchema, body: z.unknown() });

/**
 * n8n's helper takes an answer of any size, so it hands over a stream here, and no more than may be
 * held is taken of that. A file that goes on to somebody else is never held whole.
 * @param maxBytes of the answer, decompressed
 */
export function withBody(
	{ expect, method, deliver, holdsBack }: TransportRequest,
	abortSignal: AbortSignal,
	maxBytes: number,
) {
	return async (answer: unknown): Promise<unknown> => {
		const { body, ...rest } = streamedSchema.parse(answer);
		const stream = fileStream.safeParse(body);
		if (!stream.success) return { ...rest, body };
		// Once the head of an answer is there, n8n's helper heeds the signal no more.
		abortSignal.addEventListener('abort', () => stream.data.destroy(new Error('aborted')), { once: true });
		const isFile = rest.statusCode >= 200 && rest.statusCode < 300 && !holdsBack?.(rest.headers);
		if (deliver && isFile) {
			const content = limited(stream.data, maxBytes, method);
			await deliver(content);
			// Whoever takes the content may not notice how it ended.
			return content.errored ? await Promise.reject(content.errored) : { ...rest, body: '' };
		}
		const parts: Uint8Array[] = [];
		let size = 0;
		for await (const part of stream.data) {
			size += part.length;
			if (size > maxBytes) throw new ResponseTooLarge(maxBytes, { method });
			parts.push(part);
		}
		const whole = Buffer.concat(parts);
		return { ...rest, body: expect === 'binary' ? whole : new TextDecoder().decode(whole) };
	};
}

/** The same content; it breaks off with an error after so many bytes. */
function limited(stream: FileStream, most: number, method: TransportRequest['method']): FileStream {
	let size = 0;
	return stream.map((part: Uint8Array) => {
		size += part.length;
		if (size > most) throw new ResponseTooLarge(most, { method });
		return part;
	});
}
