import type { NodeExecutionHint } from 'n8n-workflow';
import { shownHint } from './shownText';

/** What of n8n's context shows hints. */
interface Hinting {
	addExecutionHints(...hints: NodeExecutionHint[]): void;
}

const shownBefore = new WeakMap<Hinting, Set<string>>();

/** Shows a sentence above the node's output, once for each execution. */
export function showHint(node: Hinting, text: string): void {
	const message = shownHint(node, text);
	const before = shownBefore.get(node) ?? new Set<string>();
	shownBefore.set(node, before);
	if (before.has(message)) return;
	before.add(message);
	node.addExecutionHints({ message, location: 'outputPane' });
}
