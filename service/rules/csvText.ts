import { badRequest } from './errors';

/** A file as it was sent: its bytes in blocks, and the charset that its sender names. */
export interface SentFile {
	readonly blocks: readonly Uint8Array[];
	readonly charset?: string | undefined;
	/** Whether cells lose the apostrophe that an export put before formulas. */
	readonly isEscaped?: boolean;
}

/** Size of the blocks of an uploaded file. */
const BLOCK_BYTES = 256 * 1024;

/** A file that arrives in parts. Only its bytes are kept, not the buffers of the network. */
export class UploadedFile implements SentFile {
	readonly blocks: Uint8Array[] = [];
	size = 0;

	constructor(readonly charset: string | undefined) {}

	/** Copies a part. */
	add(part: Uint8Array): void {
		for (let from = 0; from < part.length; ) {
			const used = this.size % BLOCK_BYTES;
			if (used === 0) this.blocks.push(new Uint8Array(BLOCK_BYTES));
			const chunk = part.subarray(from, from + BLOCK_BYTES - used);
			this.blocks.at(-1)?.set(chunk, used);
			this.size += chunk.length;
			from += chunk.length;
		}
	}

	get bytes(): Uint8Array {
		return Buffer.concat(this.blocks);
	}

	/** Ends the file. */
	end(): this {
		const last = this.blocks.pop();
		const used = this.size % BLOCK_BYTES || BLOCK_BYTES;
		if (last) this.blocks.push(last.subarray(0, used));
		return this;
	}
}

/** Size of the pieces that are decoded and parsed at once, which takes about a millisecond. */
const PIECE_BYTES = 64 * 1024;

/** Bytes that tell the kind of a file. */
const BEGINNING_BYTES = 4096;

const SAVE_AS_CSV = 'Open it and save it as "CSV UTF-8"';

/** Files that are often sent instead of a CSV file, by their first bytes as Latin-1. */
const OTHER_FILES: ReadonlyArray<[start: string, what: string, cure: string]> = [
	['PK\x03\x04', 'a workbook (.xlsx) or another ZIP archive', SAVE_AS_CSV],
	['\xd0\xcf\x11\xe0', 'a workbook of an old format (.xls)', SAVE_AS_CSV],
	['%PDF-', 'a PDF document', 'Export the table as CSV where the document comes from'],
	['\x1f\x8b', 'compressed (gzip)', 'Unpack it'],
];

/** Texts that are often sent instead of CSV. */
const OTHER_TEXTS: ReadonlyArray<[start: RegExp, what: string, cure: string]> = [
	[
		/^\s*<(!doctype\s|html|head|body|script|!--)/i,
		'a page of HTML, such as the login page that a download ended at',
		'Check where it was downloaded',
	],
	[/^\s*<\?xml/i, 'an XML document', 'Export the table as CSV'],
	[/^\s*(\{\s*"|\[\s*[[{])/, 'JSON', 'Convert it to CSV'],
];

const notCsv = (what: string, cure: string) =>
	badRequest(`The file is ${what}, not a CSV file. ${cure}, then send it again.`);

/** Whether a text would be taken for another kind of file. */
export const looksLikeOtherText = (text: string): boolean => OTHER_TEXTS.some(([start]) => start.test(text));

/** @throws ServiceError 400 that names the kind of file */
export function refuseOtherText(text: string): void {
	const other = OTHER_TEXTS.find(([start]) => start.test(text));
	if (other) throw notCsv(other[1], other[2]);
}

const BYTE_ORDER_MARKS: ReadonlyArray<[encoding: string, ...bytes: number[]]> = [
	['utf-8', 0xef, 0xbb, 0xbf],
	['utf-16le', 0xff, 0xfe],
	['utf-16be', 0xfe, 0xff],
];

/** Encoding that a byte order mark states. */
const markedEncoding = (beginning: Uint8Array): string | undefined =>
	BYTE_ORDER_MARKS.find(([, ...mark]) => mark.every((byte, index) => beginning[index] === byte))?.[0];

/** @throws ServiceError 400 for an unknown encoding */
function decoderFor(encoding: string): InstanceType<typeof TextDecoder> {
	try {
		return new TextDecoder(encoding, { fatal: true });
	} catch {
		throw badRequest(
			`The encoding "${encoding}" is unknown: name one of the WHATWG Encoding Standard, such as windows-1252`,
		);
	}
}

/** The 400 for text in another encoding; `details` let a page offer others. */
const wrongEncoding = (encoding: string, why: string) =>
	badRequest(
		`The file cannot be read as ${encoding.toUpperCase()}: ${why}. Save it as "CSV UTF-8", or name its encoding in the Content-Type of the part, such as text/csv; charset=windows-1252.`,
		{ encoding, why },
	);

/** The 400 for NUL in the first lines, which UTF-16 without a byte order mark shows. */
export const nulInHeader = () =>
	wrongEncoding('utf-8', 'its first lines contain NUL, as UTF-16 without a byte order mark does');

function* piecesOf({ blocks }: SentFile): Generator<Uint8Array> {
	for (const block of blocks)
		for (let from = 0; from < block.length; from += PIECE_BYTES)
			yield block.subarray(from, from + PIECE_BYTES);
}

const lineFeeds = (bytes: Uint8Array): number =>
	bytes.reduce((sum, byte) => (byte === 10 ? sum + 1 : sum), 0);

/**
 * Decodes a file in pieces, without its byte order mark: as the mark states, else as the sender
 * names, else as UTF-8.
 * @throws ServiceError 400 for another kind of file, or for bytes that the encoding does not have
 */
export function* textOf(file: SentFile): Generator<string> {
	const beginning = (file.blocks[0] ?? new Uint8Array()).subarray(0, BEGINNING_BYTES);
	const other = OTHER_FILES.find(([start]) => Buffer.from(beginning).toString('latin1').startsWith(start));
	if (other) throw notCsv(other[1], other[2]);
	const encoding = markedEncoding(beginning) ?? file.charset ?? 'utf-8';
	const decoder = decoderFor(encoding);
	let line = 1;
	for (const piece of piecesOf(file)) {
		let text: string;
		try {
			text = decoder.decode(piece, { stream: true });
		} catch {
			const [readable = ''] = new TextDecoder(encoding).decode(piece).split('\ufffd', 1);
			throw wrongEncoding(encoding, `line ${line + readable.split('\n').length - 1} has other bytes`);
		}
		yield text;
		line += lineFeeds(piece);
	}
	try {
		yield decoder.decode();
	} catch {
		throw wrongEncoding(encoding, 'it ends within a character');
	}
}
