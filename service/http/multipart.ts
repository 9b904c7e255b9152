import { Dicer } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod/v4';
import { decodeText } from './decode';
import { Allowance } from '../rules/allowance';
import { badRequest, ServiceError, unavailable } from '../rules/errors';
import { LIMITS } from '../rules/limits';
import { UploadedFile } from '../rules/csvText';

/** Maximum size of all uploads at a time, which are read into memory; an account has half of it. */
const MAX_UPLOADS_BYTES = 2 * LIMITS.uploadBytes;

const MAX_PARTS = 11;

/** RFC 2046, 5.1.1. */
const MAX_BOUNDARY_LENGTH = 70;

/** Media type of multipart bodies. */
export const MULTIPART = /^multipart\/form-data(?![\w.+-])/i;

export const isMultipart = ({ headers }: FastifyRequest): boolean =>
	MULTIPART.test(headers['content-type'] ?? '');

/** The part with the file. The others are limited like bodies. */
const FILE_PART = 'file';

/** Headers of a part by lower-case name, each with its values. */
const partHeaders = z.object({
	'content-disposition': z.array(z.string()).default([]),
	'content-type': z.array(z.string()).default([]),
});

/** A parameter of a header, such as the name of a part. */
function parameterOf([header = '']: readonly string[], name: string): string | undefined {
	const [, quoted, plain] =
		new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^";\\s]+))`, 'i').exec(header) ?? [];
	return quoted ?? plain;
}

/** The parts of a multipart body by name: texts, and the file. */
export type Parts = Record<string, string | UploadedFile>;

/** Reads multipart bodies. Together they hold a limited number of bytes. */
export class Uploads {
	private readonly memory = new Allowance(MAX_UPLOADS_BYTES, LIMITS.uploadBytes);

	/**
	 * Reads a body and uses its parts.
	 * @throws ServiceError 400 for a malformed body or a part that is not text, 413 for an oversized
	 *   one, 503 while others use up the memory
	 */
	async use<Result>(
		request: FastifyRequest,
		caller: string,
		work: (parts: Parts) => Promise<Result>,
	): Promise<Result> {
		let taken = 0;
		const parts = new PartReader((bytes) => {
			if (!this.memory.hasRoom(caller, bytes)) return false;
			this.memory.take(caller, bytes);
			taken += bytes;
			return true;
		});
		try {
			return await work(await parts.read(request));
		} finally {
			this.memory.take(caller, -taken);
		}
	}
}

class PartReader {
	/** Bytes of all parts. */
	private size = 0;
	private readonly parts = new Map<string, UploadedFile>();
	private count = 0;

	/** @param reserve takes memory; returns whether it suffices */
	constructor(private readonly reserve: (bytes: number) => boolean) {}

	async read({ raw, headers }: FastifyRequest): Promise<Parts> {
		const boundary = parameterOf([headers['content-type'] ?? ''], 'boundary');
		if (boundary === undefined) throw badRequest('The Content-Type of a multipart body must have a boundary');
		if (boundary.length > MAX_BOUNDARY_LENGTH)
			throw badRequest(`The boundary of a multipart body has more than ${MAX_BOUNDARY_LENGTH} characters`);
		await new Promise<void>((resolve, reject) => {
			const parser = new Dicer({ boundary });
			const fail = (error: Error) => {
				// The rest of the body is read and ignored, so that the client reads the response.
				raw.unpipe(parser).resume();
				reject(error);
			};
			const orFail = (work: () => void) => {
				try {
					work();
				} catch (error) {
					fail(error instanceof Error ? error : new Error(String(error)));
				}
			};
			const malformed = () => {
				fail(badRequest('The multipart body is malformed or truncated'));
			};
			parser.on('part', (part) => {
				let content: UploadedFile | undefined;
				part.on('header', (header) => {
					orFail(() => {
						content = this.begin(header);
					});
				});
				part.on('data', (chunk: Buffer) => {
					orFail(() => {
						this.add(content, chunk);
					});
				});
				part.on('error', malformed);
			});
			parser.on('error', malformed).on('finish', resolve);
			raw.on('error', malformed).pipe(parser);
		});
		return Object.fromEntries(
			[...this.parts].map(([name, content]) => [name, contentOf(name, content.end())]),
		);
	}

	/** Begins a part. @returns undefined for one without a name, which is ignored */
	private begin(header: object): UploadedFile | undefined {
		const given = partHeaders.parse(header);
		if (++this.count > MAX_PARTS) throw new ServiceError(413, `The body has more than ${MAX_PARTS} parts`);
		const name = parameterOf(given['content-disposition'], 'name');
		if (name === undefined) return undefined;
		const content = new UploadedFile(parameterOf(given['content-type'], 'charset'));
		// The last of several parts counts, as in a JSON object.
		this.parts.set(name, content);
		return content;
	}

	private add(content: UploadedFile | undefined, chunk: Uint8Array): void {
		this.size += chunk.length;
		if (this.size > LIMITS.uploadBytes)
			throw new ServiceError(413, `The body is larger than ${LIMITS.uploadBytes} bytes`);
		if (!this.reserve(chunk.length))
			throw unavailable('Other files are being uploaded: send the request again later');
		content?.add(chunk);
		const isFile = content === this.parts.get(FILE_PART);
		if (content && !isFile && content.size > LIMITS.bodyBytes)
			throw new ServiceError(
				413,
				`A part other than "${FILE_PART}" is larger than ${LIMITS.bodyBytes} bytes`,
			);
	}
}

const contentOf = (name: string, content: UploadedFile) =>
	name === FILE_PART ? content : decodeText(content.bytes, `part "${name}"`).text;
