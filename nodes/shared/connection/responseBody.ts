import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	decodedText,
	isJsonObject,
	ResponseTooLarge,
	type TransportRequest,
	type TransportResponse,
} from '../../../client';
import type { Running } from './timeLimit';

/** The types of file content that n8n can store. */
export type FileContent = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];
/** A byte stream that n8n accepts as file content. */
type FileStream = Exclude<FileContent, Uint8Array> & AsyncIterable<Uint8Array>;

/** A byte stream of any class. */
export const fileStream = z.custom<FileStream>(isFileStream);

function isFileStream(value: unknown): value is FileStream {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'destroy' in value;
}

/** Headers by lower-case name. zod refuses the axios class that n8n passes as a record. */
function headersOf(raw: unknown): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(raw ?? {}))
		headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
	return headers;
}

interface FullResponse {
	statusCode: number;
	headers?: unknown;
	body?: unknown;
}

/** A response with `returnFullResponse`. No schema: rows get thousands of responses. */
const isFullResponse = (response: unknown): response is FullResponse =>
	isJsonObject(response) && typeof response['statusCode'] === 'number';

/**
 * Reads a response body from a stream, up to a limit, because n8n's helper itself accepts any size.
 * A file is streamed to `deliver` and never held in memory whole.
 * @param limits.maxBytes limit for the decompressed body
 */
export async function withBody(
	response: unknown,
	{ expect, method, deliver, holdsBack }: TransportRequest,
	{ running, maxBytes }: { running: Running; maxBytes: number },
): Promise<TransportResponse> {
	if (!isFullResponse(response)) throw new Error("n8n's helper returned no response");
	const { statusCode: status, headers: received, body } = response;
	const headers = headersOf(received);
	if (!isFileStream(body)) return { status, headers, body: bodyOf(body) };
	const stream = body;
	// n8n's helper ignores the signal once the response headers have arrived.
	running.giveUp = () => stream.destroy(new Error('aborted'));
	if (running.isStopped) running.giveUp();
	const isFile = status >= 200 && status < 300 && !holdsBack?.(headers);
	if (deliver && isFile) {
		const content = limited(stream, maxBytes, method);
		await deliver(content);
		// The consumer may not notice that the stream ended with an error.
		return content.errored ? await Promise.reject(content.errored) : { status, headers, body: '' };
	}
	const whole =
		arrivedIn(stream, maxBytes) ??
		(await bytesOf(stream, () => new ResponseTooLarge(maxBytes, { method }), maxBytes));
	return { status, headers, body: expect === 'binary' ? whole : decodedText(whole) };
}

/** The whole of a short response, which arrives with its headers: it takes no events. */
function arrivedIn(stream: FileStream, maxBytes: number): Uint8Array | undefined {
	const isWhole = 'complete' in stream && stream.complete === true && !stream.destroyed;
	if (!isWhole || stream.readableLength > maxBytes) return undefined;
	const bytes: unknown = stream.read();
	return bytes instanceof Uint8Array ? bytes : undefined;
}

/**
 * Reads a stream by its events: an iterator would create several promises for each response.
 * @param tooLarge makes the error above `maxBytes`
 */
function bytesOf(stream: FileStream, tooLarge: () => Error, maxBytes: number): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		const parts: Uint8Array[] = [];
		let size = 0;
		let ended = false;
		const endEarly = () => {
			if (!ended) reject(stream.errored ?? new Error('The response ended early'));
		};
		// A stream that was destroyed before emits no further events.
		if (stream.destroyed) endEarly();
		stream.on('error', reject);
		stream.on('close', endEarly);
		stream.on('end', () => {
			ended = true;
			const [only] = parts;
			resolve(only && parts.length === 1 ? only : Buffer.concat(parts));
			// The stream may stay on the heap until the next full garbage collection.
			parts.length = 0;
		});
		stream.on('data', (part: Uint8Array) => {
			size += part.length;
			parts.push(part);
			if (size > maxBytes) stream.destroy(tooLarge());
		});
	});
}

/** A body that is not a stream. */
function bodyOf(raw: unknown): string | Uint8Array {
	if (typeof raw === 'string' || raw instanceof Uint8Array) return raw;
	if (raw instanceof ArrayBuffer) return new Uint8Array(raw);
	return raw === undefined || raw === null ? '' : JSON.stringify(raw);
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
