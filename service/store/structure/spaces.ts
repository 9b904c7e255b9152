import type { Role } from '../../rules/access';
import { LIMITS } from '../../rules/limits';
import { badRequest } from '../../rules/errors';
import type { Database } from '../files/database';
import { pageOfRecords, type SizedRecord, type StoredPage } from '../rows/storedPage';
import { newId } from '../ids';
import { iconColumn, propertiesColumn, readColumn } from '../json';
import { RecordCache } from '../recordCache';

/** A symbol object (§2.8). */
export interface SymbolObject {
	readonly name: string;
	readonly iconset: string;
	readonly color: string;
}

export interface Space {
	readonly id: string;
	readonly ownerId: string;
	readonly name: string;
	readonly key: string;
	readonly belongsTo: string | null;
	readonly icon: SymbolObject;
	readonly properties: Record<string, unknown>;
	readonly createdAt: number;
}

/** A space in a list. */
export interface ListedSpace {
	readonly id: string;
	readonly ownerId: string;
	/** Role of the caller by a share. */
	readonly sharedRole: Role | null;
}

/** Size of an invitation, which the representation of a space contains. */
const INVITATION_BYTES = 500;

/** Members to update. */
export interface SpaceChange {
	readonly name?: string | undefined;
	readonly key?: string | undefined;
	readonly belongsTo?: string | null | undefined;
	readonly icon?: SymbolObject | undefined;
	readonly properties?: Record<string, unknown> | undefined;
}

interface SpaceRow {
	id: string;
	owner_id: string;
	name: string;
	key: string;
	belongs_to: string | null;
	icon: string;
	properties: string;
	created_at: number;
}

const DEFAULT_SPACE_ICON: SymbolObject = { name: 'layers', iconset: 'material', color: '#3f6ea8' };

const toSpace = (row: SpaceRow): Space => ({
	id: row.id,
	ownerId: row.owner_id,
	name: row.name,
	key: row.key,
	belongsTo: row.belongs_to,
	icon: readColumn(iconColumn, row.icon),
	properties: readColumn(propertiesColumn, row.properties),
	createdAt: row.created_at,
});

/** An own property as text; inherited names such as `toString` are undefined. */
function propertyText(properties: Readonly<Record<string, unknown>>, name: string): string | undefined {
	if (!Object.hasOwn(properties, name)) return undefined;
	const value = properties[name];
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Derives a free key from a name.
 * @param tried number of the last key that was tried for a similar name, while no key is removed
 */
export function keyFor(
	name: string,
	taken: (key: string) => boolean,
	tried = new Map<string, number>(),
): string {
	const plain = name
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '_')
		.replace(/^_+|_+$/g, '')
		.slice(0, LIMITS.keyLength);
	const base = plain || 'key';
	for (let n = tried.get(base) ?? 1; ; n++) {
		const key = n === 1 ? base : `${base.slice(0, LIMITS.keyLength - 1 - String(n).length)}_${n}`;
		if (taken(key)) continue;
		tried.set(base, n);
		return key;
	}
}

/** Spaces of all accounts. */
export class Spaces {
	private readonly records: RecordCache<string, Space>;
	/** Spaces that this process is filling. */
	private readonly drafts = new Set<string>();

	constructor(private readonly db: Database) {
		this.records = new RecordCache(db, ({ properties }) => JSON.stringify(properties).length);
	}

	/** @throws ServiceError 400 if the name or key is taken within the account (§8) */
	create(ownerId: string, given: SpaceChange): Space {
		return this.db.transaction(() => {
			const name = given.name ?? 'Space';
			const key = given.key ?? keyFor(name, (candidate) => this.isTaken(ownerId, 'key', candidate));
			this.requireUnused(ownerId, { name, key });
			const space: Space = {
				id: newId(),
				ownerId,
				name,
				key,
				belongsTo: given.belongsTo ?? null,
				icon: given.icon ?? DEFAULT_SPACE_ICON,
				properties: given.properties ?? {},
				createdAt: Date.now(),
			};
			this.db.run(
				'INSERT INTO spaces VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
				space.id,
				ownerId,
				name,
				key,
				space.belongsTo,
				JSON.stringify(space.icon),
				JSON.stringify(space.properties),
				space.createdAt,
			);
			return space;
		});
	}

	/**
	 * Creates a space to be filled, which nobody sees before `publish`. It already has its name.
	 * @throws ServiceError 400 if the name is taken within the account
	 */
	draft(ownerId: string, given: SpaceChange): Space {
		return this.db.transaction(() => {
			const space = this.create(ownerId, given);
			this.db.run('INSERT INTO draft_spaces VALUES (?)', space.id);
			this.drafts.add(space.id);
			return space;
		});
	}

