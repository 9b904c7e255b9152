import type { IDisplayOptions } from 'n8n-workflow';

const SCHEMES = ['http://', 'HTTP://', 'Http://', ' http://'];
/** Hosts on this machine. */
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Shows a field if an address uses plain http and is not on this machine. Uses no regular
 * expression: n8n (2.41) evaluates these conditions whenever it decrypts the credential, and fails
 * the execution if a regular expression takes more than 250 ms, as a trivial one can on a busy
 * machine.
 * @param name name of the field with the address
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
