import { emailsOf } from '../../../client/resources/shares';
import { notice } from '../../shared/inputs/notice';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { chosenShare, statefulViewSharePicker } from '../../shared/inputs/pickers/share';
import { operation } from '../../shared/runner/operation';
import { chosenStatefulView } from './chosenStatefulView';

export const deleteShare = operation({
	value: 'deleteShare',
	name: 'Delete Share',
	action: 'Delete share of stateful view',
	description: 'Remove the access of a person to a stateful view',
	on: chosenStatefulView,
	notice: notice('notice', 'The person loses access to the stateful view at once.'),
	fields: [statefulViewSharePicker],
	async run({ client, grid, statefulView, parameter }) {
		const { items } = await client.statefulViews.shares(grid, statefulView);
		const share = chosenShare(items, parameter(statefulViewSharePicker), statefulViewSharePicker);
		await pickedBy(statefulViewSharePicker, client.shares.remove(share));
		const [email] = emailsOf(share);
		const ids = { statefulViewId: statefulView.id, gridId: grid.id };
		return { deleted: true, id: share.id, email, role: share.role, ...ids };
	},
});
