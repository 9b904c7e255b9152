import { ClientError } from '../errors';

/** The execution was stopped: nothing more is sent. */
export class Cancelled extends ClientError {
	readonly hint = 'What was carried out before stays. Run it again to do the rest.';

	constructor() {
		super('The execution was cancelled');
	}
}
