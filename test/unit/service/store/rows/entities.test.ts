import { Database } from '../../../../../service/store/files/database';
import { Store } from '../../../../../service/store/store';
import { TemporaryFolder } from '../../../../fixtures/temporaryFolder';

const folder = new TemporaryFolder();
let store: Store;
let beside: Database;
let no: number;
let fieldId: string;

beforeEach(() => {
	const path = folder.file('data.db');
	store = new Store({ path });
	beside = new Database(path);
	const owner = store.accounts.createUser('owner');
	const grid = store.addGrid(store.spaces.create(owner.id, {}).id, { name: 'Grid' });
	no = grid.no;
	fieldId = store.fields.add(no, { name: 'Text', type: { name: 'string' } }).id;
});
afterEach(() => {
	beside.close();
	store.close();
});

/** Makes the event log refuse events of one type, as a full disk would. */
const failing = (type: string) => {
	beside.exec(
		`CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.type = '${type}' BEGIN SELECT RAISE(ABORT, 'no room'); END`,
	);
};
/** Returns the committed rows, as another process sees them. */
const rows = () =>
	beside.all<{ id: string; v: string }>('SELECT id, v FROM rows ORDER BY pos').map(({ id, v }) => [id, v]);
const value = (text: string) => JSON.stringify({ [fieldId]: text });

test.each(['on its own', 'in a group'])(
	'an update whose event cannot be written changes nothing (%s)',
	async (how) => {
		const { id } = store.entities.create(no, { [fieldId]: 'before' }, 'me');
		if (how === 'in a group') store.groupCommits();
		failing('updated');
		const updating = store.write(() => store.entities.update(no, id, { [fieldId]: 'after' }, 'me'));
		await expect(updating).rejects.toThrow('no room');
		expect(rows()).toEqual([[id, value('before')]]);
		expect(store.entities.get(no, id)?.values).toEqual({ [fieldId]: 'before' });
	},
);

test('a creation and a deletion whose event cannot be written change nothing', () => {
	const { id } = store.entities.create(no, { [fieldId]: 'there' }, 'me');
	failing('created');
	expect(() => store.entities.create(no, { [fieldId]: 'new' }, 'me')).toThrow('no room');
	beside.exec('DROP TRIGGER full');
	failing('deleted');
	expect(() => store.entities.remove(no, id, 'me')).toThrow('no room');
	expect(rows()).toEqual([[id, value('there')]]);
	expect(store.entities.positions.total(no)).toBe(1);
});

test('an update of two fields by two writers keeps both: each reads and writes in one transaction', () => {
	const other = store.fields.add(no, { name: 'Other', type: { name: 'string' } }).id;
	const { id } = store.entities.create(no, {}, 'me');
	store.entities.update(no, id, { [fieldId]: 'a' }, 'me');
	store.entities.update(no, id, { [other]: 'b' }, 'you');
	expect(store.entities.get(no, id)?.values).toEqual({ [fieldId]: 'a', [other]: 'b' });
});
