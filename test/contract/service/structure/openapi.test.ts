import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from '@readme/openapi-parser';
import { numberOfNames } from '../../../../service/http/operations';
import { allRoutes } from '../../../../service/routes/all';
import { object, objects, startWithOwner, type Json } from '../http';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

async function fetchDescription() {
	const { service, anonymous } = await startWithOwner();
	try {
		return await anonymous.read('/api/openapi.json');
	} finally {
		await service.stop();
	}
}
let description: Json;
beforeAll(async () => {
	description = await fetchDescription();
});

const operations = (): Json[] =>
	Object.values(object(description['paths'])).flatMap((path) =>
		Object.entries(object(path)).flatMap(([method, one]) => (METHODS.includes(method) ? [object(one)] : [])),
	);

/** Writes a description to a file and validates it. */
async function validation(content: unknown) {
	const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
	const file = join(folder, 'openapi.json');
	try {
		await writeFile(file, JSON.stringify(content));
		return await validate(file);
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** All references within a part of the description. */
const references = (part: unknown): string[] =>
	[...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference);

test('§5 the OpenAPI description passes a validator', async () => {
	expect(await validation(description)).toMatchObject({ valid: true, warnings: [] });
});

test('the validator detects a defect', async () => {
	const broken = { ...description, info: { title: 'No version' } };
	expect(await validation(broken)).toMatchObject({ valid: false });
	const dangling = JSON.stringify(description).replace(
		'#/components/schemas/Space"',
		'#/components/schemas/Lost"',
	);
	expect(await validation(JSON.parse(dangling))).toMatchObject({ valid: false });
});

test('operations declare refusals of size and rate, the file of an upload, and JSON in queries', () => {
	const paths = object(description['paths']);
	for (const one of operations())
		expect(Object.keys(object(one['responses']))).toEqual(expect.arrayContaining(['413', '429', '431']));
	const entities = object(paths['/api/users/{userId}/spaces/{spaceId}/grids/{gridId}/entities']);
	const statuses = ['201', '400', '401', '403', '404', '413', '429', '431', '500', '503', '507'];
	expect(Object.keys(object(object(entities['post'])['responses'])).sort()).toEqual(statuses);
	const upload = object(object(paths['/api/users/{userId}/spaces/{spaceId}/uploadCSV'])['post']);
	expect(JSON.stringify(object(object(upload['requestBody'])['content'])['multipart/form-data'])).toContain(
		'"file":{"type":"string","format":"binary"}',
	);
	const grid = '/api/users/{userId}/spaces/{spaceId}/grids/{gridId}';
	const parameters = (path: string) => objects(object(object(paths[path])['get'])['parameters']);
	const typed = parameters(`${grid}/entities`).filter(({ content }) => content !== undefined);
	expect(typed.map(({ name }) => name)).toEqual(['filter', 'sorting']);
	expect(JSON.stringify(parameters(grid))).toContain('application/vnd.service.hal;version=2');
});

test('every operation has an ID, a described tag and a summary', () => {
	const all = operations();
	expect([all.length, numberOfNames]).toEqual([allRoutes.length, allRoutes.length]);
	const ids = all.map((one) => String(one['operationId']));
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter((id) => !/^[a-z][A-Za-z]{3,30}$/.test(id))).toEqual([]);
	const known = objects(description['tags']).map(({ name }) => name);
	for (const { tags, summary, description: text } of all) {
		expect(text).toMatch(/^[A-Z].*role/);
		expect(known).toEqual(expect.arrayContaining(Array.isArray(tags) ? tags : [tags]));
		expect(summary).toMatch(/^[A-Z]\S/);
	}
	expect(objects(description['servers'])).toMatchObject([{ url: '/' }]);
});

test('every named schema is referenced, and every reference resolves', () => {
	const schemas = object(object(description['components'])['schemas']);
	const used = new Set(references(description).map((one) => one.replace('#/components/schemas/', '')));
	expect([...used].filter((name) => !schemas[name])).toEqual([]);
	expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([]);
	expect(Object.keys(schemas)).toEqual(
		expect.arrayContaining(['Error', 'Space', 'SpacePage', 'Grid', 'GridPage', 'Field', 'Entity', 'EntityPage', 'Event', 'Share', 'CreateSpaceBody', 'AddFieldBody']), // prettier-ignore
	);
	expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
});

test('requests and responses use the named schemas', () => {
	const paths = object(description['paths']);
	const responseSchemas = (path: string, method: string, status: string) =>
		references(object(object(object(paths[path])[method])['responses'])[status]);
	expect(responseSchemas('/api/users/{userId}/spaces', 'get', '200')).toEqual([
		'#/components/schemas/SpacePage',
	]);
	expect(responseSchemas('/api/users/{userId}/spaces/{spaceId}', 'get', '200')).toEqual([
		'#/components/schemas/Space',
	]);
	const create = object(object(paths['/api/users/{userId}/spaces'])['post']);
	expect(references(create['requestBody'])).toEqual(['#/components/schemas/CreateSpaceBody']);
});
