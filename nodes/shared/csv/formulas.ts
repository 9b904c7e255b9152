import { InvalidInput } from '../../../client';
import { csvOpening } from './header';

const codeOf = (character: string) => character.charCodeAt(0);
const QUOTE = codeOf('"');
const APOSTROPHE = codeOf("'");
const PLUS = codeOf('+');
const MINUS = codeOf('-');
/** First bytes of a formula, or of one that is already escaped. */
const STARTS = new Set(["'", '=', '@', '+', '-', '\xef', '\t', '\r', '\n'].map(codeOf));
/** Maximum number of bytes held back to find the delimiter. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** UTF-8 of the full-width forms of `=`, `+`, `-`, `@`, which some spreadsheets read as those. */
const FULL_WIDTH = new Set(['\xef\xbc\x9d', '\xef\xbc\x8b', '\xef\xbc\x8d', '\xef\xbc\xa0']);
const FULL_WIDTH_LEAD = codeOf('\xef');
const BOM = '\xef\xbb\xbf';

/** Maximum number of bytes held back to distinguish a formula from a number. */
const MAX_NUMBER_BYTES = 64;
/** After more apostrophes, everything is escaped, so that no cell has to be held as a whole. */
const MAX_APOSTROPHES = 62;
const NUMBER = /^[+-]([\d.,\u00c2\u00a0 ]*\d(e[+-]?\d+)? ?%?)?$/i;
const IN_NUMBER = /[\d.,\u00c2\u00a0 e+%-]/i;

type State = 'cellStart' | 'quotedStart' | 'held' | 'heldQuote' | 'cell' | 'quoted' | 'quoteInQuoted';

/**
 * Puts an apostrophe before each cell of a CSV file that a spreadsheet would run as a formula: one
 * that starts with `=`, `@`, a tab or a line break, or with `+` or `-` unless it is a number. A
 * cell that already has apostrophes there gets another one, so that `unescaped` restores all.
 * Everything else stays unchanged, byte for byte.
 */
export class FormulaNeutralizer {
	private state: State = 'cellStart';
	private held: number[] = [];
	private isHeldQuoted = false;
	private isFirst = true;
	private readonly beginning: number[] = [];
	/** What was read before the header ended; undefined after that. */
	private header: Uint8Array | undefined = new Uint8Array();
	/** Delimiter of the file and line ends. */
	private separators: ReadonlySet<number> = new Set();

	/**
	 * @returns the part, preceded by what was held back before
	 * @throws InvalidInput for a file in UTF-16, whose cells cannot be recognized
	 */
	write(part: Uint8Array): Uint8Array {
		this.refuseUtf16(part);
		if (!this.header) return this.rewrite(part);
		this.header = Buffer.concat([this.header, part]);
		return this.readHeader('') ?? new Uint8Array();
	}

	/** @param end what ends the header @returns undefined if the file goes on within it */
	private readHeader(end: string): Uint8Array | undefined {
		const header = this.header ?? new Uint8Array();
		const text = Buffer.from(header).toString('latin1').replace(BOM, '') + end;
		const opening = csvOpening(text);
		if (!opening && end === '' && header.length < MAX_HEADER_BYTES) return undefined;
		this.separators = new Set([opening?.delimiter ?? ',', '\r', '\n'].map(codeOf));
		this.header = undefined;
		return this.rewrite(header);
	}

	private rewrite(part: Uint8Array): Uint8Array {
		const output = new Output(part.length);
		for (const byte of part) {
			// Fast path for most bytes, which neither start nor end a cell.
			if (this.state === 'cell' && !this.separators.has(byte)) output.push(byte);
			else if (this.state === 'quoted' && byte !== QUOTE) output.push(byte);
			else this.take(byte, output);
		}
		return output.bytes();
	}

	/** Ends the file. @returns what was held back */
	end(): Uint8Array {
		const before = this.header ? this.readHeader('\n') : undefined;
		const output = new Output(MAX_NUMBER_BYTES);
		if (before) for (const byte of before) output.push(byte);
		if (this.state === 'heldQuote') this.closeHeld(true, output);
		else this.release(true, output);
		return output.bytes();
	}

	/** UTF-16 shows as a byte-order mark, or as a zero byte next to the first character. */
	private refuseUtf16(part: Uint8Array): void {
		if (this.beginning.length === 2) return;
		this.beginning.push(...part.subarray(0, 2 - this.beginning.length));
		const [first = 1, second = 1] = this.beginning;
		const isMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
		if (isMark || first === 0 || second === 0)
			throw new InvalidInput(
				'The CSV file of the service is encoded in UTF-16, in which formulas cannot be neutralized',
				'Switch off "Escape Formulas" and do not open the file in a spreadsheet unless you trust its rows.',
			);
	}

	private take(byte: number, output: Output): void {
		// A doubled quotation mark is part of the cell.
		if (this.state === 'heldQuote') this.closeHeld(byte !== QUOTE, output);
		if (this.state === 'held') {
			if (this.isHeldQuoted && byte === QUOTE) {
				this.state = 'heldQuote';
				return;
			}
			if (this.isHeldQuoted || !this.separators.has(byte)) {
				this.held.push(byte);
				if (this.isDecided()) this.release(false, output);
				return;
			}
			this.release(true, output);
		}
		if (this.state === 'cellStart' || this.state === 'quotedStart') return this.begin(byte, output);
		output.push(byte);
		if (this.state === 'quoted') this.state = byte === QUOTE ? 'quoteInQuoted' : 'quoted';
		else if (this.state === 'quoteInQuoted' && byte === QUOTE) this.state = 'quoted';
		else this.state = this.separators.has(byte) ? 'cellStart' : 'cell';
	}

