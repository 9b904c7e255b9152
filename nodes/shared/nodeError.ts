import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { ClientError, StatusError } from '../../client/errors';
import { redact } from '../../client/redact';

/** What of n8n's contexts is needed to name the node in an error. */
interface Named {
	getNode(): INode;
}

/**
 * The error that n8n shows: what happened in its message, how to fix it in its description, the item it happened at.
 * The service's own words are kept; nothing secret is in it.
 */
export function toNodeError(
	context: Named,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	const at = itemIndex === undefined ? {} : { itemIndex };
	const node = context.getNode();
	if (error instanceof StatusError) {
		const words = error.facts.serviceMessage;
		return new NodeApiError(node, factsOf(error), {
			...at,
			message: redact(words ? `${error.says}: ${words}` : error.says),
			description: error.hint,
			httpCode: String(error.facts.status),
		});
	}
	if (error instanceof ClientError) {
		const message = redact(error.message);
		const failure = new NodeOperationError(node, message, { ...at, description: error.hint });
		// n8n puts advice of its own in place of a message that names a code, to retry what must not be repeated, for instance.
		failure.message = message;
		return failure;
	}
	const message = error instanceof Error ? error.message : String(error);
	return new NodeOperationError(node, redact(message), at);
}

/** Only what helps to find the cause, and never a header. */
function factsOf({ facts }: StatusError): JsonObject {
	const { method, path, status, serviceMessage } = facts;
	return {
		...(method === undefined ? {} : { method }),
		...(path === undefined ? {} : { path }),
		...(status === undefined ? {} : { status }),
		...(serviceMessage === undefined ? {} : { message: serviceMessage }),
	};
}
