import { Forbidden, NotFound } from '../../../../client/errors';
import { entitySchema } from '../../../../client/resources/entities';
import { fieldSchema } from '../../../../client/resources/fields';
import { ifReadable } from '../../../../client/resources/forms';

describe('the options of a field (§2.5), whatever their members', () => {
	test.each([
		['a text', 'new', { value: 'new', name: 'new' }],
		['value and name', { value: 'v', name: 'N', label: 'L' }, { value: 'v', name: 'N' }],
		['value and label', { value: 'v', label: 'L' }, { value: 'v', name: 'L' }],
		['key before id', { key: 'k', id: 'i', name: 'N' }, { value: 'k', name: 'N' }],
		['a numeric ID', { id: 7, label: 'Seven' }, { value: '7', name: 'Seven' }],
		['a name alone', { name: 'N' }, { value: 'N', name: 'N' }],
	])('are read from %s', (_, option, read) => {
		const field = fieldSchema.parse({ id: 'f', name: 'F', type: { name: 'enum', options: [option] } });
		expect(field.type.options).toEqual([expect.objectContaining(read)]);
	});
});

describe('an entity (§2.6)', () => {
	test.each([
		[{}, '_id'],
		[{ _id: '' }, '_id'],
		[{ _id: 7.5 }, '_id'],
		[{ _id: 'e1', _representation: 7 }, '_representation'],
	])('%j is refused because of %s', (raw, member) => {
		expect(entitySchema.safeParse(raw).error?.issues.map(({ path }) => path)).toEqual([[member]]);
	});

	test.each([[{ _id: 'e1' }], [{ _id: 'e1', _representation: 'full', f1: null }]])('accepts %j', (raw) => {
		expect(entitySchema.parse(raw)).toMatchObject(raw);
	});
});

test('a numeric ID is refused (§2.1)', () => {
	expect(entitySchema.safeParse({ _id: 7, f1: 7 }).success).toBe(false);
	expect(fieldSchema.safeParse({ id: 7, name: 'F', type: { name: 'string' } }).success).toBe(false);
});

test('a forbidden or missing resource counts as absent; every other error is thrown (§5, §7)', async () => {
	expect(await ifReadable(Promise.resolve('read'))).toBe('read');
	const hidden: Promise<string> = Promise.reject(new Forbidden({ status: 403 }));
	expect(await ifReadable(hidden)).toBeUndefined();
	const missing: Promise<string> = Promise.reject(new NotFound({ status: 404 }));
	expect(await ifReadable(missing).catch((error: unknown) => error)).toBeInstanceOf(NotFound);
});
