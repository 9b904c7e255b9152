import { pageOf } from '../session/addresses';
import { addressOf, base } from '../session/api';
import type { Grid } from '../session/schemas';
import { isComputed, isText } from '../values/cells';
import { showPanel } from '../elements/dialog';
import { h } from '../elements/dom';
import { copyable } from '../elements/records';

/** A workflow that reads the grid, as n8n's editor accepts it from the clipboard. */
function workflowOf(grid: Grid) {
	const start = 'When clicking Execute';
	const rows = `Rows of ${grid.name}`;
	return JSON.stringify({
		nodes: [
			{ name: start, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
			{
				name: rows,
				type: 'n8n-nodes-datagrid.entity',
				typeVersion: 1,
				position: [220, 0],
				parameters: {
					resource: 'entity',
					operation: 'getMany',
					grid: { __rl: true, mode: 'url', value: pageOf(grid._links.self) },
					limit: 10,
				},
			},
		],
		connections: { [start]: { main: [[{ node: rows, type: 'main', index: 0 }]] } },
	});
}

/** A text as one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** curl commands that read rows and, if the person may, add one. */
function requestsOf({ fields, _links }: Grid) {
	const entities = _links.entities && addressOf(_links.entities.href).href;
	if (entities === undefined) return [];
	const curl = `curl --user 'KEY:SECRET'`;
	const first = fields.find((field) => !isComputed(field) && isText(field));
	const body = JSON.stringify(first ? { [first.key]: 'From curl' } : {});
	const post = `${curl} --json ${quoted(body)} ${quoted(`${entities}?layout=key`)}`;
	return [`${curl} ${quoted(`${entities}?layout=key&pageSize=10`)}`, ...(_links.addEntity ? [post] : [])];
}

/** Shows the address of a grid, and how programs use it. */
export function showConnecting(grid: Grid) {
	showPanel(
		`Connect “${grid.name}”`,
		h('h3', { textContent: 'Address' }),
		h('p', {}, 'For people with access to the grid, and for the n8n nodes (mode “By URL”).'),
		h('p', {}, copyable(pageOf(grid._links.self))),
		h('h3', { textContent: 'n8n' }),
		h('p', {}, `Copy this workflow, paste it into the n8n editor, and choose a credential with the address ${base.href.replace(/\/$/, '')}. It reads the first rows.`),
		h('p', {}, copyable(workflowOf(grid))),
		h('h3', { textContent: 'curl' }),
		h('p', {}, 'Replace KEY and SECRET with those of an access key.'),
		...requestsOf(grid).map((request) => h('p', {}, copyable(request))),
	);
} // prettier-ignore
