/** An error response (§7). Thrown by routes and converted to the error body by the HTTP layer. */
export class ServiceError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly details?: unknown,
		readonly headers: Readonly<Record<string, string>> = {},
	) {
		super(message);
		this.name = 'ServiceError';
	}
}

/** 400: invalid request. */
export const badRequest = (message: string, details?: unknown) => new ServiceError(400, message, details);

/** 403: known caller, role insufficient. */
export const forbidden = (message: string) => new ServiceError(403, message);

/** 404: no such resource. */
export const notFound = (what: string) => new ServiceError(404, `${what} not found`);

/** The schemes of §5; RFC 9110 requires them in every 401. */
const ACCOUNT_CHALLENGE =
	'Basic realm="Data-Grid Service", charset="UTF-8", Bearer realm="Data-Grid Service"';
const LINK_CHALLENGE = 'Basic realm="Data-Grid Service link", charset="UTF-8"';

/**
 * 401: no or wrong credentials.
 * @param headers e.g. `Service-Authorization` of a protected link (§5)
 */
export const unauthorized = (message: string, headers: Readonly<Record<string, string>> = {}) =>
	new ServiceError(401, message, undefined, {
		'WWW-Authenticate': headers['Service-Authorization'] === 'link' ? LINK_CHALLENGE : ACCOUNT_CHALLENGE,
		...headers,
	});

/** 507: the disk has no space for the write. */
export const diskFull = () =>
	new ServiceError(
		507,
		'The disk of the service is full, or a limit of its files is reached. Nothing was written; free some space and try again.',
	);

/** 503: the request is abandoned for now, e.g. because it would take too long. */
export const unavailable = (message: string) =>
	new ServiceError(503, message, undefined, { 'Retry-After': '1' });

/** Invalid use of a command; shown without a stack trace. */
export class UsageError extends Error {}
