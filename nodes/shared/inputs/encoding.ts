import { ENCODINGS } from '../connection/fileDecoder';
import { choice } from './choice';

/** The encoding of an input file. */
export const encoding = choice('encoding', 'Encoding', ENCODINGS, {
	default: 'utf-8',
	description:
		'The encoding of the file. A byte-order mark at its start takes precedence. Excel saves "CSV" in Windows-1252 in Western Europe, and "CSV UTF-8" in UTF-8.',
});
