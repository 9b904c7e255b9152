import { z } from 'zod/v4';
import type { Role } from '../../rules/access';
import type { Database } from '../files/database';
import { requireRoom } from '../../rules/limits';
import { pageOfRecords, type SizedRecord, type StoredPage } from '../rows/storedPage';
import { newId } from '../ids';
import { propertiesColumn, readColumn } from '../json';

/** A form of a grid. Submitting it creates an entity. */
export interface Form {
	readonly id: string;
	readonly name: string;
	/** Field IDs of its inputs; null for all fields, also those added later. */
	readonly inputs: readonly string[] | null;
	readonly createdAt: number;
}

/** A stateful view (§2.8). */
export interface StatefulView {
	readonly id: string;
	readonly gridNo: number;
	readonly type: string;
	readonly properties: Record<string, unknown>;
	readonly slotProperties: Record<string, unknown>;
	readonly createdAt: number;
}

/** Role of a person in a space or stateful view. */
export interface Share {
	readonly id: string;
	readonly email: string;
	readonly role: Role;
	readonly createdAt: number;
}

interface FormRow {
	id: string;
	name: string;
	inputs: string;
	created_at: number;
}

interface SviewRow {
	id: string;
	grid_no: number;
	type: string;
	properties: string;
	slot_properties: string;
	created_at: number;
}

interface ShareRow {
	id: string;
	email: string;
	role: Role;
	created_at: number;
}

const inputsColumn = z.array(z.string()).nullable();

const toForm = (row: FormRow): Form => ({
	id: row.id,
	name: row.name,
	inputs: readColumn(inputsColumn, row.inputs),
	createdAt: row.created_at,
});

const toSview = (row: SviewRow): StatefulView => ({
	id: row.id,
	gridNo: row.grid_no,
	type: row.type,
	properties: readColumn(propertiesColumn, row.properties),
	slotProperties: readColumn(propertiesColumn, row.slot_properties),
	createdAt: row.created_at,
});

const toShare = ({ id, email, role, created_at }: ShareRow): Share => ({
	id,
	email,
	role,
	createdAt: created_at,
});

const sviewsOf = (nested: boolean): string =>
	`grid_no = ?1 ${nested ? 'OR grid_no IN (SELECT no FROM grids WHERE base_no = ?1)' : ''} ORDER BY rowid`;

/** Forms and stateful views, with the shares of the latter. */
export class Presentation {
	constructor(private readonly db: Database) {}

	addForm(gridNo: number, name: string, inputs: readonly string[] | null): Form {
		const form: Form = { id: newId(), name, inputs, createdAt: Date.now() };
		this.db.run(
			'INSERT INTO forms VALUES (?, ?, ?, ?, ?)',
			form.id,
			gridNo,
			name,
			JSON.stringify(inputs),
			form.createdAt,
		);
		return form;
	}

	forms(gridNo: number): Form[] {
		return this.db.all<FormRow>('SELECT * FROM forms WHERE grid_no = ? ORDER BY rowid', gridNo).map(toForm);
	}

	form(gridNo: number, id: string): Form | undefined {
		const [row] = this.db.all<FormRow>('SELECT * FROM forms WHERE grid_no = ? AND id = ?', gridNo, id);
		return row && toForm(row);
	}

	addSview(
		gridNo: number,
		given: Pick<StatefulView, 'type' | 'properties' | 'slotProperties'>,
	): StatefulView {
		const sview: StatefulView = { id: newId(), gridNo, ...given, createdAt: Date.now() };
		this.db.run(
			'INSERT INTO sviews VALUES (?, ?, ?, ?, ?, ?)',
			sview.id,
			gridNo,
			sview.type,
			JSON.stringify(sview.properties),
			JSON.stringify(sview.slotProperties),
			sview.createdAt,
		);
		return sview;
	}

	/** @param nested whether to include those of the virtual grids */
	sviews(gridNo: number, nested: boolean): StatefulView[] {
		return this.db.all<SviewRow>(`SELECT * FROM sviews WHERE ${sviewsOf(nested)}`, gridNo).map(toSview);
	}

	/**
	 * A page of them, which reads no others.
	 * @param isReadable by ID and number of the grid
	 */
	sviewPage(
		gridNo: number,
		nested: boolean,
		isReadable: (id: string, gridNo: number) => boolean,
		range: { readonly offset: number; readonly limit: number },
	): StoredPage<StatefulView> {
		const records = this.db.all<SizedRecord<string> & { grid_no: number }>(
			`SELECT id AS key, grid_no, octet_length(properties) + octet_length(slot_properties) AS bytes
			 FROM sviews WHERE ${sviewsOf(nested)}`,
			gridNo,
		);
		const readable = records.filter(({ key, grid_no }) => isReadable(key, grid_no));
		return pageOfRecords(this.db, readable, range, (ids) =>
			this.db
				.all<SviewRow>(
					'SELECT * FROM sviews WHERE id IN (SELECT value FROM json_each(?)) ORDER BY rowid',
					JSON.stringify(ids),
				)
				.map(toSview),
		);
	}

	sview(gridNo: number, id: string): StatefulView | undefined {
		const [row] = this.db.all<SviewRow>('SELECT * FROM sviews WHERE grid_no = ? AND id = ?', gridNo, id);
		return row && toSview(row);
	}

	updateSview(sview: StatefulView): void {
		this.db.run(
			'UPDATE sviews SET type = ?, properties = ?, slot_properties = ? WHERE id = ?',
			sview.type,
			JSON.stringify(sview.properties),
			JSON.stringify(sview.slotProperties),
			sview.id,
		);
	}

	removeSview(id: string): void {
		this.db.run('DELETE FROM sviews WHERE id = ?', id);
	}

	/** Gives a person a role in a stateful view, replacing an earlier one. */
	shareSview(sviewId: string, email: string, role: Role): Share {
		requireRoom(this.sviewShares(sviewId).filter((one) => one.email !== email.toLowerCase()).length);
		this.db.run(
			'INSERT INTO sview_shares VALUES (?, ?, ?, ?, ?) ON CONFLICT (sview_id, email) DO UPDATE SET role = excluded.role',
			newId(),
			sviewId,
			email.toLowerCase(),
			role,
			Date.now(),
		);
		const [share] = this.sviewShares(sviewId).filter((one) => one.email === email.toLowerCase());
		if (!share) throw new Error('The share that was just written is missing');
		return share;
	}

	sviewShares(sviewId: string): Share[] {
		return this.db
			.all<ShareRow>('SELECT * FROM sview_shares WHERE sview_id = ? ORDER BY rowid', sviewId)
			.map(toShare);
	}

	removeSviewShare(id: string): void {
		this.db.run('DELETE FROM sview_shares WHERE id = ?', id);
	}

	/** The stateful views that are shared with a person. */
	sharedSviews(email: string): string[] {
		return this.db
			.all<{ sview_id: string }>('SELECT sview_id FROM sview_shares WHERE email = ?', email)
			.map((row) => row.sview_id);
	}

	/** Roles of a person by shared stateful views of a grid. */
	rolesBySviews(gridNo: number, email: string): Role[] {
		return this.db
			.all<{
				role: Role;
			}>(
				'SELECT h.role FROM sview_shares h JOIN sviews s ON s.id = h.sview_id WHERE s.grid_no = ? AND h.email = ?',
				gridNo,
				email,
			)
			.map((row) => row.role);
	}
}
