import assert from 'node:assert/strict';
import type { RunData } from '../../../testbed/n8n/execution';
import type { ExampleDemo } from './exampleDemo';

/**
 * Looks at the rows that each node of the package put out in each execution of each example: n8n's
 * table shows "undefined" where an item lacks a member that another item has.
 */
export async function tablesAreWhole({ rest, examples }: ExampleDemo): Promise<void> {
	const gaps = new Set<string>();
	const looked = new Set<string>();
	for (const [file, { id, nodes }] of examples)
		for (const execution of await rest.executions(id)) {
			const { data } = await rest.execution(execution.id);
			for (const { name, type } of nodes.filter((node) => node.type.startsWith('n8n-nodes-datagrid.')))
				for (const items of rowsOf(data, name)) {
					looked.add(`${file}, ${name}: ${type}`);
					for (const member of gapsIn(items)) gaps.add(`${name} of ${file} lacks ${member}`);
				}
		}
	assert.ok(looked.size > 20, `only these have run: ${[...looked].join('; ')}`);
	assert.deepEqual([...gaps], []);
}

/** The items of the first output in each run of a node; the second one holds items that failed. */
const rowsOf = ({ resultData }: RunData, node: string) =>
	(resultData.runData[node] ?? []).map(({ data }) => data?.main?.[0] ?? []);

/** Members that some items have and others lack. */
function gapsIn(items: ReadonlyArray<{ json: object }>): string[] {
	const members = items.map(({ json }) => Object.keys(json));
	return [...new Set(members.flat())].filter((name) => !members.every((own) => own.includes(name)));
}
