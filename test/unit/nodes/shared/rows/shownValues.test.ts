import { fieldSchema } from '../../../../../client/resources/fields';
import { sameValue } from '../../../../../nodes/shared/rows/equality';

const field = (type: string) => fieldSchema.parse({ id: 'f', name: 'F', type: { name: type } });
const ROW = '/api/users/u/spaces/s/grids/g/entities/e1';
const LINK = { uri: ROW };
const PLACE = { lat: 1.5, lon: 2 };

/** §2.5 names the types of columns, but not how a service shows their cells. */
test.each<[string, string, unknown, unknown]>([
	['a link as a text', 'reference', LINK, ROW],
	['a link as an absolute URL', 'reference', LINK, `https://grids.example${ROW}`],
	['a link as an ID', 'reference', LINK, 'e1'],
	['a link as a record with an ID', 'reference', LINK, { id: 'e1', displayValue: 'A' }],
	['a link as a row', 'reference', LINK, { _id: 'e1', _links: { self: { href: ROW, method: 'get' } } }],
	['a link with href', 'reference', LINK, { href: ROW }],
	['links as IDs', 'references', [LINK, { uri: `${ROW}2` }], ['e1', 'e12']],
	['no links as an empty list', 'references', null, []],
	['no texts as an empty list', 'stringcollection', null, []],
	['no options as an empty list', 'enumcollection', null, []],
	['options in another order', 'enumcollection', ['y', 'x'], ['x', 'y']],
	['an option as an object', 'enum', 'x', { value: 'x', label: 'The x' }],
	['options as objects', 'enumcollection', ['x'], [{ value: 'x', label: 'The x' }]],
	['a day as its midnight', 'date', '2026-03-01', '2026-03-01T00:00:00Z'],
	['no day as an empty text', 'date', null, ''],
	['no option as an empty text', 'enum', null, ''],
	['a place with texts', 'geolocation', PLACE, { lat: '1.5', lon: '2' }],
	['a place with more members', 'geolocation', PLACE, { ...PLACE, accuracy: 3 }],
])('%s equals the value that was written', (_how, type, written, shown) => {
	expect(sameValue(field(type), written, shown)).toBe(true);
});

test.each<[string, string, unknown, unknown]>([
	['a link to another row', 'reference', LINK, 'e2'],
	['more links', 'references', [LINK], ['e1', 'e2']],
	['links in another order', 'references', ['e1', 'e2'], ['e2', 'e1']],
	['texts in another order', 'stringcollection', ['q', 'p'], ['p', 'q']],
	['another option', 'enum', 'x', { value: 'y' }],
	['another day', 'date', '2026-03-01', '2026-03-02T00:00:00Z'],
	['another place', 'geolocation', PLACE, { lat: 1.5, lon: 3 }],
])('%s is another value', (_how, type, written, shown) => {
	expect(sameValue(field(type), written, shown)).toBe(false);
});
