import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { operation } from '../../shared/runner/operation';
import { changeableGridOrView } from '../view/chosenView';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many public links',
	description: 'List the public links to a grid or view, and what they lead to',
	on: changeableGridOrView,
	fields: [returnAll, limit, simplify],
	async run({ client, grid, parameter, representAll }) {
		const found = await client.publicLinks.many(grid, resultLimit(parameter));
		const items = found.items.map((link) =>
			link.href === undefined ? link : { ...link, url: client.publicLinks.urlOf(link.href) },
		);
		return representAll({ ...found, items });
	},
});
