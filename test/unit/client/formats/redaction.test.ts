import { excerptOf, redactedValue, redactorOf, truncated } from '../../../../client/formats/redaction';
import { encodingsOf } from '../../../fixtures/encodings';

const SECRETS = ['s3cr3t-of-the-key', 'open sesame', 'a+b/c=d&e<f>"g\'h\\i\\\\j', 'Zürich🦄 42', 'abcd'];
const NAME = 'key-1';
/** Only the mask and the name remain. */
const REDACTED = /^(key-1:|Basic%20)?\*\*\*(:key-1)?$/;

test.each(SECRETS)('%s is redacted in every encoding', (secret) => {
	const conceal = redactorOf([secret, `${NAME}:${secret}`]);
	for (const [how, text] of encodingsOf(secret, NAME)) {
		const shown = conceal(`before ${text} after`);
		const rest = shown.replace(/^before |\s*after$/g, '');
		expect([how, rest]).toEqual([how, expect.stringMatching(REDACTED)]);
		expect([how, shown.includes(text)]).toEqual([how, false]);
	}
});

test('only the secret and its encodings are redacted', () => {
	const conceal = redactorOf(['s3cr3t-of-the-key', 'key-1:s3cr3t-of-the-key']);
	expect(conceal('id s3cr3t-of-the-key of s3cr3t')).toBe('id *** of s3cr3t');
	expect(conceal(`say ${Buffer.from('key-1:s3cr3t-of-the-key').toString('base64')}.`)).toBe('say ***.');
	const ordinary = 'Order A-1001 is shipped; ask grids@example.com about %20, \\u0041 and aGVsbG8gd29ybGQ=.';
	expect(conceal(ordinary)).toBe(ordinary);
	expect(redactorOf(['abc', ''])('abc')).toBe('abc');
});

test('an excerpt is redacted before it is truncated, whatever the lengths', () => {
	const secret = 'token.'.repeat(500);
	const conceal = redactorOf([secret]);
	expect(excerptOf(`echo  ${secret} end`, 20, conceal)).toBe('echo *** end');
	const text = `${' '.repeat(65_530)}${secret}`;
	expect(excerptOf(text, 20, conceal)).toBe('');
	expect(truncated(`${secret}${secret}`.slice(0, -3), 10, conceal)).toBe('***token.t');
});

test('a parsed body is redacted in its texts, names and numbers', () => {
	const conceal = redactorOf(['4711081542']);
	expect(redactedValue({ a: ['x4711081542'], 4711081542: { n: 4711081542, m: 1, ok: true, none: null } }, conceal)).toEqual({
		a: ['x***'],
		'***': { n: '***', m: 1, ok: true, none: null },
	}); // prettier-ignore
});

test('hostile texts of 64 KB do not block the redaction', () => {
	const conceal = redactorOf(['aaaaaaaaaaaaaaaaaaaab', '\\\\\\\\\\\\\\\\x']);
	for (const part of ['a', '\\', '&#0000', '%25', 'YWFh', 'Basic%20', 'http://', 'secret ', 'secret: '])
		expect(conceal(part.repeat(Math.ceil(65_536 / part.length))).length).toBeGreaterThan(0);
});
