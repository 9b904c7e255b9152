import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	ResourceMapperFields,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	DataGridError,
	InvalidInput,
	type LinkAccess,
	parsePublicLink,
	PublicForms,
	PublicRows,
	Session,
	StatusError,
} from '../../client';
import { DataGridLinkApi } from '../../credentials/DataGridLinkApi.credentials';
import { mapperOf } from '../shared/inputs/columns/columnMapper';
import { unloadedColumns } from '../shared/inputs/columns/unloadedColumns';
import { connect, helperTransport, testTransport } from '../shared/connection/connect';
import { concealIn, redactIn, shownMessage } from '../shared/display/shownText';
import { choice } from '../shared/inputs/choice';
import { parameter, type ReadParameter } from '../shared/inputs/parameter';
import { fieldsOfForm, mapperFields } from '../shared/inputs/formValues';

/** Credential type of a link; frozen, because workflows store it. */
const LINK_CREDENTIAL = 'dataGridLinkApi';

const access = choice(
	'access',
	'Access',
	{
		internal: {
			name: 'Account',
			description:
				'The link requires an account. The credential is sent only if the link belongs to its service.',
		},
		link: {
			name: 'Link Password',
			description: 'The link has its own user name and password, stored with the link in a credential',
		},
		none: { name: 'None', description: 'Anyone with the link can open it; no credential is sent' },
	},
	{
		// Determines which credential is shown, so it cannot be an expression.
		noDataExpression: true,
		default: 'none',
		description: 'What the link requires. If this does not match, the error says what it is.',
	},
);

const linkAddress = parameter(
	{
		displayName: 'Link',
		name: 'link',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { access: ['internal', 'none'] } },
		placeholder: 'e.g. https://grids.example.com/api/a/u1/l1',
		description:
			'The public link as it was shared, or as a page of the service shows it. Links are made there: open the grid, then Share.',
	},
	z.string('it is not a text').trim().min(1, 'it is empty').max(2000, 'it is longer than 2000 characters'),
);

/** The inputs that choose a link; a protected link is stored in its credential. */
export const linkFields = [access, linkAddress];

/** A link, and the session and access with which to open it. */
interface OpenedLink {
	readonly session: Session;
	readonly href: string;
	readonly access: LinkAccess;
}

/** The public form behind the chosen link. @throws InvalidInput if the link cannot be used */
export async function chosenPublicForm(node: IExecuteFunctions, read: ReadParameter): Promise<PublicForms> {
	return formBehind(await chosenLink(node, read));
}

/** The rows behind the chosen link. @throws InvalidInput if the link cannot be used */
export async function chosenPublicRows(node: IExecuteFunctions, read: ReadParameter): Promise<PublicRows> {
	const { session, href, access } = await chosenLink(node, read);
	return new PublicRows(session, href, access);
}

async function chosenLink(node: IExecuteFunctions, read: ReadParameter): Promise<OpenedLink> {
	const chosen = read(access);
	return await openLink(node, chosen, chosen === 'link' ? '' : read(linkAddress));
}

const formBehind = ({ session, href, access }: OpenedLink) => new PublicForms(session, href, access);

/**
 * Decides which credential is sent: none to an open link, the link's password only to the link
 * stored with it, the account's only if the link belongs to its service.
 */
async function openLink(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	as: LinkAccess,
	address: string,
): Promise<OpenedLink> {
	if (as === 'internal') return await openAsAccount(context, address);
	const text = as === 'link' ? await protectedLink(context) : address;
	const link = parsePublicLink(text);
	const transport = helperTransport(context, as === 'link' ? LINK_CREDENTIAL : undefined);
	const redact = redactIn(context);
	return {
		session: new Session(transport, link.apiUrl, { redact }),
		href: link.url,
		access: as,
	};
}

async function openAsAccount(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	address: string,
): Promise<OpenedLink> {
	const { session } = await connect(context);
	const text = address.trim();
	// In the account's own service, the path of a link is enough.
	const base = session.resolve('/');
	const link = parsePublicLink(text.startsWith('/') && !text.startsWith('//') ? base.origin + text : text);
	const url = session.below(link.url);
	if (!url)
		throw new InvalidInput(
			`The link belongs to ${link.baseUrl}, but the credential to ${base.href}; nothing was sent`,
			'Choose a credential of the service that the link belongs to, or another link.',
		);
	return { session, href: parsePublicLink(url.href).url, access: 'internal' };
}

const credentialSchema = z.object({ link: z.string() });

async function protectedLink(context: IExecuteFunctions | ILoadOptionsFunctions): Promise<string> {
	const credential = await context.getCredentials(LINK_CREDENTIAL);
	concealIn(context, credential);
	return credentialSchema.parse(credential).link;
}

async function getPublicFormFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return await Promise.resolve()
		.then(async () => {
			const chosen = access.read(this.getCurrentNodeParameter('access') ?? 'none');
			const entered = this.getCurrentNodeParameter('link') ?? '';
			if (chosen !== 'link' && entered === '')
				return { fields: [], emptyFieldsNotice: 'Enter the link to see the fields of its form.' };
			const address = chosen === 'link' ? '' : linkAddress.read(entered);
			const form = await formBehind(await openLink(this, chosen, address)).getIfReadable();
			return mapperOf(
				mapperFields(form ? fieldsOfForm(form, []) : []),
				'Fields of this form',
				form
					? 'This link shows no fields. Enter the values as JSON, by field ID.'
					: 'This form may be submitted but not read. Enter the values as JSON, by field ID.',
			);
		})
		.catch((error: unknown) => unloadedColumns(this, 'formFields', error));
}

/** Loads the fields of a public form into the editor; for a node's `methods`. */
export const publicFormMapping = { getPublicFormFields };

/** Tests the user name and password of a link by opening it (§5). */
async function testLink(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const data = credential.data ?? {};
	return await Promise.resolve()
		.then(async () => {
			const link = parsePublicLink(credentialSchema.parse(data).link);
			const transport = testTransport(
				this,
				async (options) => await new DataGridLinkApi().authenticate(data, options),
			);
			const redact = concealIn(this, data);
			const session = new Session(transport, link.apiUrl, { retry: false, redact });
			await new PublicForms(session, link.url, 'link').get();
		})
		.then(
			() => ({ status: 'OK' as const, message: 'The link can be opened' }),
			(error: unknown) => ({ status: 'Error' as const, message: shownMessage(this, messageOf(error)) }),
		);
}

function messageOf(error: unknown): string {
	if (error instanceof StatusError) return `${error.title}. ${error.hint}`;
	if (error instanceof DataGridError) return `${error.message}. ${error.hint}`;
	return 'The credential is incomplete';
}

/** For the `methods` of the node that uses the credential; its `testedBy` refers to this test. */
export const linkCredentialTest = { testLink };
