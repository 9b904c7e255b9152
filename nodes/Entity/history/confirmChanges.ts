import { InvalidInput, NotFound } from '../../../client';
import { batchOperation } from '../../shared/runner/operation';
import { Positions, positionIn, type ReadPosition } from './positions';

export const confirmChanges = batchOperation({
	value: 'confirmChanges',
	name: 'Confirm Changes',
	action: 'Confirm changes of grid',
	description:
		'Store that the changes listed by Get Changes with "Since" Last Confirmed are done. A workflow that fails before this reads them again.',
	fields: [],
	async runAll({ client, items, hint }) {
		const carried = items.map(({ json }) => positionIn(json));
		const latest = new Map<string, ReadPosition>();
		for (const position of carried) {
			const before = position && latest.get(position.rowId);
			if (position && (!before || before.until < position.until)) latest.set(position.rowId, position);
		}
		if (latest.size === 0)
			throw new InvalidInput(
				'None of the items carries "_position", which Get Changes adds to its items',
				'Pass on that member, or connect this node to Get Changes with "Since" Last Confirmed through nodes that keep it.',
			);
		for (const position of latest.values()) {
			const grid = await client.grids.open(position);
			const positions = new Positions(client, grid, await client.fields.of(grid));
			const stored = await positions.timeAt(position).catch((error: unknown) => {
				throw error instanceof NotFound ? noSuchPosition(position) : error;
			});
			// Another run may be ahead; a person may have set it back, to read changes again.
			if (stored < Date.parse(position.from) || stored >= Date.parse(position.until))
				hint(`The position "${position.name}" was changed meanwhile, so it stays where it is.`);
			else await positions.move(position.rowId, position.until);
		}
		return items.map(({ json }) => json);
	},
});

const noSuchPosition = ({ name }: ReadPosition) =>
	new InvalidInput(
		`The position "${name}" was deleted meanwhile`,
		'The next run of Get Changes makes it again, from its own time on or from the start, as "First Time" says.',
	);