	private closeHeld(isWhole: boolean, output: Output): void {
		this.release(isWhole, output);
		output.push(QUOTE);
		this.state = 'quoteInQuoted';
	}

	private begin(byte: number, output: Output): void {
		const isQuoted = this.state === 'quotedStart';
		// An unquoted cell cannot start with a separator.
		if (STARTS.has(byte) && (isQuoted || !this.separators.has(byte))) {
			this.held = [byte];
			this.isHeldQuoted = isQuoted;
			this.state = 'held';
			if (this.isDecided()) this.release(false, output);
			return;
		}
		this.isFirst = false;
		output.push(byte);
		if (isQuoted) this.state = byte === QUOTE ? 'quoteInQuoted' : 'quoted';
		else if (byte === QUOTE) this.state = 'quotedStart';
		else this.state = this.separators.has(byte) ? 'cellStart' : 'cell';
	}

	/** Whether the held bytes suffice to decide. */
	private isDecided(): boolean {
		const start = this.heldStart();
		const [first, ...rest] = start;
		if (first === undefined) return this.held.length > MAX_APOSTROPHES;
		if (first === FULL_WIDTH_LEAD) return start.length === 3;
		if (first !== PLUS && first !== MINUS) return true;
		const last = rest.at(-1);
		if (start.length >= MAX_NUMBER_BYTES) return true;
		return last !== undefined && !IN_NUMBER.test(String.fromCharCode(last));
	}

	/** What is held after apostrophes. */
	private heldStart(): number[] {
		const at = this.held.findIndex((byte) => byte !== APOSTROPHE);
		return at === -1 ? [] : this.held.slice(at);
	}

	/** @param isWhole whether the cell has ended, because only a whole cell can be a number */
	private release(isWhole: boolean, output: Output): void {
		if (this.held.length === 0) return;
		const start = this.heldStart();
		const text = String.fromCharCode(...start);
		const isBom = this.isFirst && text === BOM && start.length === this.held.length;
		if (this.held.length > MAX_APOSTROPHES && start.length === 0) output.push(APOSTROPHE);
		else if (isFormulaStart(text, isWhole)) output.push(APOSTROPHE);
		for (const byte of this.held) output.push(byte);
		this.held = [];
		this.isFirst = false;
		if (isBom) this.state = 'cellStart';
		else this.state = this.isHeldQuoted ? 'quoted' : 'cell';
	}
}

/**
 * Whether a spreadsheet would run a cell that starts with this text.
 * @param text bytes of its UTF-8, as characters
 * @param isWhole whether it is the whole cell
 */
function isFormulaStart(text: string, isWhole: boolean): boolean {
	if (text.startsWith('\xef')) return FULL_WIDTH.has(text.slice(0, 3));
	if (/^[+-]/.test(text)) return !isWhole || !NUMBER.test(text) || text.length >= MAX_NUMBER_BYTES;
	return /^[=@\t\r\n]/.test(text);
}

/** A cell as it was before `FormulaNeutralizer`. Others stay unchanged, e.g. `'quoted`. */
export function unescaped(cell: string): string {
	const apostrophes = /^'*/.exec(cell)?.[0].length ?? 0;
	if (apostrophes === 0) return cell;
	// One more than the longest run that is only escaped before a formula.
	if (apostrophes > MAX_APOSTROPHES + 1) return cell.slice(1);
	// One byte more than a number may have decides.
	const start = Buffer.from(cell.slice(apostrophes, apostrophes + MAX_NUMBER_BYTES));
	return isFormulaStart(start.toString('latin1'), true) ? cell.slice(1) : cell;
}

/** A CSV file as it was before `FormulaNeutralizer`, and the number of changed cells. */
export function unescapedFile(file: string): { text: string; cells: number } {
	const delimiter = csvOpening(`${file}\n`)?.delimiter ?? ',';
	const ends = `${delimiter}\r\n`;
	const cell = new RegExp(`(?<=^|[${ends}])(?:"([^"]*(?:""[^"]*)*)"|'[^${ends}]*)`, 'g');
	let cells = 0;
	const text = file.replace(cell, (written, quoted?: string) => {
		const content = quoted?.replaceAll('""', '"') ?? written;
		if (unescaped(content) === content) return written;
		cells += 1;
		return written.replace("'", '');
	});
	return { text, cells };
}

/** Neutralizes a CSV file part by part. @returns a function for each part, and for the end */
export function neutralizing(): (part?: Uint8Array) => Uint8Array {
	const neutralizer = new FormulaNeutralizer();
	return (part) => (part ? neutralizer.write(part) : neutralizer.end());
}

/** A growing byte array. */
class Output {
	private buffer: Uint8Array;
	private length = 0;

	constructor(expected: number) {
		this.buffer = new Uint8Array(expected + MAX_NUMBER_BYTES);
	}

	push(byte: number): void {
		if (this.length === this.buffer.length) {
			const larger = new Uint8Array(2 * this.buffer.length);
			larger.set(this.buffer);
			this.buffer = larger;
		}
		this.buffer[this.length++] = byte;
	}

	bytes(): Uint8Array {
		return this.buffer.subarray(0, this.length);
	}
}
