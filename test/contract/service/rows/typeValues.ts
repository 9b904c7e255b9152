export const OPTIONS = ['red', { value: 'blue', label: 'Blue' }, 'Red'];
const ADDRESS = { line1: 'Main St 1', city: 'Berlin', geoLocation: { lat: 52.5, lon: 13.4 } };
const ATTACHMENT = { name: 'Bill.pdf', url: 'https://files.example/bill.pdf' };
const LONG = 'x'.repeat(5000);

/** Each type with values that it accepts and refuses; those that are computed accept none. */
export const TYPES: ReadonlyArray<readonly [string, readonly unknown[], readonly unknown[]]> = [
	['string', ['', 'a', 'B', '0', 'ÄÖ', '\uff61', '😀', ' a', LONG, "'; DROP", '%', 'null'], [1, true, {}, ['a']]],
	['richText', ['', '<p>Ä</p>'], [1]],
	['integer', [0, -5, 9007199254740991, -9007199254740991, 10], [1.5, '1', 1e300, true]],
	['decimal', [0, -1.25, 0.1, 1e300, -1e-300, 3], ['1.5', false, [1]]],
	['currency', [19.99, 0, -0.01], ['19.99', {}]],
	['boolean', [true, false], [0, 1, 'true', '']],
	['date', ['0001-01-01', '2024-02-29', '9999-12-31'], ['2026-02-30', '28.02.2026', '2026-02-28T10:00:00Z', 20260228, '']],
	['date-time', ['2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.001Z', '1969-12-31T23:59:59.999Z'], ['2026-02-28', '']],
	['enum', ['red', 'blue', 'Red'], ['green', 'Blue', '', ['red']]],
	['enumcollection', [[], ['red'], ['red', 'blue'], ['blue', 'red'], ['Red']], ['red', ['green']]],
	['stringcollection', [[], ['a'], ['a', 'b'], ['b', 'a'], ['A"b\\c', ''], ['[']], ['a', [1]]],
	['email', ['a@example.com', 'B@example.com'], ['a', 'a@', '', 5]],
	['phoneNumber', ['+49 30 1234567', '(030) 123-45'], ['call me', 49301234567]],
	['uri', ['https://example.com/a?b=c', 'mailto:a@example.com'], ['example', '/path', 5]],
	['address', [ADDRESS, {}, { city: 'Köln' }], ['Main St 1', { street: 'x' }, { geoLocation: { lat: 99, lon: 0 } }]],
	['geolocation', [{ lat: -33.9, lon: 151.2 }, { lat: 0, lon: 0 }], [{ lat: 91, lon: 0 }, { lat: 1 }, '1,2']],
	['attachments', [[], [ATTACHMENT], [ATTACHMENT, { ...ATTACHMENT, name: 'b' }]], [ATTACHMENT, [{ url: 'x' }]]],
	['signature', ['data:image/png;base64,AAAA', ''], [1]],
	['user', ['65f0', '65F1'], [1, '']],
	['createdby', [], [1]],
	['createdat', [], ['yesterday', 5]],
	['reference', [{ uri: '/api/x' }, { uri: '/api/Y' }, { uri: 'z' }], [{ href: '/api/x' }, 5, '', { uri: '' }]],
	['references', [[], [{ uri: '/api/x' }, { uri: '/api/Y' }]], [{ uri: '/api/x' }]],
	['lookup', [], [1]],
	['formula', [], [1]],
	['resource', [{ href: '/api/x' }, { href: 'z' }], [{ uri: '/api/x' }, 5, '', { href: '' }]],
]; // prettier-ignore
