import type { GridSummary, Row } from '../session/schemas';
import { messageOf } from '../session/api';
import { h } from '../elements/dom';
import { whileShown } from '../elements/progress';
import { linkingRows, rowLink } from '../values/linkedRows';

/**
 * The rows that link to a row, under a heading. Whenever it is opened, they are searched in all
 * grids of the space of the row.
 */
export function linkedFrom(grid: GridSummary, row: Row) {
	const content = h('div');
	const show = async () => {
		const found = await linkingRows(grid, row);
		const lines = found.map(({ name, links, count }) => {
			const names = links
				.flatMap((link) => [Object.assign(rowLink(link), { tabIndex: 0 }), ', '])
				.slice(0, -1);
			const more = count > links.length ? ` and ${(count - links.length).toLocaleString()} more` : '';
			return h('li', {}, `${name}: `, ...names, more);
		});
		const none = h('p', { role: 'status', textContent: 'No row of this space links to it.' });
		content.replaceChildren(lines.length > 0 ? h('ul', {}, ...lines) : none);
	};
	const node = h('details', {}, h('summary', { textContent: 'Linked from' }), content);
	node.addEventListener('toggle', () => {
		content.replaceChildren();
		if (!node.open) return;
		whileShown(content, show()).catch((error: unknown) => {
			content.replaceChildren(h('p', { role: 'alert', textContent: messageOf(error) }));
		});
	});
	return node;
}
