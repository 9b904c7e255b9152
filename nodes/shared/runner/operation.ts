import type { Client } from '../../../client';
import type { HintBeforeRun } from '../display/hints';
import { optionsOf, singleOptions, type Option } from '../inputs/options';
import type { Parameter } from '../inputs/parameter';
import type { Target } from '../inputs/target';
import { runConcurrently, type BulkWork } from './bulk';
import type { AccountlessContext, ItemContext, ItemsContext, OperationInputs, Result } from './context';

interface Described {
	/** Stored in users' workflows; never changes. */
	value: string;
	name: string;
	/** Listed in the nodes panel; sentence case. */
	action: string;
	description: string;
	/** What to do if the service rejects the inputs (400); omitted if they are values of a row. */
	whenRejected?: string;
	/** Shown in the output pane as long as it has no run. */
	hintsBeforeRun?: readonly HintBeforeRun[];
}

interface Declared extends Described {
	/** Shown above the inputs. */
	notice?: Parameter<unknown>;
	/** Inputs in the order shown, after those of the target. */
	fields: ReadonlyArray<Parameter<unknown>>;
	/** Less common inputs, shown under "Options". */
	options?: readonly Option[];
}

interface ForItem {
	run(context: ItemContext): Promise<Result>;
	runAll?: never;
	runWithoutAccount?: never;
}

interface ForAllItems {
	run?: never;
	runAll(context: ItemsContext): Promise<Array<Result | Error>>;
	runWithoutAccount?: never;
}

interface WithoutAccount {
	run?: never;
	runAll?: never;
	runWithoutAccount(context: AccountlessContext): Promise<Result>;
}

/** One operation that a user can choose; made by one of the functions below. */
export type Operation = Described & OperationInputs & (ForItem | ForAllItems | WithoutAccount);

export interface Resource {
	/** Stored in users' workflows; never changes. */
	value: string;
	name: string;
	/** For users who do not know the service. */
	description: string;
	operations: readonly Operation[];
	/** The default operation; the first if omitted. */
	preferred?: Operation;
}

/** An operation that runs for one item after another. */
export function operation<Chosen extends object>({
	on,
	run,
	...declared
}: Declared & {
	/** What the operation works on; opened before `run` and added to its context. */
	on: Target<Chosen>;
	run(context: ItemContext & Chosen): Result | Promise<Result>;
}): Operation {
	return {
		...inputsOf(declared, on.fields),
		run: async (context) => await run({ ...context, ...(await on.open(context.client, context.parameter)) }),
	};
}

/** Checks all items before the first change, then runs with adaptive concurrency. */
export function concurrentOperation<Chosen extends object, Prepared>({
	on,
	prepare,
	perform,
	serialKey,
	...declared
}: Declared & {
	on: Target<Chosen>;
	/** Checks an item without changing anything. */
	prepare(context: ItemContext & Chosen): Prepared | Promise<Prepared>;
	/** The row that an item writes; items with the same key run in order. */
	serialKey?: (prepared: Prepared) => string;
	perform(prepared: Prepared, client: Client): Promise<Result>;
}): Operation {
	const work = (client: Client): BulkWork<Prepared> => ({
		prepare: async (context) => await prepare({ ...context, ...(await on.open(client, context.parameter)) }),
		perform: async (prepared) => await perform(prepared, client),
		...(serialKey ? { serialKey } : {}),
	});
	return {
		...inputsOf(declared, on.fields),
		runAll: async (context) => await runConcurrently(context, work(context.client)),
	};
}

/** An operation that handles all items together and returns their results in order. */
export function batchOperation({
	runAll,
	...declared
}: Declared & { runAll(context: ItemsContext): Promise<Array<Result | Error>> }): Operation {
	return { ...inputsOf(declared), runAll };
}

/** An operation that runs for one item after another and needs no account. */
export function accountlessOperation({
	run,
	...declared
}: Declared & { run(context: AccountlessContext): Promise<Result> }): Operation {
	return { ...inputsOf(declared), runWithoutAccount: run };
}

function inputsOf(
	{ notice, fields, options = [], ...described }: Declared,
	ofTarget: ReadonlyArray<Parameter<unknown>> = [],
): Described & OperationInputs {
	const collection = optionsOf(...options);
	const shown = [...(notice ? [notice] : []), ...ofTarget, ...fields];
	return {
		...described,
		fields: options.length > 0 ? [...shown, collection] : shown,
		collection,
		options: singleOptions(options),
	};
}
