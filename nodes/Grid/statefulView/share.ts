import { emailOf, roleOf } from '../../shared/inputs/person';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { changeableStatefulView } from './chosenStatefulView';

const email = emailOf('The email address of the person');
const role = roleOf('What the person may do in the stateful view');

export const share = operation({
	value: 'share',
	name: 'Share',
	action: 'Share stateful view',
	description: 'Share a stateful view with a person by email address',
	on: changeableStatefulView,
	fields: [email, role],
	async run({ client, grid, statefulView, parameter }) {
		const given = { email: parameter(email), role: parameter(role) };
		const created = await client.statefulViews.share(grid, statefulView, given);
		const ids = { statefulViewId: statefulView.id, gridId: grid.id };
		return { ...(created ? idOrAddress(created) : {}), ...ids, ...given };
	},
});
