import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ResponseTooLarge } from '../../../client/http/responseLimit';
import type { TransportRequest } from '../../../client/http/transport';

/** The forms of file content that n8n can store. */
export type FileContent = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];
/** A byte stream that n8n accepts as file content. */
type FileStream = Exclude<FileContent, Uint8Array> & AsyncIterable<Uint8Array>;

/** A byte stream of any class. */
export const fileStream = z.custom<FileStream>(
	(value) =>
		typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'destroy' in value,
);

/**
 * Headers by lower-case name. n8n passes an instance of an axios class, which zod does not accept
 * as a record.
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
 * Reads a response body from a stream, up to a limit, because n8n's helper itself accepts any size.
 * A file is streamed to `deliver` and never held in memory whole.
 * @param maxBytes limit for the decompressed body
 */
export function withBody(
	{ expect, method, deliver, holdsBack }: TransportRequest,
	abortSignal: AbortSignal,
	maxBytes: number,
) {
	return async (response: unknown): Promise<unknown> => {
		const { body, ...rest } = streamedSchema.parse(response);
		const stream = fileStream.safeParse(body);
		if (!stream.success) return { ...rest, body };
		// n8n's helper ignores the signal once the response headers have arrived.
		abortSignal.addEventListener('abort', () => stream.data.destroy(new Error('aborted')), { once: true });
		const isFile = rest.statusCode >= 200 && rest.statusCode < 300 && !holdsBack?.(rest.headers);
		if (deliver && isFile) {
			const content = limited(stream.data, maxBytes, method);
			await deliver(content);
			// The consumer may not notice that the stream ended with an error.
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

/** The same content, ended with an error after the maximum number of bytes. */
function limited(stream: FileStream, most: number, method: TransportRequest['method']): FileStream {
	let size = 0;
	return stream.map((part: Uint8Array) => {
		size += part.length;
		if (size > most) throw new ResponseTooLarge(most, { method });
		return part;
	});
}
