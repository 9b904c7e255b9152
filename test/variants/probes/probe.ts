import type { Trial } from '../trial';
import type { OperationName } from '../../../testbed/world/call';

/** One thing that has to hold in every variant. */
export interface Probe {
	name: string;
	/** Of so many runs it is part of one. */
	every: number;
	/** Whether it works on what the account has of its own, and needs no grid for itself. */
	isOnStage?: boolean;
	/** @throws Difference where it does not hold */
	run(trial: Trial): Promise<void>;
}

export const entity = (operation: string): OperationName => ({
	node: 'entity',
	resource: 'entity',
	operation,
});
export const SYNC: OperationName = { node: 'entity', resource: 'entity', operation: 'sync' };
export const HISTORY: OperationName = { node: 'entity', resource: 'history', operation: 'getMany' };
