import { requireRoom } from '../../rules/limits';
import type { Role } from '../../rules/access';
import type { Database } from '../files/database';
import { newId } from '../ids';
import type { Share } from '../structure/presentation';

interface ShareRow {
	id: string;
	email: string;
	role: Role;
	created_at: number;
	user_id: string | null;
}

/** A share of a space, with the account of its address, if any. */
export interface SpaceShare extends Share {
	readonly userId: string | null;
}

const select = `SELECT h.id, h.email, h.role, h.created_at, u.id AS user_id FROM shares h LEFT JOIN users u ON u.email = h.email`;

const toShare = (row: ShareRow): SpaceShare => ({
	id: row.id,
	email: row.email,
	role: row.role,
	createdAt: row.created_at,
	userId: row.user_id,
});

/** Shares of spaces, and the mails that invitations send. */
export class Sharing {
	constructor(private readonly db: Database) {}

	/**
	 * Gives a person a role in a space, replacing an earlier one.
	 * @param invited whether a mail is sent
	 */
	share(spaceId: string, email: string, role: Role, invited: boolean): SpaceShare {
		const address = email.toLowerCase();
		const [others] = this.db.all<{ n: number }>(
			'SELECT count(*) AS n FROM shares WHERE space_id = ? AND email <> ?',
			spaceId,
			address,
		);
		requireRoom(others?.n ?? 0);
		this.db.run(
			`INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?)
			 ON CONFLICT (space_id, email) DO UPDATE SET role = excluded.role, invited = max(invited, excluded.invited)`,
			newId(),
			spaceId,
			address,
			role,
			invited ? 1 : 0,
			Date.now(),
		);
		const [row] = this.db.all<ShareRow>(`${select} WHERE h.space_id = ? AND h.email = ?`, spaceId, address);
		if (!row) throw new Error('The share that was just written is missing');
		return toShare(row);
	}

	shares(spaceId: string): SpaceShare[] {
		return this.db.all<ShareRow>(`${select} WHERE h.space_id = ? ORDER BY h.rowid`, spaceId).map(toShare);
	}

	get(spaceId: string, id: string): SpaceShare | undefined {
		const [row] = this.db.all<ShareRow>(`${select} WHERE h.space_id = ? AND h.id = ?`, spaceId, id);
		return row && toShare(row);
	}

	remove(id: string): void {
		this.db.run('DELETE FROM shares WHERE id = ?', id);
	}

	/** Invitations whose address has no account yet. */
	invitations(spaceId: string): SpaceShare[] {
		return this.db
			.all<ShareRow>(
				`${select} WHERE h.space_id = ? AND h.invited = 1 AND u.id IS NULL ORDER BY h.rowid`,
				spaceId,
			)
			.map(toShare);
	}

	/** Stores a mail in the outbox, because the service has no mail server. */
	post(recipient: string, subject: string, body: string): void {
		this.db.run(
			'INSERT INTO mails (recipient, subject, body, created_at) VALUES (?, ?, ?, ?)',
			recipient,
			subject,
			body,
			Date.now(),
		);
	}

	/** Mails, oldest first. @param recipient filter; all recipients if omitted */
	outbox(recipient?: string): Array<{ recipient: string; subject: string; body: string; createdAt: number }> {
		const [where, values] =
			recipient === undefined ? ['', []] : ['WHERE recipient = ?', [recipient.toLowerCase()]];
		return this.db.all(
			`SELECT recipient, subject, body, created_at AS createdAt FROM mails ${where} ORDER BY id`,
			...values,
		);
	}
}
