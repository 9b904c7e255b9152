import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { parsePushUrl, type PushConnection, type PushProvider } from '../../../client/resources/push';
import { fitsHeader } from '../../../credentials/authorization';
import { helperTransport } from '../../shared/connection/connect';
import { concealIn } from '../../shared/display/shownText';

/** Credential type of the push provider; frozen, because workflows store it. */
const PUSH_CREDENTIAL = 'dataGridPushApi';

const text = z
	.unknown()
	.transform((value) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''));
const credentialSchema = z.object({ url: text, appId: text, restApiKey: text });

/**
 * The push provider of the credential, and the transport to it.
 * @throws InvalidInput if the credential is invalid
 */
export async function connectToPush(node: IExecuteFunctions): Promise<PushConnection> {
	const credential = await node.getCredentials(PUSH_CREDENTIAL);
	const redact = concealIn(node, credential);
	const provider = providerOf(credential);
	return { transport: helperTransport(node, PUSH_CREDENTIAL), provider, redact };
}

function providerOf(credential: ICredentialDataDecryptedObject): PushProvider {
	const { url, appId, restApiKey } = credentialSchema.parse(credential);
	parsePushUrl(url);
	if (appId === '' || /\s/.test(appId))
		throw new InvalidInput(
			appId === ''
				? 'The app ID of the push credential is empty'
				: 'The app ID of the push credential contains spaces',
			'Copy the app ID from the push provider.',
		);
	if (restApiKey === '' || /\s/.test(restApiKey))
		throw new InvalidInput(
			restApiKey === ''
				? 'The REST API key of the push credential is empty'
				: 'The REST API key of the push credential contains spaces',
			'Enter only the key, without the word Key before it.',
		);
	if (!fitsHeader(restApiKey))
		throw new InvalidInput(
			'The REST API key of the push credential contains a character that cannot be sent',
			'Copy the key again from the push provider.',
		);
	return { url, appId };
}

/** §6 has no test request, so only the format of the credential is checked. */
async function testPush(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await Promise.resolve(credential.data ?? {})
		.then(providerOf)
		.then(
			() => ({
				status: 'OK' as const,
				message:
					'URL, app ID and key look valid. Send a notification to check that the provider accepts them.',
			}),
			(error: unknown) => ({
				status: 'Error' as const,
				message:
					error instanceof InvalidInput ? `${error.message}. ${error.hint}` : 'The credential is incomplete',
			}),
		);
}

/** For the `methods` of the node that uses the credential; its `testedBy` refers to this test. */
export const pushCredentialTest = { testPush };
