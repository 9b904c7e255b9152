import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { DataGridError, isReadableInTransit, StatusError } from '../../../client';
import { connectToTest } from './connect';
import { plainHttpWarning } from './plainHttpWarning';
import { shownMessage } from '../display/shownText';

/**
 * Tests the credential by reading its user (§4.2 `users/me`), redirect included. n8n's declarative
 * test would follow the redirect to any origin with the credentials, and accept any page with
 * status 200.
 */
async function testConnection(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await Promise.resolve()
		.then(async () => {
			const { session } = connectToTest(this, credential.data ?? {});
			await session.currentUser.me();
			const url = session.resolve('/');
			return isReadableInTransit(url) ? ` ${plainHttpWarning(url)}` : '';
		})
		.then(
			(warning) => ({ status: 'OK' as const, message: `Connection successful${warning && `.${warning}`}` }),
			(error: unknown) => ({ status: 'Error' as const, message: shownMessage(this, messageOf(error)) }),
		);
}

function messageOf(error: unknown): string {
	if (error instanceof StatusError) return `${error.title} (status ${error.facts.status}). ${error.hint}`;
	if (error instanceof DataGridError) return `${error.message}. ${error.hint}`;
	return error instanceof Error ? error.message : String(error);
}

/** For the `methods` of every node that uses the credential; its `testedBy` refers to this test. */
export const credentialTest = { testConnection };
