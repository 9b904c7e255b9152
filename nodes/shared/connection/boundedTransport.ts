import { DataGridError, type Transport } from '../../../client';

/** Limits of one list in the editor, whatever page counts the service reports. */
export const LIST_LIMITS = { requests: 200, milliseconds: 20_000 } as const;

/** The error for a list that takes longer than a user waits. */
export class ListTooLong extends DataGridError {
	readonly hint =
		'Choose the space above first, search for another part of the name, or enter the ID. If the list should be short, tell the operator of the service.';

	constructor(what: string) {
		super(`The list did not end within ${what}`);
	}
}

/** A transport that gives up after a number of requests or a time since the first one. */
export function boundedTransport(
	transport: Transport,
	{ requests, milliseconds }: typeof LIST_LIMITS,
): Transport {
	let sent = 0;
	let began: number | undefined;
	return {
		sleep: (duration) => transport.sleep(duration),
		now: () => transport.now(),
		async send(request) {
			began ??= transport.now();
			if (++sent > requests) throw new ListTooLong(`${requests} requests`);
			if (transport.now() - began > milliseconds) throw new ListTooLong(`${milliseconds / 1000} seconds`);
			return await transport.send(request);
		},
	};
}
