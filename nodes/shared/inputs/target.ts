import type { Client } from '../../../client';
import type { Parameter, ReadParameter } from './parameter';

/** What an operation works on, e.g. a grid: the inputs that choose it, and how to open it. */
export interface Target<Chosen extends object> {
	readonly fields: ReadonlyArray<Parameter<unknown>>;
	/** Opens what the inputs choose; its members are added to the operation's context. */
	open(client: Client, parameter: ReadParameter): Promise<Chosen>;
}

/** The account of the credential: nothing to choose. */
export const account: Target<object> = { fields: [], open: () => Promise.resolve({}) };
