import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Identity } from '../../../testbed/world/call';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

/** How an operation is refused to somebody. */
export interface Refusal {
	/** The parameters, where others are refused than those that succeed. */
	parameters?: (world: SampleWorld) => INodeParameters;
	as?: Identity;
	/** What is done before the run, e.g. a fault put in its way. */
	prepare?: (world: SampleWorld) => void;
	/** What the message has to say. */
	says: string | RegExp;
	/** What the description has to advise. */
	advises: string;
	/** Whether the refused write itself reached the service; otherwise nothing but reads did. */
	asked?: boolean;
}

/** One operation: how it succeeds and how it is refused. */
export interface OperationCase {
	/**
	 * Inputs with which it succeeds; made anew for each run,
	 * with targets of their own where it changes something.
	 */
	parameters: (world: SampleWorld) => INodeParameters | Promise<INodeParameters>;
	input?: (world: SampleWorld) => Array<IDataObject | INodeExecutionData>;
	/** What its first row holds. */
	answers: object;
	refusal: Refusal;
}

/** The cases of a node: resource → operation. */
export type Cases = Record<string, Record<string, OperationCase>>;

/** A key that may only read is told so by the links, so nothing is sent. */
export const readsOnly = (says: string): Refusal => ({
	as: 'reader',
	says: `No permission to ${says}`,
	advises: 'needs the role',
});

/** Only the service knows that a key may not do it. */
export const forbidden: Refusal = {
	as: 'reader',
	says: 'Permission denied',
	advises: 'Use a key with the role admin',
	asked: true,
};

/** A wrong secret. */
export const unknownKey: Refusal = {
	as: 'stranger',
	says: 'The service rejected the credentials',
	advises: 'Check the key and secret',
};

/** What is named is not there. @param label of the parameter that names it */
export const gone = (label: string, parameters: Refusal['parameters'] & {}): Refusal => ({
	parameters,
	// Where a grid is not there, its space may be the wrong one.
	says: new RegExp(`^"${label}"( or "[^"]+")* does not exist or was deleted`),
	advises: 'Choose it again',
});
