import { isDeepStrictEqual } from 'node:util';
import type { Demo } from '../../../testbed/demo/session';
import type { Browsing } from '../../../testbed/browser';
import { until } from '../../../testbed/until';

/** Nodes that need a credential which the demo does not have. */
const WITHOUT_CREDENTIAL = new Set([
	'@n8n/n8n-nodes-langchain.lmChatOpenAi',
	'@n8n/n8n-nodes-langchain.mcpTrigger',
	'n8n-nodes-base.wooCommerce',
]);

const NOTE = 'n8n-nodes-base.stickyNote';

/** Opens each example and looks for red; `examples.test.ts` runs them and checks their output. */
export async function lookAtExamples({ n8n, examples }: Demo, browsing: Browsing): Promise<void> {
	const { byId } = browsing;
	const marked = byId('canvas-node').filter({ has: byId('node-issues') });
	// Loads the editor anew once, so that nothing that was open before is saved meanwhile.
	const [first] = examples.values();
	await browsing.load(`${n8n.url}/workflow/${first?.id ?? ''}`);
	for (const [file, { id, nodes }] of examples) {
		await browsing.open(`/workflow/${id}`);
		const names = nodes.filter(({ type }) => type !== NOTE).map(({ name }) => name);
		await until(`the nodes of ${file}`, async () => {
			const drawn = await byId('canvas-node').all();
			const found = await Promise.all(drawn.map((node) => node.getAttribute('data-node-name')));
			return isDeepStrictEqual(found.sort(), names.sort());
		});
		const allowed = nodes.map(({ type }) => type).filter((type) => WITHOUT_CREDENTIAL.has(type));
		if (allowed.length > 0) await marked.nth(allowed.length - 1).waitFor();
		const types = async () => {
			const nodes = await marked.all();
			return (await Promise.all(nodes.map((node) => node.getAttribute('data-node-type')))).sort();
		};
		// A node is marked until its credential is loaded.
		const isSo = async () => isDeepStrictEqual(await types(), allowed.sort());
		await until(`nodes of ${file} without issues`, isSo);
	}
}
