import { DataGridError } from './dataGridError';

/** The request of the caller cannot be sent. */
export class InvalidInput extends DataGridError {
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}
