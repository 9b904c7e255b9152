import { send } from '../session/api';
import { confirmLoss, showPanel, waiting } from './dialog';
import { button, h } from './dom';

/** A text with a button that copies it. */
export function copyable(text) {
	const code = h('code', { textContent: text });
	const copy = button('Copy', async () => {
		if (navigator.clipboard) {
			await navigator.clipboard.writeText(text);
			copy.textContent = 'Copied';
			return;
		}
		// Over plain http from another machine, browsers do not allow writing to the clipboard.
		getSelection().selectAllChildren(code);
		copy.textContent = 'Selected: press Ctrl+C';
	});
	return h('span', { className: 'copyable' }, code, ' ', copy);
}

/** A list of records with their actions. */
export function listOf(records, none, describe) {
	if (records.length === 0) return h('p', { textContent: none });
	return h('ul', { className: 'records' }, ...records.map((record) => h('li', {}, ...describe(record))));
}

/** A button that deletes a record after confirmation, then shows the list again. */
export const remover = (record, { word, lost, again, title = `${word}?`, action = word }) =>
	record._links?.remove &&
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
export const restorer = (record, again) =>
	button(
		'Restore',
		async () => {
			try {
				await send(record._links.restore);
			} catch ({ message }) {
				showPanel(`“${record.name}” is not restored`, h('p', { role: 'alert', textContent: message }));
				return;
			}
			await again();
		},
		{ 'aria-label': `Restore ${record.name}` },
	);

/** Shows a panel whose content is read again when its records change, while it is open. */
export async function panel(title, content) {
	const isWaiting = waiting();
	let shown;
	let reads = 0;
	const read = async () => {
		reads += 1;
		const number = reads;
		const nodes = (await content(again)).filter(Boolean);
		if (number === reads) shown?.replace(...nodes);
		return nodes;
	};
	const again = async () => void (await read());
	const nodes = await read();
	if (isWaiting()) shown = showPanel(title, ...nodes);
}
