import { messageOf, send } from '../session/api';
import type { Links } from '../session/schemas';
import { confirmLoss, showPanel, waiting } from './dialog';
import { button, h, shown, type Child } from './dom';

/** A text with a button that copies it. */
export function copyable(text: string) {
	const code = h('code', { textContent: text });
	const copy = button('Copy', async () => {
		if ('clipboard' in navigator) {
			await navigator.clipboard.writeText(text);
			copy.textContent = 'Copied';
			return;
		}
		// Over plain http from another machine, browsers do not allow writing to the clipboard.
		getSelection()?.selectAllChildren(code);
		copy.textContent = 'Selected: press Ctrl+C';
	});
	return h('span', { className: 'copyable' }, code, ' ', copy);
}

/** A list of records with their actions. */
export function listOf<Item>(
	records: readonly Item[],
	none: string,
	describe: (record: Item) => ReadonlyArray<Child | false>,
) {
	if (records.length === 0) return h('p', { textContent: none });
	return h(
		'ul',
		{ className: 'records' },
		...records.map((record) => h('li', {}, ...shown(describe(record)))),
	);
}

interface Removal {
	readonly word: string;
	readonly lost: string;
	readonly again: () => Promise<void>;
	readonly title?: string;
	readonly action?: string;
}

/** A button that deletes a record after confirmation, then shows the list again. */
export const remover = (
	record: { readonly _links: Links },
	{ word, lost, again, title = `${word}?`, action = word }: Removal,
) =>
	record._links.remove &&
	button(
		word,
		() => {
			confirmLoss({
				title,
				lost,
				action,
				run: async () => {
					await send(record._links.remove);
					await again();
				},
			});
		},
		{ className: 'danger' },
	);

/** A button that restores a deleted record, then shows the list again. */
export const restorer = (
	record: { readonly name: string; readonly _links: Links },
	again: () => Promise<void>,
) =>
	button(
		'Restore',
		async () => {
			try {
				await send(record._links.restore);
			} catch (error) {
				showPanel(
					`“${record.name}” is not restored`,
					h('p', { role: 'alert', textContent: messageOf(error) }),
				);
				return;
			}
			await again();
		},
		{ 'aria-label': `Restore ${record.name}` },
	);

/** Shows a panel whose content is read again when its records change, while it is open. */
export async function panel(
	title: string,
	content: (again: () => Promise<void>) => Promise<ReadonlyArray<Node | undefined | false>>,
) {
	const isWaiting = waiting();
	let opened: ReturnType<typeof showPanel> | undefined;
	let reads = 0;
	const read = async () => {
		reads += 1;
		const number = reads;
		const nodes = shown(await content(again));
		if (number === reads) opened?.replace(...nodes);
		return nodes;
	};
	const again = async () => {
		await read();
	};
	const nodes = await read();
	if (isWaiting()) opened = showPanel(title, ...nodes);
}
