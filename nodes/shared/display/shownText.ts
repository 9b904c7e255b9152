import { redact, type Redact, redactorOf, truncated } from '../../../client';

/** Maximum length of a hint or an error: names from the service can be of any length. */
const MAX_LENGTH = 4000;

/** Secrets to remove from everything that a node shows, by its context. */
const concealed = new WeakMap<object, { values: readonly string[]; conceal: Redact }>();

/** Secret members of the credentials of this package. */
const SECRET_MEMBERS = ['secret', 'accessToken', 'password', 'restApiKey'];
/** User names in HTTP Basic: not secrets, but hidden if they are too long to be common words. */
const NAME_MEMBERS = ['key', 'user'];
const MIN_NAME_LENGTH = 12;

const textIn = (credential: Readonly<Record<string, unknown>>, member: string) => {
	const value = credential[member];
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
};

/** The texts of a credential to hide: its secrets, alone and together with the user name. */
function secretsIn(credential: Readonly<Record<string, unknown>>): string[] {
	const secrets = SECRET_MEMBERS.map((member) => textIn(credential, member)).filter((text) => text !== '');
	const names = NAME_MEMBERS.map((member) => textIn(credential, member)).filter((text) => text !== '');
	const pairs = names.flatMap((name) => secrets.map((secret) => `${name}:${secret}`));
	return [...secrets, ...pairs, ...names.filter(({ length }) => length >= MIN_NAME_LENGTH)];
}

/**
 * Removes the secrets of a credential from everything that a context shows from now on.
 * @param context the node's context, as n8n passes it
 * @returns the function that removes them
 */
export function concealIn(context: object, credential: Readonly<Record<string, unknown>>): Redact {
	const values = [...new Set([...(concealed.get(context)?.values ?? []), ...secretsIn(credential)])];
	const conceal = redactorOf(values);
	concealed.set(context, { values, conceal });
	return conceal;
}

/** Removes the secrets of a context; without a credential, it only recognizes patterns. */
export const redactIn = (context: object): Redact => concealed.get(context)?.conceal ?? redact;

/** A text without secrets, shortened to what the editor can show. */
export function safeText(context: object, text: string): string {
	const shown = truncated(text, MAX_LENGTH + 1, redactIn(context));
	return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)} …` : shown;
}

/** Escapes text that n8n shows as HTML: hints, notices, descriptions of options and errors. */
export const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Removes tags so that a message looks the same shown as text or as HTML. */
const untagged = (text: string) => text.replace(/<(?=[a-z/!?])/gi, '‹');

/** The message of an error. */
export const shownMessage = (context: object, text: string) => untagged(safeText(context, text));

/** A hint, or the description of an error. */
export const shownHint = (context: object, text: string) => escaped(safeText(context, text));

/** A line of n8n's log. */
export const shownLine = (context: object, text: string) => safeText(context, text).replace(/[\r\n]+/g, ' ');

/** A value as text for messages, shortened to 80 characters. */
export function valueText(value: unknown): string {
	if (value === undefined) return 'nothing (undefined)';
	// JSON writes NaN as null and cannot represent a bigint.
	const isNumber = typeof value === 'number' || typeof value === 'bigint';
	const text =
		typeof value === 'string'
			? `"${value}"`
			: isNumber
				? String(value)
				: (JSON.stringify(value) ?? String(value));
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
