import type { NodeHint } from 'n8n-workflow';
import type { Resource } from './operation';

/**
 * The hints of a node, each shown only for its operation. The editor shows none whose condition is
 * not a boolean or throws, e.g. because an input is an expression without data.
 */
export function hintsBeforeRun(resources: readonly Resource[]): NodeHint[] {
	return resources.flatMap((resource) =>
		resource.operations.flatMap(({ value, hintsBeforeRun: hints = [] }) =>
			hints.map(({ type, when, message }): NodeHint => {
				const isChosen = `$parameter.resource === "${resource.value}" && $parameter.operation === "${value}"`;
				return {
					type,
					message,
					displayCondition: `={{ ${isChosen} && Boolean(${when}) }}`,
					whenToDisplay: 'beforeExecution',
					location: 'outputPane',
				};
			}),
		),
	);
}
