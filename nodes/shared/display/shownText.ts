import { redact } from '../../../client/http/redaction';
import { redactorOf, type Redact } from '../../../client/http/secrets';

/**
 * Longest text that the editor shows in a hint or an error;
 * foreign names in it may be of any length.
 */
const MAX_LENGTH = 4000;

/** What is to be taken out of whatever a context shows, by the context of the node. */
const concealed = new WeakMap<object, { values: readonly string[]; conceal: Redact }>();

/** Members of the credentials of this package that are secrets. */
const SECRET_MEMBERS = ['secret', 'accessToken', 'password', 'restApiKey'];
/**
 * The names that belong to them in HTTP Basic: no secrets,
 * but worth hiding where they cannot be common words.
 */
const NAME_MEMBERS = ['key', 'user'];
const MIN_NAME_LENGTH = 12;

const textIn = (credential: Readonly<Record<string, unknown>>, member: string) => {
	const value = credential[member];
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
};

/**
 * What must not be shown of a credential: its secrets, and
 * short ones together with the name that they belong to.
 */
function secretsIn(credential: Readonly<Record<string, unknown>>): string[] {
	const secrets = SECRET_MEMBERS.map((member) => textIn(credential, member)).filter((text) => text !== '');
	const names = NAME_MEMBERS.map((member) => textIn(credential, member)).filter((text) => text !== '');
	const pairs = names.flatMap((name) => secrets.map((secret) => `${name}:${secret}`));
	return [...secrets, ...pairs, ...names.filter(({ length }) => length >= MIN_NAME_LENGTH)];
}

/**
 * Takes the secrets of a credential out of everything that a context shows from now on.
 * @param context of the node, as n8n hands it over
 * @returns what does it
 */
export function concealIn(context: object, credential: Readonly<Record<string, unknown>>): Redact {
	const values = [...new Set([...(concealed.get(context)?.values ?? []), ...secretsIn(credential)])];
	const conceal = redactorOf(values);
	concealed.set(context, { values, conceal });
	return conceal;
}

/**
 * What takes the secrets out of everything that a context
 * shows; patterns only before its credential is known.
 */
export const redactIn = (context: object): Redact => concealed.get(context)?.conceal ?? redact;

/** A text without secrets, as long as the editor can show. */
export function shownBy(context: object, text: string): string {
	return redactIn(context)(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text);
}

/**
 * For what n8n shows as HTML (hints, notices, descriptions of
 * options and of errors): the text is shown as it is written.
 */
export const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * For the message of an error, which n8n shows as text here
 * and as HTML there: the same in both, and no tag in either.
 */
const untagged = (text: string) => text.replace(/<(?=[a-z/!?])/gi, '‹');

/** The message of an error. */
export const shownMessage = (context: object, text: string) => untagged(shownBy(context, text));

/** A hint, or the description of an error. */
export const shownHint = (context: object, text: string) => escaped(shownBy(context, text));

/** A line of n8n's log. */
export const shownLine = (context: object, text: string) => shownBy(context, text).replace(/[\r\n]+/g, ' ');
