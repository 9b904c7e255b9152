import { redact } from '../http/redaction';
import type { Method } from '../http/transport';

/** Facts that every error of the client may carry; none of them is a secret. */
export interface Facts {
	method?: Method;
	/** Of the service that was asked. */
	origin?: string;
	/** Path and query as sent, without the origin. */
	path?: string;
	status?: number;
	/** The service's own words, in whatever shape they came. */
	serviceMessage?: string;
	details?: unknown;
}

/**
 * In characters. Names and addresses in a message come from the service and may have any length.
 */
const MAX_MESSAGE_LENGTH = 2000;

/** Base of all errors of the client. `hint` tells the person who built the workflow what to do. */
export abstract class DataGridError extends Error {
	abstract readonly hint: string;
	readonly facts: Facts;

	constructor(message: string, facts: Facts = {}) {
		const shown = redact(message.slice(0, 2 * MAX_MESSAGE_LENGTH));
		super(shown.length > MAX_MESSAGE_LENGTH ? `${shown.slice(0, MAX_MESSAGE_LENGTH)} …` : shown);
		this.name = new.target.name;
		this.facts = facts;
	}
}
