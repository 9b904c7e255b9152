import { aspect } from '../aspect';

/** Of the workflow, not of the service: a saved node keeps the version it was added in. */
export const nodes = aspect('the version of the nodes that are tried', {
	version: [2, 1],
});
