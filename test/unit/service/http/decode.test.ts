import { decodeText } from '../../../../service/http/decode';

const MARK = '\ufeff';
const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => little(text).swap16();

test.each([
	['utf-8', Buffer.from('Ä')],
	['utf-8', Buffer.from(`${MARK}Ä`)],
	['utf-16le', little(`${MARK}Ä`)],
	['utf-16be', big(`${MARK}Ä`)],
])('text in %s is decoded without its byte order mark', (encoding, content) => {
	expect(decodeText(content, 'file')).toEqual({ text: 'Ä', encoding });
});

test.each([
	['UTF-8', [0xc3]],
	['UTF-8', [0xff, 0xff]],
	['UTF-8', [0xfe, 0xfe]],
	['UTF-16', [0xff, 0xfe, 0x41]],
	['UTF-16', [0xfe, 0xff, 0x41]],
])('what is not %s is refused: %j', (encoding, bytes) => {
	expect(() => decodeText(Uint8Array.from(bytes), 'file')).toThrow(`The file is not ${encoding} text`);
});
