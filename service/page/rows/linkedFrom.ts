import { messageOf } from '../session/api';
import type { GridSummary, Row } from '../session/schemas';
import { h } from '../elements/dom';
import { linkingRows, rowLink } from '../values/linkedRows';

/** The rows that link to a row. They are searched in all grids of its space. */
export function linkedFrom(grid: GridSummary, row: Row) {
	const node = h('div', { className: 'fact', hidden: true });
	const show = async () => {
		const found = await linkingRows(grid, row);
		const lines = found.map(({ name, links, count }) => {
			const names = links
				.flatMap((link) => [Object.assign(rowLink(link), { tabIndex: 0 }), ', '])
				.slice(0, -1);
			const more = count > links.length ? ` and ${(count - links.length).toLocaleString()} more` : '';
			return h('li', {}, `${name}: `, ...names, more);
		});
		node.replaceChildren(h('b', { textContent: 'Linked from' }), h('ul', {}, ...lines));
		node.hidden = found.length === 0;
	};
	show().catch((error: unknown) => {
		node.replaceChildren(h('p', { role: 'alert', textContent: messageOf(error) }));
		node.hidden = false;
	});
	return node;
}
