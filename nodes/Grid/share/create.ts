import { emailOf, roleOf } from '../../shared/inputs/person';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { changeableBoard } from '../board/chosenBoard';

const email = emailOf('The email address of the person');
const role = roleOf('What the person may do in the board or calendar');

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Share board or calendar',
	description: 'Share a board or calendar with a person by email address',
	whenRejected: 'Check the email address and the role.',
	on: changeableBoard,
	fields: [email, role],
	async run({ client, grid, board, parameter }) {
		const invitation = { email: parameter(email), role: parameter(role) };
		const created = await client.statefulViews.share(grid, board, invitation);
		return { ...(created ? idOrAddress(created) : {}), boardId: board.id, gridId: grid.id, ...invitation };
	},
});
