import { hashSecret, secretMatches, type Role } from '../../rules/access';
import { hashPassword, passwordMatches } from '../../rules/passwords';
import type { Database } from '../files/database';
import { newId, newToken } from '../ids';

export const linkKinds = ['form', 'view', 'edit'] as const;
export const protections = ['none', 'link', 'internal'] as const;

/** A public link (§4.6): to a form, a shared view, or one entity. */
export interface PublicLink {
	/** Identifies the link in lists and the history; grants no access. */
	readonly id: string;
	/** Last segment of its address; a secret that grants access. */
	readonly token: string;
	readonly userId: string;
	readonly kind: (typeof linkKinds)[number];
	/** Role of the link's users (§5). */
	readonly role: Role;
	readonly gridNo: number;
	readonly formId: string | null;
	readonly entityId: string | null;
	readonly protection: (typeof protections)[number];
	/** Whether its users see the names of linked rows, also of those that it does not open. */
	readonly names: boolean;
	readonly createdAt: number;
}

export interface NewPublicLink extends Omit<PublicLink, 'id' | 'token' | 'createdAt'> {
	/** User name and password hash, with the protection `link`. */
	readonly login?: { readonly user: string; readonly hash: string } | undefined;
}

interface LinkRow {
	id: string;
	token: string;
	user_id: string;
	kind: PublicLink['kind'];
	role: Role;
	grid_no: number;
	form_id: string | null;
	entity_id: string | null;
	protection: PublicLink['protection'];
	link_user: string | null;
	secret_hash: string | null;
	names: number;
	created_at: number;
}

const toLink = (row: LinkRow): PublicLink => ({
	id: row.id,
	token: row.token,
	userId: row.user_id,
	kind: row.kind,
	role: row.role,
	gridNo: row.grid_no,
	formId: row.form_id,
	entityId: row.entity_id,
	protection: row.protection,
	names: row.names !== 0,
	createdAt: row.created_at,
});

/** Public links of all grids. */
export class PublicLinks {
	/** @param passwordCost of hashes of passwords; the usual one if omitted */
	constructor(
		private readonly db: Database,
		private readonly passwordCost?: number,
	) {}

	/** Hash of a password for `create`. */
	async hashOf(password: string): Promise<string> {
		return await hashPassword(password, this.passwordCost);
	}

	create(given: NewPublicLink): PublicLink {
		const { userId, kind, role, gridNo, formId, entityId, protection, names, login } = given;
		const link: PublicLink = {
			id: newId(),
			token: newToken(),
			userId,
			kind,
			role,
			gridNo,
			formId,
			entityId,
			protection,
			names,
			createdAt: Date.now(),
		};
		this.db.run(
			`INSERT INTO links (id, token, user_id, kind, role, grid_no, form_id, entity_id, protection, link_user, secret_hash, created_at, names)
			 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			link.id,
			link.token,
			userId,
			kind,
			role,
			gridNo,
			formId,
			entityId,
			protection,
			login?.user ?? null,
			login?.hash ?? null,
			link.createdAt,
			names ? 1 : 0,
		);
		return link;
	}

	/** @param token last segment of its address */
	get(userId: string, token: string): PublicLink | undefined {
		const [row] = this.db.all<LinkRow>('SELECT * FROM links WHERE user_id = ? AND token = ?', userId, token);
		return row && toLink(row);
	}

	/** Links into a grid, oldest first. */
	list(gridNo: number): PublicLink[] {
		return this.db.all<LinkRow>('SELECT * FROM links WHERE grid_no = ? ORDER BY rowid', gridNo).map(toLink);
	}

	/** @returns whether it existed */
	remove(gridNo: number, id: string): boolean {
		return this.db.run('DELETE FROM links WHERE grid_no = ? AND id = ?', gridNo, id) > 0;
	}

	/** Whether these are the user name and password of the link. */
	async opens(id: string, user: string, password: string): Promise<boolean> {
		const [row] = this.db.all<LinkRow>('SELECT * FROM links WHERE id = ?', id);
		if (!row || row.link_user === null || row.secret_hash === null) return false;
		// Both are compared, so that timing reveals neither.
		const sameUser = secretMatches(user, hashSecret(row.link_user));
		return (await passwordMatches(password, row.secret_hash)) && sameUser;
	}
}
