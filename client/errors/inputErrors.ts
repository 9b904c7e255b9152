import { DataGridError } from './dataGridError';

/** What the caller asked for cannot be sent. */
export class InvalidInput extends DataGridError {
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}
