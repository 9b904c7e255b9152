import { DataGridError } from './dataGridError';

/** An operation without permission: the representation lacks its link (§1). */
export class LinkMissing extends DataGridError {
	readonly hint: string;
	readonly rel: string;
	readonly available: readonly string[];

	constructor({ action, rel, available, role }: MissingLink) {
		const found = available.length === 0 ? 'no links' : `no link "${rel}", only ${available.join(', ')}`;
		super(`No permission to ${action}: the service sent ${found}`);
		this.rel = rel;
		this.available = available;
		this.hint =
			role === 'admin'
				? 'It needs the role admin: use a key with that role, or ask the owner to share the space as admin.'
				: `It needs the role ${role}: use a key with the role admin, or ask the owner to share the space as ${role}.`;
	}
}

export interface MissingLink {
	/** What the user wanted, e.g. `add entities to the grid "Orders"`. */
	action: string;
	rel: string;
	/** Links of the representation. */
	available: readonly string[];
	/** Least sufficient role (§4), for the hint only. */
	role: string;
}