	/** Shows a filled space. */
	publish(id: string): void {
		this.db.run('DELETE FROM draft_spaces WHERE id = ?', id);
		this.drafts.delete(id);
	}

	/** IDs of drafts that a killed process left behind. Call at the start. */
	leftDrafts(): string[] {
		return this.db.all<{ id: string }>('SELECT id FROM draft_spaces').map(({ id }) => id);
	}

	/** Spaces of an account, oldest first. */
	ownedBy(ownerId: string): Space[] {
		return this.db
			.all<SpaceRow>('SELECT * FROM spaces WHERE owner_id = ? ORDER BY rowid', ownerId)
			.map(toSpace)
			.filter((space) => !this.drafts.has(space.id));
	}

	get(id: string): Space | undefined {
		if (this.drafts.has(id)) return undefined;
		return this.records.get(id, () => {
			const [row] = this.db.all<SpaceRow>('SELECT * FROM spaces WHERE id = ?', id);
			return row && toSpace(row);
		});
	}

	/** @throws ServiceError 400 if the new name or key is taken */
	update(space: Space, change: SpaceChange): void {
		this.db.transaction(() => {
			this.requireUnused(space.ownerId, change, space.id);
			this.records.forget(space.id);
			const { name, key, belongsTo, icon, properties } = change;
			this.db.run(
				'UPDATE spaces SET name = ?, key = ?, belongs_to = ?, icon = ?, properties = ? WHERE id = ?',
				name ?? space.name,
				key ?? space.key,
				belongsTo === undefined ? space.belongsTo : belongsTo,
				JSON.stringify(icon ?? space.icon),
				JSON.stringify(properties ?? space.properties),
				space.id,
			);
		});
	}

	/** Deletes the record. Delete its grids first (see Store.removeSpace). */
	remove(id: string): void {
		this.records.forget(id);
		this.drafts.delete(id);
		this.db.run('DELETE FROM spaces WHERE id = ?', id);
	}

	/**
	 * A page of the spaces of an account and those shared with an address, oldest first. Reads no
	 * others.
	 * @param isVisible whether the caller sees a space
	 */
	page(
		{ ownerId, email }: { readonly ownerId: string; readonly email: string },
		isVisible: (space: ListedSpace) => boolean,
		range: { readonly offset: number; readonly limit: number },
	): StoredPage<Space & ListedSpace> {
		const listed = this.db.all<ListedSpace & SizedRecord<string>>(
			`SELECT s.id, s.id AS key, s.owner_id AS ownerId, h.role AS sharedRole,
				octet_length(s.properties) + ${INVITATION_BYTES} * (SELECT count(*) FROM shares i WHERE i.space_id = s.id AND i.invited = 1) AS bytes
			 FROM spaces s LEFT JOIN shares h ON h.space_id = s.id AND h.email = ?
			 WHERE s.owner_id = ? OR h.role IS NOT NULL ORDER BY s.rowid`,
			email,
			ownerId,
		);
		const visible = listed.filter((space) => !this.drafts.has(space.id) && isVisible(space));
		const roles = new Map(visible.map(({ id, sharedRole }) => [id, sharedRole]));
		return pageOfRecords(this.db, visible, range, (ids) =>
			this.db
				.all<SpaceRow>(
					'SELECT * FROM spaces WHERE id IN (SELECT value FROM json_each(?)) ORDER BY rowid',
					JSON.stringify(ids),
				)
				.map((row) => ({ ...toSpace(row), sharedRole: roles.get(row.id) ?? null })),
		);
	}

	/** Whether a space has a property with this value. */
	matches(id: string, { key, value }: { readonly key: string; readonly value: string }): boolean {
		const [row] = this.db.all<SpaceRow>('SELECT * FROM spaces WHERE id = ?', id);
		return row !== undefined && propertyText(toSpace(row).properties, key) === value;
	}

	/** Whether another space has this name or key. @param except ID of the space to ignore */
	isTaken(ownerId: string, what: 'name' | 'key', value: string, except = ''): boolean {
		return this.db.has(
			`SELECT 1 FROM spaces WHERE owner_id = ? AND ${what} = ? AND id <> ?`,
			ownerId,
			value,
			except,
		);
	}

	/** @throws ServiceError 400 if the name or key is taken within the account */
	requireUnused(ownerId: string, { name, key }: SpaceChange, except?: string): void {
		if (name !== undefined && this.isTaken(ownerId, 'name', name, except))
			throw badRequest(`There is already a space with the name "${name}"`);
		if (key !== undefined && this.isTaken(ownerId, 'key', key, except))
			throw badRequest(`There is already a space with the key "${key}"`);
	}
}
