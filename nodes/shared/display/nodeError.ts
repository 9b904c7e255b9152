import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { DataGridError, mayBeThere, ServiceUnavailable, StatusError } from '../../../client';
import { shownHint, shownMessage } from './shownText';

/** The part of n8n's contexts that an error needs. */
interface Named {
	getNode(): INode;
}

/** What each error for n8n was made of. */
const origins = new WeakMap<Error, unknown>();

/** The error that was converted for n8n; any other error itself. */
export const originOf = (error: unknown): unknown =>
	error instanceof Error && origins.has(error) ? origins.get(error) : error;

/** Errors of a setting of the node, which concern no item more than another. */
const concernsNoItem = new WeakSet<Error>();

/** The same error, without the item that n8n would name beside it. */
export function withoutItem<Failure extends NodeApiError | NodeOperationError>(failure: Failure): Failure {
	delete failure.context.itemIndex;
	concernsNoItem.add(failure);
	return failure;
}

/** Without a description, n8n would show the message in its place, as HTML. */
const NO_HINT = 'Run it again. If the error persists, report it to the authors of this package.';

/**
 * Converts an error for n8n: the message says what happened, the description how to fix it.
 * Includes the item and the service's own message, without secrets.
 */
export function toNodeError(
	context: Named,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined && !concernsNoItem.has(error)) error.context.itemIndex ??= itemIndex;
		return error;
	}
	const failure = converted(context, error, itemIndex === undefined ? {} : { itemIndex });
	origins.set(failure, error);
	return failure;
}

function converted(context: Named, error: unknown, at: { itemIndex?: number }) {
	const node = context.getNode();
	if (error instanceof StatusError) {
		const words = error.facts.serviceMessage;
		const title = error instanceof ServiceUnavailable ? `${error.title} (${error.source})` : error.title;
		return new NodeApiError(node, factsOf(context, error), {
			...at,
			message: shownMessage(context, words ? `${title}: ${words}` : title),
			description: shownHint(context, error.hint),
			httpCode: String(error.facts.status),
		});
	}
	const words = error instanceof Error ? error.message : String(error);
	const message = shownMessage(context, mayBeThere(error) ? `Outcome "${error.outcome}": ${words}` : words);
	const hint = error instanceof DataGridError ? error.hint : NO_HINT;
	const failure = new NodeOperationError(node, message, { ...at, description: shownHint(context, hint) });
	// n8n replaces a message that contains an error code with its own advice, for instance to retry.
	if (error instanceof DataGridError) failure.message = message;
	return failure;
}

/** Replaces the description of an error. */
export function replaceHint(
	context: Named,
	failure: NodeApiError | NodeOperationError,
	hint: string | undefined,
): void {
	if (hint !== undefined) failure.description = shownHint(context, hint);
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

/** Facts that help to find the cause; never headers. */
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
