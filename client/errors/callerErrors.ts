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

/** The execution was stopped: nothing more is sent. */
export class Cancelled extends DataGridError {
	readonly hint = 'Changes made before the cancellation remain. Run it again to do the rest.';

	constructor() {
		super('The execution was cancelled');
	}
}
