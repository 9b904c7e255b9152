import { messageIn } from '../../../../client/http/errorBody';
import {
	BadRequest,
	Conflict,
	DataGridError,
	ConnectionFailed,
	Forbidden,
	NotFound,
	OnlyReadable,
	OutcomeUnknown,
	retryAfterOf,
	ServiceUnavailable,
	statusError,
	TooManyRequests,
	Unauthorized,
	UnexpectedStatus,
} from '../../../../client/errors';
import { redact } from '../../../../client/formats/redaction';

test.each([
	[['A'], 'This key may only read: "A"'],
	[['A', 'B', 'C'], 'This key may only read: "A", "B", "C"'],
	[['A', 'B', 'C', 'D'], 'This key may only read: "A", "B", "C" …'],
])('a key that may change none of %j names up to three', (names, message) => {
	expect(new OnlyReadable(names).message).toBe(message);
});

describe('the error for a status (§7)', () => {
	it.each([
		[400, BadRequest],
		[422, BadRequest],
		[401, Unauthorized],
		[403, Forbidden],
		[404, NotFound],
		[409, Conflict],
		[412, Conflict],
		[423, Conflict],
		[428, Conflict],
		[429, TooManyRequests],
		[500, ServiceUnavailable],
		[503, ServiceUnavailable],
		[304, UnexpectedStatus],
		[418, UnexpectedStatus],
	])('has its own class for %d', (status, kind) => {
		const error = statusError({ status, method: 'GET', path: '/a' }, {});
		expect(error).toBeInstanceOf(kind);
		expect(error).toBeInstanceOf(DataGridError);
		expect(error.name).toBe(kind.name);
		expect(error.facts).toEqual({ status, method: 'GET', path: '/a' });
		expect(error.hint).not.toBe('');
	});

	it('uses the message of the service if there is one', () => {
		expect(statusError({ status: 400, serviceMessage: 'not an indexed entity format' }, {}).message).toBe(
			'not an indexed entity format',
		);
		expect(statusError({ status: 500 }, {}).message).toContain('500');
	});

	it.each([
		['Link', 'link', /user name and password of the link/],
		['internal ', 'internal', /credential of the service/],
		[undefined, undefined, /key and secret/],
	])('401 with Service-Authorization %p names the required credentials (§5)', (value, protection, hint) => {
		const error = statusError({ status: 401 }, value === undefined ? {} : { 'service-authorization': value });
		expect(error).toMatchObject({ protection });
		expect(error.hint).toMatch(hint);
	});

	it.each([429, 503])('%d has the requested wait', (status) => {
		expect(statusError({ status }, { 'retry-after': '7' })).toMatchObject({ retryAfter: 7000 });
	});
});

describe('Retry-After', () => {
	const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
	it.each([
		[{ 'retry-after': '0' }, 0],
		[{ 'retry-after': ' 120 ' }, 120_000],
		[{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date }, 30_000],
		[{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date }, 0],
		[{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, undefined],
		[{ 'retry-after': 'soon', date }, undefined],
		[{ 'retry-after': '-5' }, undefined],
		[{ date }, undefined],
	])('%p is %p milliseconds', (headers, wait) => {
		expect(retryAfterOf(headers)).toBe(wait);
	});
});

describe('the message of the service in an error body', () => {
	it.each([
		[{ message: 'no' }, 'no'],
		[{ error: { message: 'deep' } }, 'deep'],
		[{ errors: [{ detail: 'one' }, { title: 'two' }] }, 'one; two'],
		[{ errors: { name: 'is taken', key: ['is short'] } }, 'name: is taken; key: is short'],
		[{ errors: {} }, undefined],
		['plain ', 'plain'],
		[{ message: '', error: 'later' }, 'later'],
		[{ unknown: 'key' }, undefined],
		[[], undefined],
		[null, undefined],
		[7, undefined],
	])('of %j is %p', (body, message) => {
		expect(messageIn(body)).toBe(message);
	});
});

describe('redact', () => {
	it.each([
		'Authorization: Basic dGhlLWtleTp0aGUtc2VjcmV0',
		'Bearer eyJhbGciOi.eyJzdWIi.c2VjcmV0LXZhbHVl',
		'https://the-key:the-secret@grids.example.com/api',
		'{"secret":"the-secret"}',
		'password=the-secret&x=1',
		'access_token: the-secret',
		'/api/Basic%20dGhlLWtleTp0aGUtc2VjcmV0',
	])('hides the secret in %s', (text) => {
		const shown = redact(text);
		expect(shown).toContain('***');
		expect(shown).not.toMatch(/the-secret|dGhlLWtleT|c2VjcmV0/);
	});

	it.each([
		'A basic column: the key amount_due and "amount" are not columns of https://grids.example.com/api',
		'Wrong password: check it, or ask for another one',
		'No secret: überprüfen.',
	])('leaves ordinary text unchanged: %s', (text) => {
		expect(redact(text)).toBe(text);
	});
});

describe('an unknown outcome', () => {
	it('contains the failure and the request', () => {
		const reason = new ConnectionFailed('ECONNRESET', true, { method: 'POST', path: '/a' });
		const error = new OutcomeUnknown(reason);
		expect(error).toMatchObject({ name: 'OutcomeUnknown', outcome: 'unknown', reason });
		expect(error.facts).toEqual({ method: 'POST', path: '/a' });
		expect(error.message).toContain('connection closed');
	});
});
