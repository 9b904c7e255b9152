import type { NodeExecutionHint } from 'n8n-workflow';
import { oncePer } from '../../../client';
import { shownHint } from './shownText';

/** Severity of a hint: `warning` for omitted data, `danger` for data at risk. */
export type HintType = 'info' | 'warning' | 'danger';

/** Shows a sentence above the node's output. */
export type ShowHint = (message: string, type?: HintType) => void;

/** A hint that the editor shows before an operation runs. */
export interface HintBeforeRun {
	type: 'warning' | 'danger';
	/** Expression over `$parameter`: whether to show the hint. */
	when: string;
	message: string;
}

/** The part of n8n's context that shows hints. */
interface Hinting {
	addExecutionHints(...hints: NodeExecutionHint[]): void;
}

const shownBy = oncePer<Hinting, Set<string>>(() => new Set());

/** Shows a sentence above the node's output, once for each execution. */
export function showHint(node: Hinting, text: string, type: HintType = 'info'): void {
	const message = shownHint(node, text);
	const before = shownBy(node);
	if (before.has(message)) return;
	before.add(message);
	node.addExecutionHints({ message, type, location: 'outputPane' });
}
