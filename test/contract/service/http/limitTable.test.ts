import { readFileSync } from 'node:fs';
import { LIMITS, sizeText } from '../../../../service/rules/limits';
import { makeGrid, testService, type Json } from '../http';

const count = (limit: number) => limit.toLocaleString('en-US');
const characters = (limit: number) => `${count(limit)} characters`;
const ofJson = (limit: number) => `${sizeText(limit)} of JSON`;

/** What each limit is in the table of the README. */
const TABLE = {
	nameLength: ['name of a space or grid (§8)', characters],
	keyLength: ['key of a space or grid (§8)', characters],
	textLength: [
		'other names: columns and their keys, access keys, icons, types of stateful views',
		characters,
	],
	descriptionLength: ['description of a column', characters],
	emailLength: ['email address', characters],
	loginLength: ['user name, password of a public link', characters],
	propertiesBytes: ['properties of a space or grid, each of the two of a stateful view', ofJson],
	definitionBytes: ['columns, filter and sorting of a view', ofJson],
	fields: ['columns of a grid', count],
	schemaBytes: ['types and descriptions of all columns of a grid', ofJson],
	shares: ['people with a role in a space or stateful view', count],
	cellLength: ['text in a cell', characters],
	longCellLength: ['`richText` or `signature` in a cell', characters],
	uriLength: ['`uri` in a cell', characters],
	listElements: ['list in a cell', (limit) => `${count(limit)} elements`],
	conditions: ['filter', (limit) => `${count(limit)} conditions`],
	textConditions: ['`$contains` and `$search` in a filter', count],
	filterDepth: ['nesting of a filter', (limit) => `${count(limit)} levels`],
	listedValues: ['values of all `$in` in a filter, 1,000 of each', count],
	jsonDepth: ['nesting of JSON', (limit) => `${count(limit)} levels`],
	bodyBytes: ['body, and each part of an upload except the file', sizeText],
	uploadBytes: ['uploaded file', sizeText],
	headerBytes: ['address and headers', sizeText],
	sessions: ['sessions of an account; a further one ends the oldest', count],
	pipelined: ['unanswered requests of a connection', count],
	pageSize: ['page of a list', (limit) => `${count(limit)} items`],
	copiedEntities: ['entities in the copy of a space', count],
} satisfies Record<keyof typeof LIMITS, readonly [what: string, text: (limit: number) => string]>;

test('the table of limits in the README is that of the code', () => {
	const readme = readFileSync('service/README.md', 'utf8');
	const section = readme.slice(readme.indexOf('## Limits'));
	const rows = [...section.matchAll(/^\| (?!What|-)(.*?) +\| (.*?) +\|$/gm)].map(([, what, limit]) => [what, limit]); // prettier-ignore
	const limits: Record<string, number> = LIMITS;
	const expected = Object.entries(TABLE).map(([name, [what, text]]) => [what, text(limits[name] ?? 0)]);
	expect(rows).toEqual(expected);
});

const context = testService();

/** An object whose JSON has this many bytes. */
const ofSize = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
const options = (size: number) => [{ value: 'x'.repeat(size) }];

test('texts and properties are accepted up to their limit and refused beyond it', async () => {
	const { owner } = context;
	const { space, grid, ids } = await makeGrid(owner, { a: { name: 'string' } });
	const field = `${grid}/fields/${ids['a'] ?? ''}`;
	const view = { fields: [ids['a']], sorting: {} };
	const filter = (size: number) => ({ $or: Array.from({ length: Math.round(size / 65_000) }, () => ({ [ids['a'] ?? '']: { $eq: 'x'.repeat(65_000) } })) }); // prettier-ignore
	const email = (length: number) => {
		const labels = Math.floor((length - 2) / 51);
		const domain = Array.from({ length: labels }, () => 'd'.repeat(50)).join('.');
		return `${'a'.repeat(length - domain.length - 4)}@${domain}.de`;
	};
	const sent: Array<[what: string, method: string, path: string, body: (over: number) => Json]> = [
		['space', 'PATCH', space, (over) => ({ properties: ofSize(LIMITS.propertiesBytes + over) })],
		['belongsTo', 'PATCH', space, (over) => ({ belongsTo: 'x'.repeat(LIMITS.textLength + over) })],
		['grid', 'PATCH', grid, (over) => ({ properties: ofSize(LIMITS.propertiesBytes + over) })],
		['sview', 'POST', `${grid}/sviews`, (over) => ({ type: 'x', slotProperties: ofSize(LIMITS.propertiesBytes + over) })], // prettier-ignore
		['description', 'PATCH', field, (over) => ({ description: 'x'.repeat(LIMITS.descriptionLength + over) })],
		['view', 'POST', `${grid}/virtualgrids`, (over) => ({ ...view, name: `V${over}`, filter: filter(over > 0 ? 195_000 : 65_000) })], // prettier-ignore
		['share', 'POST', `${space}/shares`, (over) => ({ email: email(100 + over * 155), role: 'reader' })],
		['login', 'POST', `${grid}/links`, (over) => ({ kind: 'view', user: 'x'.repeat(LIMITS.loginLength + over), password: 'long enough' })], // prettier-ignore
		['password', 'POST', `${grid}/links`, (over) => ({ kind: 'view', user: 'x', password: 'x'.repeat(LIMITS.loginLength + over) })], // prettier-ignore
	];
	for (const [what, method, path, body] of sent) {
		const statuses = [
			(await owner.send(method, path, { body: body(0) })).status < 300,
			(await owner.send(method, path, { body: body(1) })).status,
		];
		expect([what, ...statuses]).toEqual([what, true, 400]);
	}
	const half = LIMITS.schemaBytes / 2;
	const add = (size: number) => owner.post(`${grid}/ColumnAdd`, { name: `C${size}`, type: { name: 'enum', options: options(size) } }); // prettier-ignore
	expect((await add(half)).status).toBe(201);
	expect((await add(half - 1)).json()['message']).toContain('at most 2 MiB');
});

test('a page of a list reads only what it shows', async () => {
	const { owner, home } = context;
	const space = await owner.create(`${home}/spaces`, { name: 'Many grids' });
	for (let n = 0; n < 70; n++)
		await owner.create(`${space}/grids`, { name: `G${n}`, properties: ofSize(LIMITS.propertiesBytes) });
	const one = await owner.read(`${space}/grids`, { pageSize: '1', pageIndex: '70' });
	expect(one).toMatchObject({ size: 1, numberOfItems: 70, items: [{ name: 'G69' }] });
	// More than 4 MiB are streamed, with the size at the end.
	const all = await owner.get(`${space}/grids`);
	expect(all.json()).toMatchObject({ size: 70, numberOfItems: 70 });
	expect(all.text).toMatch(/"size":70}$/);
});
