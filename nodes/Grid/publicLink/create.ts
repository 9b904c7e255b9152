import type { NewPublicLink } from '../../../client/resources/publicLinks';
import { choice } from '../../shared/inputs/choice';
import { notice } from '../../shared/inputs/notice';
import { parameter as input, requiredText, type ReadParameter } from '../../shared/inputs/parameter';
import { entityPicker } from '../../shared/inputs/pickers/entity';
import { formPicker } from '../../shared/inputs/pickers/form';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { shownFor } from '../../shared/inputs/shownFor';
import { operation } from '../../shared/runner/operation';
import { changeableGridOrView } from '../view/chosenView';

const kind = choice(
	'kind',
	'Link Target',
	{
		form: { name: 'Form', description: 'People add rows with a form of the grid' },
		edit: { name: 'One Row', description: 'People read and change one row' },
		view: { name: 'Rows', description: 'People read the rows of the grid or view' },
	},
	{ default: 'form', description: 'What people can do with the link' },
);

const form = shownFor(formPicker, { kind: ['form'] });
const entity = shownFor(entityPicker, { kind: ['edit'] });

const protection = choice(
	'protection',
	'Protection',
	{
		none: { name: 'None', description: 'Everyone who has the link' },
		internal: { name: 'Account', description: 'Everyone who has the link and an account of the service' },
		link: { name: 'User Name and Password', description: 'Everyone who has the link and its password' },
	},
	{ default: 'none', description: 'Who may use the link' },
);

const ofLogin = { displayOptions: { show: { protection: ['link'] } }, required: true };

const user = input(
	{
		displayName: 'User Name',
		...ofLogin,
		name: 'user',
		type: 'string',
		default: '',
		placeholder: 'e.g. guest',
		description: 'The user name that people enter together with the password',
	},
	requiredText('a user name is required'),
);

const password = input(
	{
		displayName: 'Password',
		...ofLogin,
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'The password of the link. It is stored in the workflow.',
	},
	requiredText('a password is required'),
);

/** The target of the link. */
function targetOf(parameter: ReadParameter): Pick<NewPublicLink, 'kind' | 'formId' | 'entityId'> {
	const leadsTo = parameter(kind);
	if (leadsTo === 'form') return { kind: leadsTo, formId: parameter(form) };
	return leadsTo === 'edit' ? { kind: leadsTo, entityId: parameter(entity) } : { kind: leadsTo };
}

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create public link',
	description:
		'Create a link to a form, to the rows of a grid or view, or to one row; people need no account',
	on: changeableGridOrView,
	notice: notice(
		'notice',
		'Anyone who has the link can use it until you delete it. Executions that n8n saves contain it.',
	),
	fields: [kind, form, entity, protection, user, password],
	async run({ client, grid, parameter }) {
		const target = targetOf(parameter);
		const chosen = parameter(protection);
		const login = chosen === 'link' ? { user: parameter(user), password: parameter(password) } : {};
		const creating = client.publicLinks.create(grid, { ...target, protection: chosen, ...login });
		const url = await pickedBy(target.kind === 'edit' ? entity : form, creating);
		return { url, ...target, protection: chosen, gridId: grid.id };
	},
});
