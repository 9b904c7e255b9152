import { InvalidInput } from '../../../client';

/** Encodings of files, by their name in the WHATWG Encoding Standard. */
export const ENCODINGS = {
	big5: 'Big5 (Traditional Chinese)',
	'euc-kr': 'EUC-KR (Korean)',
	gb18030: 'GB18030 (Simplified Chinese)',
	'iso-8859-2': 'ISO 8859-2 (Central European)',
	'iso-8859-15': 'ISO 8859-15 (Western European)',
	macintosh: 'Macintosh (Western European)',
	shift_jis: 'Shift_JIS (Japanese)',
	'utf-8': 'UTF-8',
	'utf-16be': 'UTF-16 BE',
	'utf-16le': 'UTF-16 LE',
	'windows-1250': 'Windows-1250 (Central European)',
	'windows-1251': 'Windows-1251 (Cyrillic)',
	'windows-1252': 'Windows-1252 (Western European)',
	'windows-1253': 'Windows-1253 (Greek)',
	'windows-1254': 'Windows-1254 (Turkish)',
} as const;
export type Encoding = keyof typeof ENCODINGS;

const BYTE_ORDER_MARKS: Array<[mark: string, encoding: Encoding]> = [
	['\xef\xbb\xbf', 'utf-8'],
	['\xff\xfe', 'utf-16le'],
	['\xfe\xff', 'utf-16be'],
];

/** Files that are often taken for a table as text, by their first bytes. */
const OTHER_FILES: Array<[start: string, what: string]> = [
	['PK\x03\x04', 'a workbook (.xlsx) or another ZIP archive'],
	['\xd0\xcf\x11\xe0', 'a workbook of an old format (.xls)'],
	['%PDF-', 'a PDF document'],
	['\x1f\x8b', 'compressed (gzip)'],
];

const HTML = /^\s*<(!doctype\s|html|head|body|script|!--)/i;
const XML = /^\s*<\?xml/i;

const lineFeedsIn = (text: string) => text.split('\n').length - 1;

/** Number of characters that tell HTML and XML. */
const START_LENGTH = 1000;

/** Decodes a file in parts. */
class FileDecoder {
	private readonly decoder: InstanceType<typeof TextDecoder>;
	private lines = 1;
	private isFirst = true;

	private constructor(
		private readonly name: string,
		private readonly encoding: Encoding,
	) {
		this.decoder = new TextDecoder(encoding, { fatal: true });
	}

	/**
	 * @param beginning the first bytes of the file
	 * @param encoding unless a byte-order mark states another one
	 * @throws InvalidInput for a file of another kind
	 */
	static of(name: string, beginning: Uint8Array, encoding: Encoding): FileDecoder {
		const bytes = Buffer.from(beginning.subarray(0, 8)).toString('latin1');
		const other = OTHER_FILES.find(([start]) => bytes.startsWith(start));
		if (other)
			throw new InvalidInput(
				`The file "${name}" is ${other[1]}, not CSV`,
				'Save the table as "CSV UTF-8". The node Extract From File reads workbooks, the node Compression unpacks archives.',
			);
		const marked = BYTE_ORDER_MARKS.find(([mark]) => bytes.startsWith(mark));
		return new FileDecoder(name, marked?.[1] ?? encoding);
	}

	/** @param part none at the end @throws InvalidInput naming the line */
	decode(part?: Uint8Array): string {
		const text = this.decodedBy(part);
		if (text === undefined) {
			const [readable = ''] = new TextDecoder(this.encoding).decode(part).split('\ufffd', 1);
			const line = this.lines + lineFeedsIn(readable);
			throw wrongEncoding(this.name, `line ${line} has bytes that ${ENCODINGS[this.encoding]} does not have`);
		}
		if (this.isFirst) this.refuseMarkup(text.slice(0, START_LENGTH));
		this.isFirst = false;
		this.lines += lineFeedsIn(text);
		return text;
	}

	/** @returns undefined for bytes of another encoding */
	private decodedBy(part: Uint8Array | undefined): string | undefined {
		try {
			return part ? this.decoder.decode(part, { stream: true }) : this.decoder.decode();
		} catch {
			return undefined;
		}
	}

	private refuseMarkup(start: string): void {
		if (HTML.test(start))
			throw new InvalidInput(
				`The file "${this.name}" is a page of HTML, such as a login page, not CSV`,
				'Check the node that downloads the file: its address and its credentials.',
			);
		if (XML.test(start))
			throw new InvalidInput(
				`The file "${this.name}" is an XML document, not CSV`,
				'Export the table as CSV.',
			);
	}
}

/** Number of bytes that tell the kind and encoding of a file. */
const BEGINNING_BYTES = 4096;

/** The parts of a file, the first one long enough to tell its kind. */
async function* withBeginning(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	let beginning: Uint8Array | undefined = new Uint8Array();
	for await (const part of parts) {
		if (!beginning) yield part;
		else {
			beginning = Buffer.concat([beginning, part]);
			if (beginning.length < BEGINNING_BYTES) continue;
			yield beginning;
			beginning = undefined;
		}
	}
	if (beginning) yield beginning;
}

/**
 * Decodes a file that arrives in parts.
 * @param encoding unless a byte-order mark states another one
 * @throws InvalidInput for a file of another kind, or for bytes that its encoding does not have
 */
export async function* decoded(
	name: string,
	parts: AsyncIterable<Uint8Array>,
	encoding: Encoding,
): AsyncGenerator<string> {
	let decoder: FileDecoder | undefined;
	for await (const part of withBeginning(parts)) {
		decoder ??= FileDecoder.of(name, part, encoding);
		yield decoder.decode(part);
	}
	yield decoder?.decode() ?? '';
}

/** An error for a file in another encoding. */
export function wrongEncoding(name: string, why: string): InvalidInput {
	return new InvalidInput(
		`The file "${name}" cannot be read: ${why}`,
		'Save it as "CSV UTF-8", or choose its encoding in "Encoding" under Options.',
	);
}

/** The text of a file. @throws InvalidInput for a wrong kind or encoding */
export function decodedWhole(name: string, content: Uint8Array, encoding: Encoding): string {
	const decoder = FileDecoder.of(name, content, encoding);
	return decoder.decode(content) + decoder.decode();
}
