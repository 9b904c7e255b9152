import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { InvalidInput, parsePushUrl, type PushConnection, type PushProvider } from '../../client';
import { helperTransport } from '../shared/connection/connect';
import { concealIn } from '../shared/display/shownText';

/** Credential type of the push provider; frozen, because workflows store it. */
const PUSH_CREDENTIAL = 'dataGridPushApi';

const text = z.union([z.string(), z.number()]).transform((value) => String(value).trim());
const credentialSchema = z.object({ url: text, appId: text, restApiKey: text });

/** The push provider of the credential, and the transport to it. @throws InvalidInput */
export async function connectToPush(node: IExecuteFunctions): Promise<PushConnection> {
	const credential = await node.getCredentials(PUSH_CREDENTIAL);
	const redact = concealIn(node, credential);
	return { transport: helperTransport(node, PUSH_CREDENTIAL), provider: providerOf(credential), redact };
}

function providerOf(credential: ICredentialDataDecryptedObject): PushProvider {
	const { url, appId, restApiKey } = credentialSchema.parse(credential);
	parsePushUrl(url);
	if (!isWord(appId))
		throw new InvalidInput(
			'The app ID of the push credential is empty or contains spaces',
			'Copy the app ID from the push provider.',
		);
	if (isWord(restApiKey)) return { url, appId };
	throw new InvalidInput(
		'The REST API key of the push credential is empty or contains spaces',
		'Enter only the key, without the word Key before it.',
	);
}

const isWord = (value: string) => value !== '' && !/\s/.test(value);

/** §6 has no test request, so only the format of the credential is checked. */
async function testPush(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await Promise.resolve(data)
		.then(providerOf)
		.then(
			() => ({ status: 'OK', message: 'The format is right. Only sending a notification tests the key.' }),
			(error: unknown) => ({
				status: 'Error',
				message: error instanceof InvalidInput ? `${error.message}. ${error.hint}` : 'It is incomplete',
			}),
		);
}

/** For the `methods` of the node that uses the credential; its `testedBy` refers to this test. */
export const pushCredentialTest = { testPush };
