import type { IExecuteFunctions } from 'n8n-workflow';
import { BoundedMap, InvalidInput } from '../../../client';
import { numberInput } from '../../shared/inputs/parameter';
import type { ItemContext } from '../../shared/runner/context';

/** Stops an agent that loops; keys and roles decide what it may change at all. */
export const rowsPerRun = numberInput({
	displayName: 'Rows per Run',
	name: 'rowsPerRun',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 20,
	displayOptions: { show: { '@tool': [true] } },
	description:
		'The largest number of rows that all calls of this tool in one execution may change. A call that would change more is refused before it writes anything, and the model is told to ask a person. A call of an MCP server is an execution of its own.',
});

/** Numbers of rows by execution and node. */
const rowsByRun = new BoundedMap<string, number>(10_000);
/** Calls that were counted: a Sync that has added columns plans its rows again. */
const counted = new WeakSet<IExecuteFunctions>();

/** n8n appends this to the type of a node that is a tool. */
const isTool = (node: IExecuteFunctions) => node.getNode().type.endsWith('Tool');

/**
 * Counts the rows that a call of a tool is about to change.
 * @throws InvalidInput if this execution would change more rows than allowed
 */
export function countRowsOfTool(
	{ node, parameter: read }: Pick<ItemContext, 'node' | 'parameter'>,
	rows: number,
): void {
	if (!isTool(node) || counted.has(node) || rows === 0) return;
	const run = JSON.stringify([node.getWorkflow().id, node.getExecutionId(), node.getNode().name]);
	const before = rowsByRun.get(run) ?? 0;
	const most = read(rowsPerRun);
	if (before + rows > most)
		throw new InvalidInput(
			`This call would change ${rows} ${rows === 1 ? 'row' : 'rows'} after ${before} that were changed in this execution, and "${rowsPerRun.property.displayName}" allows ${most}; nothing was written`,
			'Do not try again: ask a person, who can make the change or raise the limit.',
		);
	counted.add(node);
	rowsByRun.set(run, before + rows);
}
