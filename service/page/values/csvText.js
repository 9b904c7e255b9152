import { readBlock } from './clipboard.js';

const SEPARATORS = [',', ';', '\t', '|'];

/**
 * Reads a CSV file.
 * @param file its type may name a charset; UTF-8 otherwise
 * @returns the names of its columns, and its rows without blank ones
 * @throws TypeError if the file is not UTF-8
 */
export async function readCsv(file) {
	const [, charset] = /charset=(.+)/.exec(file.type) ?? [];
	const text = new TextDecoder(charset, { fatal: !charset }).decode(await file.arrayBuffer());
	const [declaration = '', declared] = /^sep=(.)\r?\n/i.exec(text) ?? [];
	const body = text.slice(declaration.length);
	const [, head = ''] = /^\s*((?:"[^"]*"|[^"\r\n])*)/.exec(body) ?? [];
	const count = (sign) => head.replace(/"[^"]*"/g, '').split(sign).length;
	const separator = declared ?? SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
	const isFilled = (cells) => cells.some((cell) => cell !== '');
	const [names = [], ...rows] = readBlock(body, separator).filter(isFilled);
	return { names: names.map((name) => name.trim()), rows };
}
