import { createHash } from 'crypto';
import { messageIn } from '../http/errorBody';
import { InvalidInput, StatusError, type Facts } from '../errors';
import { jsonOf } from '../formats/json';
import { redactedValue, type Redact } from '../formats/redaction';
import { Session, textOf } from '../session/session';
import type { Transport } from '../http/transport';

/** Texts by language; `en` is required (§6). */
export type Texts = Record<string, string>;

/** Who gets a notification (§6): exactly one kind. */
type PushTarget = { userIds: readonly string[] } | { spaceId: string };

export interface Notification {
	target: PushTarget;
	headings: Texts;
	contents: Texts;
	/** §6: `uri` is opened on tap, in the app or the browser; `title` is that of the form. */
	data?:
		| { uri?: string | undefined; type?: 'form' | 'link' | undefined; title?: string | undefined }
		| undefined;
}

/** The address of the push provider, and the app. */
export interface PushProvider {
	url: string;
	appId: string;
}

export interface PushConnection {
	transport: Transport;
	provider: PushProvider;
	/** Removes secrets from the provider's messages. */
	redact?: Redact;
}

/** The push provider responded with an error status. */
class PushRefused extends StatusError {
	readonly title = 'The push provider did not accept the notification';
	readonly hint: string;

	constructor(facts: Facts & { status: number }) {
		super(facts);
		this.hint =
			facts.status === 401 || facts.status === 403
				? 'Check the REST API key in the push credential: it must belong to the app with the app ID.'
				: facts.status === 429
					? 'The provider limits the number of requests: wait a moment and run it again.'
					: facts.status === 404
						? 'Check the URL in the push credential: it is the part before /notifications.'
						: 'Check the app ID in the push credential, and the texts and user IDs of this item.';
	}
}

/** Maximum length of the provider's response, in characters. */
const MAX_ANSWER_LENGTH = 65_536;

/** The identifier with which the app registers a user: the SHA-256 of the user id, in hex (§6). */
function externalId(userId: string): string {
	return createHash('sha256').update(userId).digest('hex');
}

/**
 * The address of the provider, without trailing slash and `/notifications`.
 * @throws InvalidInput if it is not a web address, or contains a user name or password
 */
export function parsePushUrl(text: string): URL {
	const fix = 'Enter it in the credential, e.g. https://push.example.com';
	if (!URL.canParse(text.trim()))
		throw new InvalidInput('The URL of the push provider is not a web address', fix);
	const url = new URL(text.trim());
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw new InvalidInput(`The URL of the push provider starts with ${url.protocol}, not with https:`, fix);
	if (url.username || url.password)
		throw new InvalidInput('The URL of the push provider contains a user name or password', fix);
	url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/notifications$/, '');
	return url;
}

/** The body of §6. @throws InvalidInput if there is no recipient or a text lacks `en` */
function notificationBody(appId: string, { target, headings, contents, data }: Notification): object {
	return {
		app_id: appId,
		target_channel: 'push',
		...recipientsOf(target),
		headings: withEnglish(headings, 'title'),
		contents: withEnglish(contents, 'text'),
		...(data && Object.keys(data).length > 0 ? { data } : {}),
	};
}

function recipientsOf(target: PushTarget): object {
	if ('spaceId' in target)
		return { filters: [{ field: 'tag', key: `space_${target.spaceId}`, relation: 'exists' }] };
	const ids = [...new Set(target.userIds.map((id) => id.trim()).filter((id) => id !== ''))];
	if (ids.length === 0)
		throw new InvalidInput(
			'The notification has no recipient',
			'Enter at least one user ID, or send it to everyone with a space open.',
		);
	return { include_aliases: { external_id: ids.map(externalId) } };
}

function withEnglish(texts: Texts, what: string): Texts {
	if (texts.en?.trim()) return texts;
	throw new InvalidInput(
		`The ${what} of the notification has no English text`,
		`Enter the ${what} in English (en), too.`,
	);
}

/**
 * Sends a notification through the push provider (§6). It is repeated only if it was certainly not
 * accepted.
 * @returns the response of the provider; `words` if it accepted the notification but reports errors
 * @throws PushRefused, ConnectionFailed, OutcomeUnknown, InvalidInput
 */
export async function sendNotification(
	{ transport, provider, redact }: PushConnection,
	notification: Notification,
): Promise<{ answer: unknown; words: string | undefined }> {
	const url = parsePushUrl(provider.url);
	const body = notificationBody(provider.appId, notification);
	const session = new Session(transport, url.origin, redact ? { redact } : {});
	const answer = await session
		.send({
			method: 'POST',
			href: `${url.href.replace(/\/$/, '')}/notifications`,
			accept: 'application/json',
			body,
			// §6 specifies no status: a provider may queue the notification.
			written: 202,
		})
		.catch((error: unknown) =>
			Promise.reject(
				error instanceof StatusError && error.facts.status < 500 ? new PushRefused(error.facts) : error,
			),
		);
	const text = textOf(answer.body);
	const told = text.length > MAX_ANSWER_LENGTH ? undefined : redactedValue(jsonOf(text), session.redact);
	const errors = typeof told === 'object' && told !== null && 'errors' in told ? told.errors : undefined;
	return { answer: told, words: messageIn(errors) ?? (isEmpty(errors) ? undefined : JSON.stringify(errors)) };
}

const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
