import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	ResourceMapperFields,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { DataGridError, InvalidInput, StatusError } from '../../../client/errors';
import { PublicForms, parsePublicLink, type LinkAccess } from '../../../client/resources/publicForms';
import { PublicRows } from '../../../client/resources/publicRows';
import { Session } from '../../../client/session/session';
import { DataGridLinkApi } from '../../../credentials/DataGridLinkApi.credentials';
import { mapperOf } from '../../shared/inputs/columns/columnMapper';
import { unloadedColumns } from '../../shared/inputs/columns/unloadedColumns';
import { acceptedHint } from '../../shared/connection/acceptedHint';
import { connect, helperTransport, testTransport } from '../../shared/connection/connect';
import { concealIn, redactIn, shownMessage } from '../../shared/display/shownText';
import { choice } from '../../shared/inputs/choice';
import { parameter, type ReadParameter } from '../../shared/inputs/parameter';
import { fieldsOfForm, mapperFields } from '../formValues';

/** Credential type of a link; frozen, because workflows store it. */
const LINK_CREDENTIAL = 'dataGridLinkApi';

const linkProtection = choice(
	'linkProtection',
	'Link Protection',
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
		description: 'How the link is protected. If this does not match, the error says what the link requires.',
	},
);

const linkAddress = parameter(
	{
		displayName: 'Link',
		name: 'link',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { linkProtection: ['internal', 'none'] } },
		placeholder: 'e.g. https://grids.example.com/api/a/u1/l1',
		description: 'The public link as it was shared',
	},
	z.string('it is not a text').trim().min(1, 'it is empty').max(2000, 'it is longer than 2000 characters'),
);

/** The inputs that choose a link; a protected link is stored in its credential. */
export const linkFields = [linkProtection, linkAddress];

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
	const access = read(linkProtection);
	return await openLink(node, access, access === 'link' ? '' : read(linkAddress));
}

const formBehind = ({ session, href, access }: OpenedLink) => new PublicForms(session, href, access);

/**
 * Decides which credential is sent: none to an open link, the link's password only to the link
 * stored with it, the account's only if the link belongs to its service.
 */
async function openLink(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	access: LinkAccess,
	address: string,
): Promise<OpenedLink> {
	if (access === 'internal') return await openAsAccount(context, address);
	const text = access === 'link' ? await protectedLink(context) : address;
	const link = parsePublicLink(text);
	const transport = helperTransport(context, access === 'link' ? LINK_CREDENTIAL : undefined);
	const redact = redactIn(context);
	return {
		session: new Session(transport, link.baseUrl, {
			redact,
			isExactBase: true,
			onAccepted: acceptedHint(context),
		}),
		href: link.url,
		access,
	};
}

async function openAsAccount(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	address: string,
): Promise<OpenedLink> {
	const { session } = await connect(context);
	const text = address.trim();
	// In the account's own service, the path of a link is enough.
	const link = parsePublicLink(
		text.startsWith('/') && !text.startsWith('//') ? session.resolve(text).href : text,
	);
	const own = session.resolve('/').origin;
	if (link.origin !== own)
		throw new InvalidInput(
			`The link belongs to ${link.origin}, but the credential to ${own}; nothing was sent`,
			'Choose a credential of the service that the link belongs to, or another link.',
		);
	return { session, href: link.url, access: 'internal' };
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
			const access = linkProtection.read(this.getCurrentNodeParameter('linkProtection') ?? 'none');
			const entered = this.getCurrentNodeParameter('link') ?? '';
			if (access !== 'link' && entered === '')
				return { fields: [], emptyFieldsNotice: 'Enter the link to see the fields of its form.' };
			const address = access === 'link' ? '' : linkAddress.read(entered);
			const form = await formBehind(await openLink(this, access, address)).getIfReadable();
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
			const session = new Session(transport, link.baseUrl, { retry: false, redact, isExactBase: true });
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
