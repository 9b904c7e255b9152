import type { FastifyRequest } from 'fastify';
import { decodeText } from './decode';
import { badRequest, ServiceError } from '../rules/errors';

/** Maximum size of an upload, all parts together; it is read into memory. */
const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

/** Maximum size of other bodies, which are parsed at once. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** The part with the file. The others are limited like bodies. */
const FILE_PART = 'file';

/** Limits of the multipart parser. */
export const multipartLimits = { fileSize: MAX_UPLOAD_BYTES, files: 10, fields: 10, parts: 11 };

/**
 * Reads the text parts of a multipart body by name.
 * @throws ServiceError 400 for a part that is not text, 413 for an oversized body
 */
export async function readParts(request: FastifyRequest): Promise<Record<string, string>> {
	const body: Record<string, string> = {};
	let size = 0;
	try {
		// Every part is read as a file: the parser would truncate other parts and guess their
		// encoding.
		for await (const part of request.parts({ isPartAFile: () => true })) {
			if (part.type !== 'file') continue;
			const content = await part.toBuffer();
			if (part.fieldname !== FILE_PART && content.length > MAX_BODY_BYTES)
				throw new ServiceError(413, `The part "${part.fieldname}" is larger than ${MAX_BODY_BYTES} bytes`);
			size += content.length;
			if (size > MAX_UPLOAD_BYTES)
				throw new ServiceError(413, `The body is larger than ${MAX_UPLOAD_BYTES} bytes`);
			body[part.fieldname] = decodeText(content, `part "${part.fieldname}"`).text;
		}
	} catch (error) {
		// The parser sets no status for malformed bodies, e.g. truncated ones.
		if (error instanceof ServiceError || (error instanceof Error && 'statusCode' in error)) throw error;
		throw badRequest('The multipart body is malformed or truncated');
	}
	return body;
}
