import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Identity } from '../../../testbed/world/call';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

/** How the service refuses an operation. */
export interface Refusal {
	/** Parameters that differ from those of the success. */
	parameters?: (world: SampleWorld) => INodeParameters;
	as?: Identity;
	/** Runs before, e.g. to set a fault. */
	prepare?: (world: SampleWorld) => void;
	/** Expected in the message. */
	message: string | RegExp;
	/** Expected in the description. */
	description: string;
	/** Whether the refused write reaches the service; if not, only reads do. */
	isSent?: boolean;
}

/** A successful and a refused run of an operation. */
export interface OperationCase {
	/** Inputs of a successful run. Created for each run, with fresh targets if it changes them. */
	parameters: (world: SampleWorld) => INodeParameters | Promise<INodeParameters>;
	input?: (world: SampleWorld) => Array<IDataObject | INodeExecutionData>;
	/** Members of the first output row. */
	output: object;
	refusal: Refusal;
}

/** The cases of a node: resource → operation. */
export type Cases = Record<string, Record<string, OperationCase>>;

/** The links show that the key may only read, so no write is sent. */
export const readsOnly = (message: string): Refusal => ({
	as: 'reader',
	message: `No permission to ${message}`,
	description: 'requires the role',
});

/** Only the service's response shows that the key may not do it. */
export const forbidden: Refusal = {
	as: 'reader',
	message: 'Permission denied',
	description: 'Use a key with the role admin',
	isSent: true,
};

/** A wrong secret. */
export const unknownKey: Refusal = {
	as: 'stranger',
	message: 'The service rejected the credentials',
	description: 'Check the key and secret',
};

/** The chosen resource does not exist. @param label of the parameter that chooses it */
export const gone = (label: string, parameters: Refusal['parameters'] & {}): Refusal => ({
	parameters,
	// If a grid is missing, its space may be the wrong one.
	message: new RegExp(`^"${label}"( or "[^"]+")* does not exist or was deleted`),
	description: 'Choose it again',
});
