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
	says: string | RegExp;
	/** Expected in the description. */
	advises: string;
	/** Whether the refused write reaches the service; if not, only reads do. */
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
	/** The same from version 2 of the node on, where it differs. */
	answersSince2?: object;
	refusal: Refusal;
}

/** The cases of a node: resource → operation. */
export type Cases = Record<string, Record<string, OperationCase>>;

/** The links show that the key may only read, so no write is sent. */
export const readsOnly = (says: string): Refusal => ({
	as: 'reader',
	says: `No permission to ${says}`,
	advises: 'requires the role',
});

/** Only the service's response shows that the key may not do it. */
export const forbidden: Refusal = {
	as: 'reader',
	says: 'Permission denied',
	advises: 'Use a key with the role admin',
	asked: true,
};

/** The representation has no link for an operation without a documented address. */
export const notOffered = (action: string): Refusal => ({
	as: 'reader',
	says: `The service offers no link to ${action}`,
	advises: 'lacks the role admin',
});

/** A wrong secret. */
export const unknownKey: Refusal = {
	as: 'stranger',
	says: 'The service rejected the credentials',
	advises: 'Check the key and secret',
};

/** The chosen resource does not exist. @param label of the parameter that chooses it */
export const gone = (label: string, parameters: Refusal['parameters'] & {}): Refusal => ({
	parameters,
	// If a grid is missing, its space may be the wrong one.
	says: new RegExp(`^"${label}"( or "[^"]+")* does not exist or was deleted`),
	advises: 'Choose it again',
});
