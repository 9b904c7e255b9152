import type { FastifyRequest } from 'fastify';
import { decodeText } from './decode';
import { badRequest, ServiceError } from '../rules/errors';

/**
 * Largest upload taken, in bytes, all its parts together. It is held in memory while it is read.
 */
const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

/** What the parser of multipart bodies may take; more than this is refused as too large. */
export const multipartLimits = { fileSize: MAX_UPLOAD_BYTES, files: 10, fields: 10, parts: 11 };

/**
 * Reads a multipart body into an object of texts.
 * @throws ServiceError 400 for a part that is not text, 413 for a body that is too large
 */
export async function readParts(request: FastifyRequest): Promise<Record<string, string>> {
	const body: Record<string, string> = {};
	let size = 0;
	try {
		// Every part is read as a file: the parser would cut a plain one, and guess at its
		// encoding.
		for await (const part of request.parts({ isPartAFile: () => true })) {
			if (part.type !== 'file') continue;
			const content = await part.toBuffer();
			size += content.length;
			if (size > MAX_UPLOAD_BYTES)
				throw new ServiceError(413, `The body is larger than ${MAX_UPLOAD_BYTES} bytes`);
			body[part.fieldname] = decodeText(content, `part "${part.fieldname}"`).text;
		}
	} catch (error) {
		// The parser gives no status to what breaks the form
		// itself, a body that is cut off for instance.
		if (error instanceof ServiceError || (error instanceof Error && 'statusCode' in error)) throw error;
		throw badRequest('The multipart body cannot be read: it breaks off, or is not of that form');
	}
	return body;
}
