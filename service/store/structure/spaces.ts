import type { Role } from '../../rules/access';
import { badRequest } from '../../rules/errors';
import { MAX_KEY_LENGTH } from '../../rules/text';
import type { Database } from '../files/database';
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

/** Derives a free key from a name. */
export function keyFor(name: string, taken: (key: string) => boolean): string {
	const plain = name
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '_')
		.replace(/^_+|_+$/g, '')
		.slice(0, MAX_KEY_LENGTH);
	const base = plain || 'key';
	let key = base;
	for (let n = 2; taken(key); n++) key = `${base.slice(0, MAX_KEY_LENGTH - 1 - String(n).length)}_${n}`;
	return key;
}

/** Spaces of all accounts. */
export class Spaces {
	private readonly records: RecordCache<string, Space>;

	constructor(private readonly db: Database) {
		this.records = new RecordCache(db);
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

	/** Spaces of an account, oldest first. */
	ownedBy(ownerId: string): Space[] {
		return this.db
			.all<SpaceRow>('SELECT * FROM spaces WHERE owner_id = ? ORDER BY created_at, id', ownerId)
			.map(toSpace);
	}

	get(id: string): Space | undefined {
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
		this.db.run('DELETE FROM spaces WHERE id = ?', id);
	}

	/**
	 * Spaces of an account and those shared with an address, oldest first.
	 * @param matching property that the spaces must have
	 */
	list(
		{ ownerId, email }: { ownerId: string; email: string },
		matching: { key: string; value: string } | undefined,
	): Array<Space & { sharedRole: Role | null }> {
		const rows = this.db.all<SpaceRow & { role: Role | null }>(
			`SELECT s.*, h.role FROM spaces s LEFT JOIN shares h ON h.space_id = s.id AND h.email = ?
			 WHERE s.owner_id = ? OR h.role IS NOT NULL ORDER BY s.created_at, s.id`,
			email,
			ownerId,
		);
		return rows
			.map((row) => ({ ...toSpace(row), sharedRole: row.role }))
			.filter((space) => !matching || propertyText(space.properties, matching.key) === matching.value);
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
