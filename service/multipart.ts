import type { FastifyRequest } from 'fastify';
import { badRequest, ServiceError } from './errors';

/** Largest file taken with an upload, in bytes. It is held in memory while it is read. */
export const LARGEST_FILE = 64 * 1024 * 1024;

/** What the parser of multipart bodies may take; more than this is refused as too large. */
export const multipartLimits = {
	fileSize: LARGEST_FILE,
	files: 1,
	fields: 10,
	parts: 11,
	fieldSize: 64 * 1024,
};

/** Reads a multipart body into an object: texts as they are, a file as its text. @throws ServiceError 400 for a file that is not UTF-8 */
export async function readParts(request: FastifyRequest): Promise<Record<string, string>> {
	const body: Record<string, string> = {};
	try {
		for await (const part of request.parts()) {
			if (part.type === 'file') body[part.fieldname] = decode(await part.toBuffer());
			else body[part.fieldname] = String(part.value);
		}
	} catch (error) {
		// The parser gives no status to what breaks the form itself, a body that is cut off for instance.
		if (error instanceof ServiceError || (error instanceof Error && 'statusCode' in error)) throw error;
		throw badRequest('The multipart body cannot be read: it breaks off, or is not of that form');
	}
	return body;
}

function decode(content: Uint8Array): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(content);
	} catch {
		throw badRequest('The file is not UTF-8 text');
	}
}
