import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { BadRequest, type Client, DataGridError, InvalidInput, isUnreachable } from '../../../client';
import { connect } from '../connection/connect';
import { showHint, type HintType, type ShowHint } from '../display/hints';
import { addToHint, replaceHint, toNodeError, withoutItem } from '../display/nodeError';
import { ResolvedPickers } from '../inputs/pickers/resolvedPickers';
import { rawValues } from '../inputs/rawValues';
import { failedItem, outputItem } from '../rows/output';
import { endedWith, NotTried } from './bulk';
import { contextsOf, type AccountlessContext, type Result } from './context';
import { invalidInputHint } from './invalidInputHints';
import type { Operation, Resource } from './operation';

/**
 * Runs the chosen operation over all items; item loop, error handling and pairing are only here.
 * @returns the items of the node's one output, each paired with the item it came from
 * @throws NodeApiError or NodeOperationError for the first failed item, unless the node continues
 *   on fail
 */
export async function runOperations(
	node: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
	return await runOperation(node, chosenOperation(node, resources));
}

/** The same for a node that has only one operation, which nobody has to choose. */
export async function runOperation(
	node: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const endings: Array<() => void> = [];
	const atEnd = (work: () => void) => void endings.push(work);
	try {
		return [await itemsOf(node, operation, atEnd)];
	} finally {
		for (const end of endings) end();
	}
}

async function itemsOf(
	node: IExecuteFunctions,
	operation: Operation,
	atEnd: AccountlessContext['atEnd'],
): Promise<INodeExecutionData[]> {
	const items = node.getInputData();
	const pickers = new ResolvedPickers(rawValues(node));
	const contextAt = contextsOf(node, operation, { raw: pickers.read, atEnd });
	const output = new ItemOutput(node, operation);

	if (operation.runWithoutAccount) {
		for (const itemIndex of items.keys())
			await output.collect(itemIndex, () => operation.runWithoutAccount(contextAt(itemIndex)));
		return output.items;
	}
	const client = await connect(node).catch((error: unknown) => Promise.reject(toNodeError(node, error)));
	await pickers.resolve(client, operation.fields, items.length);
	if (operation.runAll) {
		const results = await allResults(node, operation, contextAt, client);
		for (const [itemIndex, result] of results.entries())
			if (result instanceof Error) output.fail(itemIndex, result);
			else output.add(itemIndex, result);
		return output.items;
	}
	let untried: NotTried | undefined;
	for (const itemIndex of items.keys()) {
		const error = await output.collect(itemIndex, async () => {
			if (untried) throw untried;
			return await operation.run({ ...contextAt(itemIndex), client });
		});
		if (isUnreachable(error)) untried = new NotTried(endedWith(itemIndex, error));
	}
	return output.items;
}

/**
 * The results of an operation that handles all items together. If it throws, every item fails with
 * that error, which concerns none more than another.
 */
async function allResults(
	node: IExecuteFunctions,
	operation: Extract<Operation, { runAll: unknown }>,
	contextAt: (itemIndex: number) => AccountlessContext,
	client: Client,
): Promise<Array<Result | Error>> {
	const items = node.getInputData();
	const hint: ShowHint = (message, type) => {
		showHint(node, message, type);
	};
	const run = async () => {
		const { atEnd } = contextAt(0);
		const at = (itemIndex: number) => Object.assign(contextAt(itemIndex), { client });
		return await operation.runAll({ client, items, at, hint, node, atEnd });
	};
	return await run().catch((error: unknown) => items.map(() => withoutItem(toNodeError(node, error))));
}

/** Collects the node's output, with failures as n8n shows them. */
class ItemOutput {
	readonly items: INodeExecutionData[] = [];

	constructor(
		private readonly node: IExecuteFunctions,
		private readonly operation: Operation,
	) {}

	/** @returns the error that the item has failed with */
	async collect(itemIndex: number, result: () => Promise<Result>): Promise<unknown> {
		try {
			this.add(itemIndex, await result());
			return undefined;
		} catch (error) {
			this.fail(itemIndex, error);
			return error;
		}
	}

	add(itemIndex: number, rows: Result): void {
		let place = this.placeOf(itemIndex);
		for (const row of Array.isArray(rows) ? rows : [rows]) {
			this.items.push(outputItem(row, place));
			if (place.decidesOnRetry) place = this.placeOf(itemIndex);
		}
	}

	/** @throws NodeApiError or NodeOperationError unless the node continues on fail */
	fail(itemIndex: number, error: unknown): void {
		const { node, items } = this;
		const failure = toNodeError(node, error, itemIndex);
		if (error instanceof BadRequest) replaceHint(node, failure, this.operation.whenRejected);
		if (error instanceof DataGridError && error.facts.status === 400)
			addToHint(node, failure, this.invalidInputHint(itemIndex));
		if (!node.continueOnFail()) throw failure;
		items.push(failedItem(failure, this.placeOf(itemIndex)));
	}

	private placeOf(itemIndex: number) {
		const { node, items } = this;
		return {
			itemIndex,
			hint: (message: string, type?: HintType) => {
				showHint(node, message, type);
			},
			decidesOnRetry: items.length === 0 && node.getNode().retryOnFail === true,
			hasErrorOutput: node.getNode().onError === 'continueErrorOutput',
		};
	}

	private invalidInputHint(itemIndex: number): string | undefined {
		return invalidInputHint(
			this.operation.fields.map(({ property }) => ({
				property,
				raw: this.node.getNodeParameter(property.name, itemIndex, property.default),
			})),
		);
	}
}

function chosenOperation(node: IExecuteFunctions, resources: readonly Resource[]): Operation {
	const resource = node.getNodeParameter('resource', 0);
	const operation = node.getNodeParameter('operation', 0);
	const chosen = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (chosen) return chosen;
	throw toNodeError(
		node,
		new InvalidInput(
			`The node has no operation "${String(operation)}" of "${String(resource)}"`,
			'Choose the operation again, or update the package.',
		),
	);
}
