import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { DataGridError, StatusError } from '../../../client/errors';
import { shownHint, shownMessage } from './shownText';

/** What of n8n's contexts is needed to name the node in an error. */
interface Named {
	getNode(): INode;
}

/** n8n shows the message in the place of a missing description, and there as HTML. */
const NO_HINT = 'Run it again. If it stays so, tell the authors of this package.';

/**
 * The error that n8n shows: what happened in its message, how to fix it in its description, the
 * item it happened at. The service's own words are kept; nothing secret is in it.
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
		return new NodeApiError(node, factsOf(context, error), {
			...at,
			message: shownMessage(context, words ? `${error.title}: ${words}` : error.title),
			description: shownHint(context, error.hint),
			httpCode: String(error.facts.status),
		});
	}
	const message = shownMessage(context, error instanceof Error ? error.message : String(error));
	const hint = error instanceof DataGridError ? error.hint : NO_HINT;
	const failure = new NodeOperationError(node, message, { ...at, description: shownHint(context, hint) });
	// n8n puts its own advice instead of a message that names
	// a code, to retry what must not be repeated, for instance.
	if (error instanceof DataGridError) failure.message = message;
	return failure;
}

/** Adds a sentence to the description of an error. */
export function addToHint(
	context: Named,
	failure: NodeApiError | NodeOperationError,
	sentence: string | undefined,
): void {
	if (sentence === undefined) return;
	const before = failure.description ? `${failure.description} ` : '';
	failure.description = `${before}${shownHint(context, sentence)}`;
}

/** Only what helps to find the cause, and never a header. */
function factsOf(context: Named, { facts }: StatusError): JsonObject {
	const { method, path, status, serviceMessage } = facts;
	const shown = (text: string) => shownMessage(context, text);
	return {
		...(method === undefined ? {} : { method }),
		...(path === undefined ? {} : { path: shown(path) }),
		...(status === undefined ? {} : { status }),
		...(serviceMessage === undefined ? {} : { message: shown(serviceMessage) }),
	};
}
