import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { Client } from '../../../client';
import { DataGridError, InvalidInput } from '../../../client/errors';
import { connect } from '../connection/connect';
import { showHint } from '../display/hints';
import { addToHint, toNodeError } from '../display/nodeError';
import { failedItem, outputItem, type ItemPlace } from '../rows/output';
import type { Parameter } from '../inputs/parameter';
import { PickedUrls } from '../inputs/pickedUrls';
import { rawValues, type RawValue } from '../inputs/rawValues';
import { invalidInputHint } from './invalidInputHints';

/** Reads the value of one of the operation's own fields, for the item at hand. */
export type ReadParameter = <Value>(parameter: Parameter<Value>) => Value;

export type Row = object;
/** What an operation answers for one item: one row, or as many as it found. */
export type Result = Row | Row[];

/** What an operation has for one item where the account's credential has no part in it. */
export interface AccountlessContext {
	/** The item that the operation runs for. */
	item: INodeExecutionData;
	parameter: ReadParameter;
	/** Shows a sentence above the node's output. */
	hint(message: string): void;
	/** n8n's own functions, for files and the like. */
	node: IExecuteFunctions;
	itemIndex: number;
}

export interface ItemContext extends AccountlessContext {
	client: Client;
}

export interface ItemsContext {
	client: Client;
	items: INodeExecutionData[];
	/** Reads a field of the operation for one of the items. */
	parameter<Value>(parameter: Parameter<Value>, itemIndex: number): Value;
	hint(message: string): void;
	node: IExecuteFunctions;
}

interface Described {
	/** Frozen: it is kept in users' workflows. */
	value: string;
	/** A label; it may change. */
	name: string;
	/** What the nodes panel lists, in sentence case. */
	action: string;
	description: string;
	fields: ReadonlyArray<Parameter<unknown>>;
}

interface ForItem extends Described {
	run(context: ItemContext): Promise<Result>;
	runAll?: never;
	runWithoutAccount?: never;
}

interface ForAllItems extends Described {
	run?: never;
	runAll(context: ItemsContext): Promise<Array<Result | Error>>;
	runWithoutAccount?: never;
}

interface WithoutAccount extends Described {
	run?: never;
	runAll?: never;
	runWithoutAccount(context: AccountlessContext): Promise<Result>;
}

/**
 * One thing a user can click. `run` answers for one item, `runAll` for all of them at once, in their order; `runWithoutAccount` is
 * `run` for what needs no account of the service, so that its credential need not be there.
 */
export type Operation = ForItem | ForAllItems | WithoutAccount;

export interface Resource {
	/** Frozen, as an operation's value is. */
	value: string;
	name: string;
	/** What it is, in words of somebody who has never seen the service. */
	description: string;
	operations: readonly Operation[];
	/** The operation that is chosen to begin with; the first where it is left out. */
	preferred?: Operation;
}

/**
 * The properties of a node: the choice of resource and operation, then each operation's fields, shown only for it.
 * This is the one place where visibility is written.
 * @param preferred the resource that is chosen to begin with; the first where it is left out
 */
export function describeOperations(
	resources: readonly Resource[],
	preferred = resources[0]?.value ?? '',
): INodeProperties[] {
	return [
		resourceChoice(resources, preferred),
		...resources.map(operationChoice),
		...resources.flatMap(fieldsOf),
	];
}

/** Resource and operation decide which fields there are, so they cannot be expressions. */
const choice = { type: 'options', noDataExpression: true } as const;

function resourceChoice(resources: readonly Resource[], preferred: string): INodeProperties {
	return {
		...choice,
		displayName: 'Resource',
		name: 'resource',
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: preferred,
	};
}

function operationChoice(resource: Resource): INodeProperties {
	const options: INodePropertyOptions[] = resource.operations.map(({ name, value, action, description }) => ({
		name,
		value,
		action,
		description,
	}));
	return {
		...choice,
		displayName: 'Operation',
		name: 'operation',
		displayOptions: { show: { resource: [resource.value] } },
		options,
		default: (resource.preferred ?? resource.operations[0])?.value ?? '',
	};
}

