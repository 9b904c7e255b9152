import type { IDisplayOptions } from 'n8n-workflow';

const SCHEMES = ['http://', 'HTTP://', 'Http://', ' http://'];
/** What stays on this machine. */
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Shows a field where an address goes over plain http and leaves this machine. Not told by a
 * regular expression: n8n (2.41) judges these conditions whenever it decrypts the credential, gives
 * up a regular expression that took longer than 250 ms by the clock, as a trivial one can on a busy
 * machine, and fails the execution.
 * @param name of the field that holds the address
 */
export function overPlainHttp(name: string): IDisplayOptions {
	const local = SCHEMES.flatMap((scheme) => LOCAL.map((host) => `${scheme}${host}`));
	return {
		show: { [name]: SCHEMES.map((scheme) => ({ _cnd: { startsWith: scheme } })) },
		hide: {
			[name]: local.flatMap((address) => [
				{ _cnd: { eq: address } },
				...[':', '/'].map((next) => ({ _cnd: { startsWith: `${address}${next}` } })),
			]),
		},
	};
}
