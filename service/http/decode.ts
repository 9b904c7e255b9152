import { badRequest } from '../rules/errors';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** UTF-16 requires a byte order mark, because it cannot be detected reliably. */
function encodingOf([first, second]: Uint8Array): Encoding {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * Decodes text and removes its byte order mark.
 * @param what name of the content for the message
 * @throws ServiceError 400 unless it is UTF-8, or UTF-16 with a byte order mark
 */
export function decodeText(content: Uint8Array, what: string): { text: string; encoding: Encoding } {
	const encoding = encodingOf(content);
	try {
		return { text: new TextDecoder(encoding, { fatal: true }).decode(content), encoding };
	} catch {
		throw badRequest(
			`The ${what} is not ${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'} text: save it as UTF-8 and send it again`,
		);
	}
}
