import { redact } from '../formats/redaction';

/** Facts that every error of the client may carry; none of them is a secret. */
export interface Facts {
	method?: string;
	/** Origin of the service. */
	origin?: string;
	/** Path and query as sent, without the origin. */
	path?: string;
	status?: number;
	/** The service's own message, read from any shape. */
	serviceMessage?: string;
	details?: unknown;
}

/** Maximum length in characters. Names and addresses from the service can be of any length. */
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
