import { strengthenHash } from '../../rules/passwords';
import type { Database } from './database';
import { AS_CREATED } from '../events/events';
import { newToken } from '../ids';

/** All tables but those of entities. JSON columns contain validated data. */
const tables = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);
CREATE TABLE access_keys (
	id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, key TEXT NOT NULL UNIQUE,
	secret_hash TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE INDEX access_keys_of_user ON access_keys (user_id);
CREATE TABLE spaces (
	id TEXT PRIMARY KEY, owner_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, name TEXT NOT NULL, key TEXT NOT NULL,
	belongs_to TEXT, icon TEXT NOT NULL, properties TEXT NOT NULL, created_at INTEGER NOT NULL,
	UNIQUE (owner_id, name), UNIQUE (owner_id, key));
CREATE TABLE shares (
	id TEXT PRIMARY KEY, space_id TEXT NOT NULL REFERENCES spaces ON DELETE CASCADE, email TEXT NOT NULL, role TEXT NOT NULL,
	invited INTEGER NOT NULL, created_at INTEGER NOT NULL, UNIQUE (space_id, email));
CREATE INDEX shares_of_email ON shares (email);
CREATE TABLE mails (id INTEGER PRIMARY KEY, recipient TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE TABLE grids (
	no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, space_id TEXT NOT NULL REFERENCES spaces ON DELETE CASCADE,
	base_no INTEGER REFERENCES grids (no) ON DELETE CASCADE, name TEXT NOT NULL, key TEXT NOT NULL, icon TEXT NOT NULL,
	properties TEXT NOT NULL, cut TEXT, created_at INTEGER NOT NULL, UNIQUE (space_id, name), UNIQUE (space_id, key));
CREATE INDEX grids_of_base ON grids (base_no);
CREATE TABLE fields (
	id TEXT PRIMARY KEY, grid_no INTEGER NOT NULL REFERENCES grids (no) ON DELETE CASCADE, position INTEGER NOT NULL,
	name TEXT NOT NULL, key TEXT NOT NULL, description TEXT, type TEXT NOT NULL, UNIQUE (grid_no, name), UNIQUE (grid_no, key));
CREATE TABLE forms (
	id TEXT PRIMARY KEY, grid_no INTEGER NOT NULL REFERENCES grids (no) ON DELETE CASCADE, name TEXT NOT NULL,
	inputs TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE INDEX forms_of_grid ON forms (grid_no);
CREATE TABLE sviews (
	id TEXT PRIMARY KEY, grid_no INTEGER NOT NULL REFERENCES grids (no) ON DELETE CASCADE, type TEXT NOT NULL,
	properties TEXT NOT NULL, slot_properties TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE INDEX sviews_of_grid ON sviews (grid_no);
CREATE TABLE sview_shares (
	id TEXT PRIMARY KEY, sview_id TEXT NOT NULL REFERENCES sviews ON DELETE CASCADE, email TEXT NOT NULL, role TEXT NOT NULL,
	created_at INTEGER NOT NULL, UNIQUE (sview_id, email));
CREATE TABLE links (
	id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, kind TEXT NOT NULL, role TEXT NOT NULL,
	grid_no INTEGER NOT NULL REFERENCES grids (no) ON DELETE CASCADE, form_id TEXT REFERENCES forms ON DELETE CASCADE,
	entity_id TEXT, protection TEXT NOT NULL, link_user TEXT, secret_hash TEXT, created_at INTEGER NOT NULL, token TEXT NOT NULL UNIQUE);
CREATE INDEX links_of_grid ON links (grid_no);
`;

/** Indexes on values and the position up to which each is filled (see indexes.ts). */
const indexes = 'CREATE TABLE indexes (name TEXT PRIMARY KEY, filled INTEGER NOT NULL) WITHOUT ROWID;';

/** Access tokens that are not revoked. */
const tokens = `
CREATE TABLE tokens (
	id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL);
CREATE INDEX tokens_of_user ON tokens (user_id);
`;

/** Grids with tables but without a record (see detachedGrids.ts). */
const detachedGrids = 'CREATE TABLE detached_grids (no INTEGER PRIMARY KEY);';

/** Fields with a changed type and values yet to be converted (see conversions.ts). */
const conversions = `
CREATE TABLE conversions (
	field_id TEXT PRIMARY KEY REFERENCES fields ON DELETE CASCADE, grid_no INTEGER NOT NULL, user_id TEXT NOT NULL, type TEXT NOT NULL,
	done INTEGER NOT NULL, until INTEGER NOT NULL);
CREATE INDEX conversions_of_grid ON conversions (grid_no);
`;

const FORMAT = 7;

/** Migrates a data file to the current format. @throws if a newer version wrote it */
export function prepareTables(db: Database): void {
	const format = db.all<{ user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0;
	if (format === FORMAT) return;
	if (format > FORMAT)
		throw new Error(`The data file has format ${format}; this service reads up to ${FORMAT}.`);
	db.transaction(() => {
		if (format === 0) db.exec(tables + tokens + indexes);
		if (format === 1 || format === 2) renewIndexes(db);
		if (format >= 1 && format <= 3) protectLinks(db);
		if (format <= 4) db.exec(detachedGrids);
		if (format <= 5) db.exec(conversions);
		if (format >= 1 && format <= 6) compactEvents(db);
		db.exec(`PRAGMA user_version=${FORMAT};`);
	});
	// Files of earlier formats do not free deleted pages; rewriting the file once enables that.
	if (format >= 1 && format <= 6) db.exec('PRAGMA auto_vacuum=INCREMENTAL; VACUUM;');
}

/**
 * Up to format 6, creation events repeated all values of the row, which was more than half of the
 * file.
 */
function compactEvents(db: Database): void {
	for (const { no } of db.all<{ no: number }>(
		'SELECT no FROM grids WHERE base_no IS NULL UNION SELECT no FROM detached_grids',
	)) {
		db.exec(`
UPDATE events_${no} AS made SET changes = '${AS_CREATED}' WHERE type = 'created'
	AND EXISTS (SELECT 1 FROM rows_${no} WHERE id = made.entity)
	AND NOT EXISTS (SELECT 1 FROM events_${no} AS later WHERE later.entity = made.entity AND later.type <> 'created');
${creationTriggers(no)}`);
	}
}

/** Before a row changes, its values are written to its creation event (see events.ts). */
function creationTriggers(no: number): string {
	const keep = `UPDATE events_${no} SET changes = OLD.v WHERE entity = OLD.id AND type = 'created' AND changes = '${AS_CREATED}'`;
	return `
CREATE TRIGGER creation_${no}_change BEFORE UPDATE OF v ON rows_${no} BEGIN ${keep}; END;
CREATE TRIGGER creation_${no}_remove BEFORE DELETE ON rows_${no} BEGIN ${keep}; END;`;
}

/** Call before all rows of a grid are deleted. */
export function dropCreationTriggers(db: Database, no: number): void {
	db.exec(`DROP TRIGGER IF EXISTS creation_${no}_change; DROP TRIGGER IF EXISTS creation_${no}_remove;`);
}

/**
 * Up to format 3, the address of a link was its ID, which is easy to guess and visible in the
 * history. Each link gets a new address and keeps its ID. Passwords were hashed without salt.
 */
function protectLinks(db: Database): void {
	db.exec(`ALTER TABLE links ADD COLUMN token TEXT; ${tokens}`);
	for (const { id, secret_hash } of db.all<{ id: string; secret_hash: string | null }>(
		'SELECT * FROM links',
	)) {
		const hash = secret_hash === null ? null : strengthenHash(secret_hash);
		db.run('UPDATE links SET (token, secret_hash) = (?, ?) WHERE id = ?', newToken(), hash, id);
	}
	db.exec('CREATE UNIQUE INDEX links_by_token ON links (token);');
}

/**
 * Drops old indexes, which are recreated on demand. Format 1 had SQLite indexes on the values of
 * fields; in format 2, triggers inserted new entities.
 */
function renewIndexes(db: Database): void {
	const old = db.all<{ type: string; name: string }>(
		`SELECT type, name FROM sqlite_master WHERE substr(name, 1, 6) = 'value_' OR name = 'indexes' ORDER BY type DESC`,
	);
	for (const { type, name } of old) db.exec(`DROP ${type} ${name}`);
	db.exec(indexes);
}

/**
 * Creates the tables of a grid. Each grid has its own tables, so it is deleted with one DROP and
 * its indexes contain no other grids. `pos` is the creation order and is never reused; `holes`
 * counts deleted positions by block, to find the n-th entity without a scan (see positions.ts).
 */
export function createGridTables(db: Database, no: number): void {
	db.exec(`
CREATE TABLE rows_${no} (pos INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, by TEXT NOT NULL, v TEXT NOT NULL);
CREATE TABLE holes_${no} (block INTEGER PRIMARY KEY, n INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE events_${no} (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, type TEXT NOT NULL, entity TEXT NOT NULL, user TEXT NOT NULL, changes TEXT NOT NULL);
CREATE INDEX events_at_${no} ON events_${no} (at);
CREATE INDEX events_entity_${no} ON events_${no} (entity);
${creationTriggers(no)}
`);
}

/** Deletes all entities and events of a grid. */
export function dropGridTables(db: Database, no: number): void {
	for (const table of ['rows', 'holes', 'events']) db.forgetStatements(`${table}_${no}`);
	db.exec(`DROP TABLE rows_${no}; DROP TABLE holes_${no}; DROP TABLE events_${no};`);
}
