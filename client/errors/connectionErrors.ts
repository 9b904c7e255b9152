import { DataGridError, type Facts } from './dataGridError';

/** Words for the codes of Node's sockets; other codes are shown as they are. */
const REASONS: ReadonlyMap<string, string> = new Map([
	['ECONNREFUSED', 'connection refused'],
	['ECONNRESET', 'connection closed'],
	['ENOTFOUND', 'unknown host name'],
	['EAI_AGAIN', 'host name not resolved'],
	['EHOSTUNREACH', 'host unreachable'],
	['ENETUNREACH', 'network unreachable'],
	['ETIMEDOUT', 'timeout'],
	['ECONNABORTED', 'timeout'],
	['ESOCKETTIMEDOUT', 'timeout'],
	['EPROTO', 'TLS error'],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'no HTTPS'],
	['CERT_HAS_EXPIRED', 'expired certificate'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
	['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate of another host name'],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate of an unknown issuer'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate of an unknown issuer'],
]);

const isTimeout = (code: string): boolean => REASONS.get(code) === 'timeout';

/** Whether a request writes a row (§4.5), which may be larger than a server accepts. */
export const writesRow = ({ method, path = '' }: Facts): boolean =>
	method !== 'GET' && /\/entities(\/|\?|$)/.test(path);

/** The server closed the connection before it had read the request, as it does with a large one. */
const IS_CUT_OFF = 'EPIPE';

/** Codes of Node for certificates that it rejects. */
const REJECTED_CERTIFICATE = /CERT|SIGNED|SIGNATURE|^INVALID_|^HOSTNAME_MISMATCH$/;

/** Whether nothing was sent because the certificate of the server was rejected. */
export function isCertificateRejected(code: string): boolean {
	return REJECTED_CERTIFICATE.test(code);
}

/** Advice for a row that is too large. */
export const SHORTEN =
	'Shorten its values: the service, or a proxy in front of it, limits the size of a request. Store large texts elsewhere and write their addresses.';

/**
 * No complete response was received. `reached` is false only if the request certainly did not reach
 * the service.
 */
export class ConnectionFailed extends DataGridError {
	readonly hint: string;

	constructor(
		readonly code: string,
		readonly reached: boolean,
		facts: Facts = {},
	) {
		const isUntrusted = isCertificateRejected(code);
		const reason = REASONS.get(code) ?? (isUntrusted ? `rejected certificate: ${code}` : code);
		const subject = writesRow(facts) ? 'The row' : 'The request';
		super(
			code === IS_CUT_OFF
				? `${subject} is too large: the service closed the connection while it was sent (${code})`
				: reached || facts.origin === undefined
					? `No response from the service (${reason})`
					: `No Data-Grid Service answers at ${facts.origin} (${reason})`,
			facts,
		);
		if (isUntrusted)
			this.hint =
				'Renew the certificate of the service, use the host name in it as base URL (or in the link), or let n8n trust its issuer (NODE_EXTRA_CA_CERTS).';
		else if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
			this.hint =
				'Start the base URL of the credential (or the link) with http://, or check its port: the server does not use HTTPS there.';
		else if (!reached)
			this.hint =
				'Check the base URL of the credential (or the link) and that the service is running and reachable from n8n.';
		else if (code === IS_CUT_OFF) this.hint = SHORTEN;
		else if (isTimeout(code))
			this.hint =
				facts.method === 'GET'
					? 'The service took too long to answer. Try again later, or read less, e.g. with a limit or conditions.'
					: 'The service took too long to answer. The request may have been carried out.';
		else
			this.hint =
				facts.method === 'GET'
					? 'The connection was closed before the response was complete. Check that the service is running, and whether its base URL (or the link) starts with https://.'
					: 'The connection was closed before the response was complete. The request may have been carried out.';
	}
}

/** Something other than the service responds at the base URL. */
export class ServiceNotFound extends DataGridError {
	readonly hint: string;

	/** @param responder what responded instead */
	constructor(baseUrl: string, responder: string, facts: Facts) {
		super(`No Data-Grid Service answers at ${baseUrl}`, facts);
		this.hint = `Check the base URL of the credential: another server, a proxy or a login page answers there (${responder}).`;
	}
}

/**
 * An egress rule of n8n forbids the address; nothing was sent.
 */
export class EgressForbidden extends DataGridError {
	readonly hint =
		'Ask the n8n administrator to allow the address of the service (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES), or use an allowed base URL.';

	/** @param rule in n8n's words */
	constructor(rule: string, facts: Facts) {
		super(`The egress policy of n8n blocks the service: ${rule}`, facts);
	}
}

/** A link, redirect or `Location` leads to another origin; nothing was sent there. */
export class ForeignOrigin extends DataGridError {
	readonly hint =
		'Credentials are sent only to their own service. If the service has moved, change the base URL of the credential.';

	constructor(
		readonly origin: string,
		readonly expected: string,
	) {
		super(`The service pointed to ${origin}, which is not ${expected}; nothing was sent there`);
	}
}

/** The service exceeded the maximum number of redirects. */
export class TooManyRedirects extends DataGridError {
	readonly hint =
		'Check the base URL of the credential: a proxy in front of the service may cause a redirect loop.';

	constructor(facts: Facts) {
		super('The service redirected the request in a loop', facts);
	}
}
