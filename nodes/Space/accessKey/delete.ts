import { pickedBy } from '../../shared/inputs/pickers/locators';
import { notice } from '../../shared/inputs/parameter';
import { accessKeyPicker } from '../../shared/inputs/pickers/accessKey';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

export const deleteAccessKey = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete access key',
	description: 'Delete an access key of the account',
	on: account,
	notice: notice(
		'deletionNotice',
		'Everything that uses this key loses access at once, including this n8n if the key is in its credential.',
	),
	fields: [accessKeyPicker],
	async run({ client, parameter }) {
		const id = parameter(accessKeyPicker);
		await pickedBy(accessKeyPicker, client.accessKeys.remove(id));
		return { deleted: true, id };
	},
});
