import { jsonObject, ownMember } from '../../../../../client/formats/json';
import { entitySchema } from '../../../../../client/resources/entities';
import { fieldSchema } from '../../../../../client/resources/fields';
import { GridIndex, keyIn } from '../../../../../nodes/Entity/keys/gridIndex';
import { KeyColumns } from '../../../../../nodes/Entity/keys/keyColumns';
import { changesOf, differing } from '../../../../../nodes/Entity/writing/differences';
import { canonicalKey } from '../../../../../nodes/shared/rows/equality';
import { filterReading } from '../../../../../nodes/shared/rows/filterReading';

/** Column IDs that are names of inherited members. */
const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'];

const emptyRow = entitySchema.parse({ _id: 'r1', _links: {} });
const fieldOf = (id: string) => fieldSchema.parse({ id, name: `Column ${id}`, type: { name: 'string' } });
const valuesOf = (text: string) => jsonObject.parse(JSON.parse(text));

describe.each(NAMES)('a column with the ID "%s" without a value in a row', (id) => {
	const field = fieldOf(id);
	const none = valuesOf('{}');

	test('is not a member of the row', () => {
		expect(ownMember(emptyRow, id)).toBeUndefined();
		expect(ownMember(valuesOf(`{"${id}":"a"}`), id)).toBe('a');
	});

	test('matches the same filters as an empty value', () => {
		expect(filterReading(valuesOf(`{"${id}":{"$eq":null}}`), [field])(emptyRow)).toBe('meets');
		const contains = filterReading(valuesOf(`{"${id}":{"$contains":"function"}}`), [field]);
		expect(contains(emptyRow)).toBe('fails');
	});

	test('has the key of an empty value', () => {
		expect(canonicalKey([field], none)).toBe(canonicalKey([field], valuesOf(`{"${id}":null}`)));
	});

	test('equals an empty value, and was empty before a change', () => {
		expect(differing([field], emptyRow, valuesOf(`{"${id}":null}`))).toEqual({});
		const [change] = changesOf(new Map(), emptyRow, valuesOf(`{"${id}":"a"}`));
		expect(change).toEqual({ fieldId: id, field: id, old: null, new: 'a' });
	});

	test('is not a duplicate of another row of a sync', () => {
		const index = new GridIndex(1);
		for (const id of ['r1', 'r2'])
			index.add(id, { ...keyIn(new KeyColumns([field]), emptyRow), isInScope: true });
		expect([index.rows, index.duplicates.size]).toEqual([2, 0]);
	});
});
