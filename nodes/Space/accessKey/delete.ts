import { pickedBy } from '../../shared/inputs/locators';
import type { Operation } from '../../shared/runner/operation';
import { accessKeyPicker } from '../../shared/inputs/pickers/accessKey';
import { notice } from '../../shared/inputs/notice';

const warning = notice(
	'deletionNotice',
	'Whoever uses the key is locked out at once: this n8n too, if it is the key of its own credential.',
);

export const deleteAccessKey: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete an access key',
	description: 'Remove a key from the account; whoever uses it is locked out at once',
	fields: [warning, accessKeyPicker],
	async run({ client, parameter }) {
		const id = parameter(accessKeyPicker);
		await pickedBy(accessKeyPicker, client.accessKeys.remove(id));
		return { deleted: true, id };
	},
};
