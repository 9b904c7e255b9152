import type { Database } from './database';

/**
 * Links with which a person creates an account or sets a new password. Each ends with the share for
 * which it was made.
 */
const JOININGS = `CREATE TABLE joinings (
	token_hash TEXT PRIMARY KEY, email TEXT NOT NULL, expires_at INTEGER NOT NULL,
	share_id TEXT NOT NULL REFERENCES shares ON DELETE CASCADE) WITHOUT ROWID;
CREATE INDEX joinings_of_share ON joinings (share_id);`;

/**
 * All tables. JSON columns contain validated data. Rows and events of all grids share one table
 * each: the schema is fixed, so that no request waits for a change of it. Their keys begin with the
 * number of the grid (see keys.ts).
 */
const tables = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);
CREATE TABLE access_keys (
	id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, key TEXT NOT NULL UNIQUE,
	secret_hash TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE INDEX access_keys_of_user ON access_keys (user_id);
CREATE TABLE passwords (user_id TEXT PRIMARY KEY REFERENCES users ON DELETE CASCADE, hash TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE spaces (
	id TEXT PRIMARY KEY, owner_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, name TEXT NOT NULL, key TEXT NOT NULL,
	belongs_to TEXT, icon TEXT NOT NULL, properties TEXT NOT NULL, created_at INTEGER NOT NULL,
	UNIQUE (owner_id, name), UNIQUE (owner_id, key));
CREATE TABLE shares (
	id TEXT PRIMARY KEY, space_id TEXT NOT NULL REFERENCES spaces ON DELETE CASCADE, email TEXT NOT NULL, role TEXT NOT NULL,
	invited INTEGER NOT NULL, created_at INTEGER NOT NULL, UNIQUE (space_id, email));
CREATE INDEX shares_of_email ON shares (email);
${JOININGS}
CREATE TABLE mails (id INTEGER PRIMARY KEY, recipient TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE TABLE grids (
	no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, space_id TEXT REFERENCES spaces ON DELETE CASCADE,
	base_no INTEGER REFERENCES grids (no) ON DELETE CASCADE, name TEXT NOT NULL, key TEXT NOT NULL, icon TEXT NOT NULL,
	properties TEXT NOT NULL, cut TEXT, created_at INTEGER NOT NULL, UNIQUE (space_id, name), UNIQUE (space_id, key));
CREATE INDEX grids_of_base ON grids (base_no);
CREATE TABLE fields (
	id TEXT PRIMARY KEY, grid_no INTEGER NOT NULL REFERENCES grids (no) ON DELETE CASCADE, position INTEGER NOT NULL,
	name TEXT NOT NULL, key TEXT NOT NULL, description TEXT, type TEXT NOT NULL, UNIQUE (grid_no, name), UNIQUE (grid_no, key));
-- Deleted columns, whose values stay in the rows until the grid is deleted.
CREATE TABLE removed_fields (
	id TEXT PRIMARY KEY, grid_no INTEGER NOT NULL REFERENCES grids (no) ON DELETE CASCADE, position INTEGER NOT NULL,
	name TEXT NOT NULL, key TEXT NOT NULL, description TEXT, type TEXT NOT NULL, removed_at INTEGER NOT NULL);
CREATE INDEX removed_fields_of_grid ON removed_fields (grid_no);
-- Discarded grids, which have no space, like their views, until they are restored or deleted.
CREATE TABLE discarded_grids (
	no INTEGER PRIMARY KEY REFERENCES grids (no) ON DELETE CASCADE, space_id TEXT NOT NULL, discarded_at INTEGER NOT NULL);
CREATE INDEX discarded_grids_of_space ON discarded_grids (space_id);
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
	entity_id TEXT, protection TEXT NOT NULL, link_user TEXT, secret_hash TEXT, created_at INTEGER NOT NULL, token TEXT NOT NULL UNIQUE, names INTEGER NOT NULL DEFAULT 0);
CREATE INDEX links_of_grid ON links (grid_no);
CREATE TABLE tokens (
	id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
	is_session INTEGER NOT NULL);
CREATE INDEX tokens_of_user ON tokens (user_id);
-- pos is the creation order and is never reused. holes counts deleted positions by block, to find
-- the n-th row without a scan (see positions.ts).
CREATE TABLE rows (pos INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, by TEXT NOT NULL, v TEXT NOT NULL);
CREATE TABLE holes (block INTEGER PRIMARY KEY, n INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, type TEXT NOT NULL, entity TEXT NOT NULL, user TEXT NOT NULL, changes TEXT NOT NULL);
CREATE INDEX events_of_entity ON events (entity);
-- Indexes on values, the position up to which each is filled, and their keys (see indexes.ts).
CREATE TABLE indexes (no INTEGER PRIMARY KEY AUTOINCREMENT, grid_no INTEGER NOT NULL, fields TEXT NOT NULL, filled INTEGER NOT NULL);
CREATE INDEX indexes_of_grid ON indexes (grid_no);
CREATE TABLE keys (index_no INTEGER, k0, k1, pos INTEGER, PRIMARY KEY (index_no, k0, k1, pos)) WITHOUT ROWID;
-- Grids and indexes without a record, whose rows and keys are deleted in slices (see leftovers.ts).
CREATE TABLE detached_grids (no INTEGER PRIMARY KEY);
CREATE TABLE dropped_indexes (no INTEGER PRIMARY KEY);
-- Spaces that are being filled (see Spaces.draft).
CREATE TABLE draft_spaces (id TEXT PRIMARY KEY REFERENCES spaces ON DELETE CASCADE) WITHOUT ROWID;
-- Fields with a changed type and values yet to be converted (see conversions.ts).
CREATE TABLE conversions (
	field_id TEXT PRIMARY KEY REFERENCES fields ON DELETE CASCADE, grid_no INTEGER NOT NULL, user_id TEXT NOT NULL, type TEXT NOT NULL,
	done INTEGER NOT NULL, until INTEGER NOT NULL);
CREATE INDEX conversions_of_grid ON conversions (grid_no);
`;

const FORMAT = 12;

/**
 * Creates the tables of a new data file.
 * @throws if the data file has another format
 */
export function prepareTables(db: Database): void {
	const format = db.all<{ user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0;
	if (format === FORMAT) return;
	if (format > FORMAT)
		throw new Error(
			`${db.path} has format ${format}; this service reads up to ${FORMAT}: start the newer version that wrote it, or set another file with --data`,
		);
	if (format === 10 || format === 11) {
		db.transaction(() => {
			if (format === 10) db.exec(`DROP TABLE joinings; ${JOININGS};`);
			db.exec(
				`ALTER TABLE links ADD COLUMN names INTEGER NOT NULL DEFAULT 0; PRAGMA user_version=${FORMAT};`,
			);
		});
		return;
	}
	if (format > 0)
		throw new Error(
			`${db.path} has format ${format} of an earlier version; this service reads format ${FORMAT}. To carry it over, start the version that wrote it, export each grid as CSV, and upload the files to a new data file of this version.`,
		);
	db.transaction(() => {
		db.exec(tables);
		db.exec(`PRAGMA user_version=${FORMAT};`);
	});
}