function fieldsOf(resource: Resource): INodeProperties[] {
	return resource.operations.flatMap((operation) =>
		operation.fields.map(({ property }) => ({
			...property,
			displayOptions: {
				...property.displayOptions,
				show: {
					...property.displayOptions?.show,
					resource: [resource.value],
					operation: [operation.value],
				},
			},
		})),
	);
}

/**
 * Runs the operation that the user chose, over all items: the only loop, the only catch and the only pairing of this package.
 * @returns the items of the node's one output, each paired with the item it came from
 * @throws NodeApiError or NodeOperationError of the first item that fails, unless the node continues on fail
 */
export async function runOperations(
	node: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
	const items = node.getInputData();
	const operation = chosen(node, resources);
	const hint = (message: string) => {
		showHint(node, message);
	};
	const urls = new PickedUrls(rawValues(node));
	const parameter = <Value>(of: Parameter<Value>, itemIndex: number) =>
		readParameter(urls.read, of, itemIndex);
	const output: INodeExecutionData[] = [];

	const collect = async (itemIndex: number, result: () => Promise<Result | Error>) => {
		const place = (): ItemPlace => {
			const isFirst = output.length === 0;
			return { itemIndex, hint, decidesOnRetry: isFirst && node.getNode().retryOnFail === true };
		};
		try {
			const rows: Row | Row[] = await result();
			for (const row of Array.isArray(rows) ? rows : [rows]) output.push(outputItem(row, place()));
		} catch (error) {
			const failure = toNodeError(node, error, itemIndex);
			if (error instanceof DataGridError && error.facts.status === 400)
				addToHint(node, failure, suspects(node, operation, itemIndex));
			if (!node.continueOnFail()) throw failure;
			output.push(failedItem(failure, place()));
		}
	};

	if (operation.runAll) {
		const client = await connected(node);
		await urls.resolve(client, operation.fields, items.length);
		const results = await operation
			.runAll({ client, items, parameter, hint, node })
			.catch((error: unknown) => items.map(() => toNodeError(node, error)));
		for (const [itemIndex, result] of results.entries())
			await collect(itemIndex, async () => (result instanceof Error ? await Promise.reject(result) : result));
		return [output];
	}
	const run = await runnerOf(node, operation, urls);
	for (const [itemIndex, item] of items.entries())
		await collect(itemIndex, async () => {
			const own: ReadParameter = (of) => parameter(of, itemIndex);
			return await run({ item, parameter: own, hint, node, itemIndex });
		});
	return [output];
}

async function connected(node: IExecuteFunctions): Promise<Client> {
	return await connect(node).catch((error: unknown) => Promise.reject(toNodeError(node, error)));
}

/** How an operation runs for one item: connected once for all of them, if at all. */
async function runnerOf(
	node: IExecuteFunctions,
	operation: ForItem | WithoutAccount,
	urls: PickedUrls,
): Promise<(context: AccountlessContext) => Promise<Result>> {
	if (operation.runWithoutAccount) return async (context) => await operation.runWithoutAccount(context);
	const client = await connected(node);
	await urls.resolve(client, operation.fields, node.getInputData().length);
	return async (context) => await operation.run({ ...context, client });
}

function chosen(node: IExecuteFunctions, resources: readonly Resource[]): Operation {
	const resource = node.getNodeParameter('resource', 0);
	const operation = node.getNodeParameter('operation', 0);
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found) return found;
	throw toNodeError(
		node,
		new InvalidInput(
			`This version of the node has no operation "${String(operation)}" of "${String(resource)}"`,
			'Choose the operation again, or update the package.',
		),
	);
}

function readParameter<Value>(raw: RawValue, { property, read }: Parameter<Value>, itemIndex: number): Value {
	return read(raw(property, itemIndex));
}

function suspects(node: IExecuteFunctions, { fields }: Operation, itemIndex: number): string | undefined {
	return invalidInputHint(
		fields.map(({ property }) => ({
			property,
			raw: node.getNodeParameter(property.name, itemIndex, property.default),
		})),
	);
}
