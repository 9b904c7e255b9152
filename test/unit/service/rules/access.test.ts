import { createHmac } from 'node:crypto';
import { limitRole, hashSecret, parseAuthorization, secretMatches } from '../../../../service/rules/access';
import { issueToken, verifyToken } from '../../../../service/rules/tokens';
import { asksForVersion2 } from '../../../../service/http/app';
import { keyFor } from '../../../../service/store/structure/spaces';

test('§5 a reader key limits every role to reading', () => {
	expect([
		limitRole('admin', 'reader'),
		limitRole('creator', 'reader'),
		limitRole('writer', 'admin'),
		limitRole(undefined, 'admin'),
	]).toEqual(['reader', undefined, 'writer', undefined]);
});

test('§5 Authorization: Basic with a colon in the secret, Bearer, and invalid headers', () => {
	const basic = `basic ${Buffer.from('key:a:b').toString('base64')}`;
	expect(parseAuthorization(basic)).toEqual({ scheme: 'basic', key: 'key', secret: 'a:b' });
	expect(parseAuthorization('Bearer t')).toEqual({ scheme: 'bearer', token: 't' });
	for (const header of ['', 'Bearer', 'Basic bm9jb2xvbg==', 'Digest x'])
		expect(parseAuthorization(header)).toBeUndefined();
});

const me = { id: 'token', userId: 'me' };

test('§5 a token is accepted if it was signed with the key, has not expired and is unchanged', async () => {
	const token = await issueToken(me, 'key', 60);
	expect(await verifyToken(token, 'key')).toEqual(me);
	expect(await verifyToken(token, 'other')).toBeUndefined();
	expect(await verifyToken(await issueToken(me, 'key', -1), 'key')).toBeUndefined();
	const [head, , signature] = token.split('.');
	const payload = Buffer.from(JSON.stringify({ sub: 'you', jti: 'token', exp: 9e9 })).toString('base64url');
	expect(await verifyToken(`${head}.${payload}.${signature}`, 'key')).toBeUndefined();
});

test.each([
	'',
	'not JSON',
	'{"sub":',
	'null',
	'{"sub":"me","jti":"t"}',
	'{"sub":1,"jti":"t","exp":9e9}',
	'{"sub":"me","exp":9e9}',
])('§5 a signed token with the claims %p is refused', async (claims) => {
	const [head] = (await issueToken(me, 'key', 60)).split('.');
	const text = `${head}.${Buffer.from(claims).toString('base64url')}`;
	const signature = createHmac('sha256', 'key').update(text).digest('base64url');
	expect(await verifyToken(`${text}.${signature}`, 'key')).toBeUndefined();
});

test('§5 a secret is stored only as its SHA-256 hash', () => {
	// NIST FIPS 180-4, example "abc".
	expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
	expect([secretMatches('abc', hashSecret('abc')), secretMatches('abd', hashSecret('abc'))]).toEqual([
		true,
		false,
	]);
});

test('§9 version 2 is requested by one media type only', () => {
	for (const accept of [
		'application/vnd.service.hal;version=2',
		'text/html, Application/vnd.service.hal; q=1; version="2"',
	]) {
		expect(asksForVersion2(accept)).toBe(true);
	}
	for (const accept of [
		undefined,
		'*/*',
		'application/json;version=2',
		'application/vnd.service.hal;version=20',
		'application/vnd.service.hal',
	]) {
		expect(asksForVersion2(accept)).toBe(false);
	}
});

test('§8 keys derived from names fit the maximum length and are unique', () => {
	expect(keyFor('Übersicht der Würfel, sehr lang', () => false)).toBe('ubersicht_der_wurfel_sehr');
	const taken = new Set(['orders', 'orders_2']);
	expect(keyFor('Orders!', (key) => taken.has(key))).toBe('orders_3');
	expect(keyFor('日本', () => false)).toBe('key');
	expect(keyFor('x'.repeat(40), (key) => !key.endsWith('_2'))).toBe(`${'x'.repeat(23)}_2`);
});
