import { DataGridError } from './dataGridError';

/** An operation without permission: the representation lacks its link (§1). */
export class LinkMissing extends DataGridError {
	readonly hint: string;
	readonly rel: string;
	readonly available: readonly string[];

	constructor({ action, rel, available, role }: MissingLink) {
		super(`No permission to ${action}`);
		this.rel = rel;
		this.available = available;
		this.hint =
			role === 'admin'
				? 'This requires the role admin: use a key with that role, or ask the owner to share the space as admin.'
				: `This requires the role ${role}: use a key with the role admin, or ask the owner to share the space as ${role}.`;
	}
}

/** A list of resources to change is empty, because the key may only read them. */
export class OnlyReadable extends DataGridError {
	readonly hint =
		'Use a key with the role admin, or ask the owner to share the space with a role that may make changes.';

	/**
	 * @param names names of the resources that the key may read
	 * @param lacks what the key may not do, if it may do more than read
	 */
	constructor(names: readonly string[], lacks = 'may only read') {
		const some = names.slice(0, 3).map((name) => `"${name}"`);
		super(`This key ${lacks}: ${some.join(', ')}${names.length > some.length ? ' …' : ''}`);
	}
}

export interface MissingLink {
	/** What the user wanted, e.g. `add rows to the grid "Orders"`. */
	action: string;
	rel: string;
	/** Links of the representation. */
	available: readonly string[];
	/** Least sufficient role (§4), for the hint only. */
	role: string;
}

/** An operation without a documented address for which the representation has no link (§4 Gaps). */
export class NotOffered extends DataGridError {
	readonly hint =
		'The specification documents no address for it, and the response has no link. Either the service does not support it, or the key lacks the role admin.';

	/** @param action what the user wanted, e.g. `remove the share` */
	constructor(action: string) {
		super(`The service offers no link to ${action}`);
	}
}
