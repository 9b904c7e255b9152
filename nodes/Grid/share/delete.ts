import { emailsOf, readList } from '../../../client';
import { notice } from '../../shared/inputs/parameter';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { boardSharePicker, chosenShare } from '../../shared/inputs/pickers/share';
import { operation } from '../../shared/runner/operation';
import { chosenBoard } from '../board/chosenBoard';

export const deleteShare = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete share of board or calendar',
	description: 'Remove the access of a person to a board or calendar',
	on: chosenBoard,
	notice: notice('notice', 'The person loses access to the board or calendar at once.'),
	fields: [boardSharePicker],
	async run({ client, grid, board, parameter }) {
		const { items } = await readList(client.statefulViews.shareList(grid, board));
		const share = chosenShare(items, parameter(boardSharePicker), boardSharePicker);
		await pickedBy(boardSharePicker, client.shares.remove(share));
		const [email] = emailsOf(share);
		return { deleted: true, id: share.id, email, role: share.role, boardId: board.id, gridId: grid.id };
	},
});
