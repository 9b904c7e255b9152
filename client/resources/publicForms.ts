import { z } from 'zod/v4';
import { InvalidInput, NotFound, StatusError, Unauthorized, type Facts } from '../errors';
import { ifReadable } from './forms';
import { endpoints } from '../endpoints/endpoints';
import { bareAddress, LINK_PATH, linkInPage } from './pageLink';
import { idSchema, resourceSchema } from '../hal/links';
import { createdBy } from '../session/created';
import type { Created, Session } from '../session/session';

/** The credentials sent to a public link: none, the link's own, or those of the account (§5). */
export type LinkAccess = 'none' | 'link' | 'internal';

/** The address of a public link (§4.6). */
export interface PublicLink {
	/** The address itself. */
	url: string;
	/** Secrets are only sent to this origin. */
	origin: string;
	/** The base URL of the link's service: everything before `/api`. */
	baseUrl: string;
	/** The same with the `/api` of the paths, so that none in the base URL is cut off. */
	apiUrl: string;
}

/**
 * Parses the address of a public link, or of the page that shows it, as a person may paste it.
 * @throws InvalidInput if it is not one
 */
export function parsePublicLink(text: string): PublicLink {
	const trimmed = bareAddress(text);
	const fix = 'Enter the link as it was shared, e.g. https://grids.example.com/api/a/u1/l1';
	if (trimmed === '') throw new InvalidInput('The link is empty', fix);
	if (!URL.canParse(trimmed)) throw new InvalidInput('The link is not a web address', fix);
	const url = linkInPage(new URL(trimmed));
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw new InvalidInput(`The link starts with ${url.protocol}, not with https:`, fix);
	if (url.username || url.password)
		throw new InvalidInput(
			'The link contains a user name or password',
			'Remove them from the link and enter them in the credential of the link.',
		);
	const path = LINK_PATH.exec(url.pathname);
	if (!path) throw new InvalidInput('The link is not a public link: its path has no /api/a/ or /api/r/', fix);
	url.hash = '';
	const baseUrl = `${url.origin}${path[1] ?? ''}`;
	return { url: url.href, origin: url.origin, baseUrl, apiUrl: `${baseUrl}/api` };
}

/** §2.9 Gaps: the members of a public form are not specified, so all are kept. */
const publicFormSchema = resourceSchema.extend({
	id: idSchema.optional().catch(undefined),
	name: z.string().optional().catch(undefined),
	displayValue: z.string().optional().catch(undefined),
});
export type PublicForm = z.infer<typeof publicFormSchema>;

/** A protected link refused the credentials sent to it (§5 `Service-Authorization`). */
class LinkProtected extends StatusError {
	readonly title: string;
	readonly hint: string;

	constructor(facts: Facts & { status: number }, protection: 'link' | 'internal', sent: LinkAccess) {
		super(facts);
		[this.title, this.hint] = REFUSALS[protection][sent];
	}
}

/** Nothing is published at the address of a public link (404). */
class LinkNotFound extends StatusError {
	readonly title = 'There is no such link';
	readonly hint =
		'It may have been deleted. Check that the link is complete, or ask whoever shared it for a new one.';
}

const OWN_LOGIN =
	'Set "Access" to "Link Password" and choose a credential with the user name and password of the link.';
const ACCOUNT = 'Set "Access" to "Account" and choose a credential of the service that the link belongs to.';

const REFUSALS: Record<'link' | 'internal', Record<LinkAccess, [title: string, hint: string]>> = {
	link: {
		none: ['The link is protected with its own user name and password', OWN_LOGIN],
		link: [
			'The link did not accept its user name and password',
			'Check both in the credential of the link. They belong to the link, not to an account.',
		],
		internal: ['The link requires its own user name and password, not an account', OWN_LOGIN],
	},
	internal: {
		none: ['The link requires an account of the service', ACCOUNT],
		link: ['The link requires an account of the service, not its own password', ACCOUNT],
		internal: [
			'The link did not accept the account',
			'Check the key and secret (or the access token) in the credential. If the key was deleted, create a new one.',
		],
	},
};

/**
 * Awaits a response of a public link. If it is refused, the error names the access that the link
 * requires.
 * @throws LinkProtected (§5), LinkNotFound (§7)
 */
export async function withRequiredAccess<Value>(pending: Promise<Value>, access: LinkAccess): Promise<Value> {
	return await pending.catch((error: unknown) => {
		if (error instanceof NotFound) return Promise.reject(new LinkNotFound(error.facts));
		const protection = error instanceof Unauthorized ? error.protection : undefined;
		if (!(error instanceof Unauthorized) || (protection !== 'link' && protection !== 'internal'))
			return Promise.reject(error);
		return Promise.reject(new LinkProtected(error.facts, protection, access));
	});
}

/** A form behind a public link (§4.6), used without an account. */
export class PublicForms {
	/**
	 * @param session of the link's own service, which sends what `access` says
	 * @param href the address of the link
	 */
	constructor(
		private readonly session: Session,
		private readonly href: string,
		private readonly access: LinkAccess,
	) {}

	/** The form behind the link. @throws LinkProtected (§5), LinkNotFound, Forbidden (§7) */
	async get(): Promise<PublicForm> {
		const { href } = this;
		return await this.clearly(this.session.fetch(publicFormSchema, endpoints.publicFormGet, {}, { href }));
	}

	/** The same, or undefined if the link only permits submitting. */
	async getIfReadable(): Promise<PublicForm | undefined> {
		return await ifReadable(this.get());
	}

	/**
	 * Submits the form: values by field id, as in §4.4. The specification names neither link nor path
	 * (§4 Gaps): uses the link `submit` of the form, otherwise the address of the public link itself.
	 * @returns the new entity, if the response contains its address
	 * @throws LinkProtected (§5), BadRequest, LinkNotFound, Forbidden (§7)
	 */
	async submit(form: PublicForm | undefined, values: Record<string, unknown>): Promise<Created | undefined> {
		const options = { href: this.href, body: values };
		const submitting = this.session.follow(endpoints.publicFormSubmit, form ?? {}, options);
		return await createdBy(this.session, await this.clearly(submitting), 'entity');
	}

	private async clearly<Value>(pending: Promise<Value>): Promise<Value> {
		return await withRequiredAccess(pending, this.access);
	}
}
