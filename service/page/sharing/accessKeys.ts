import { all, base, forgetLogin, read, usesKey } from '../session/api';
import * as schemas from '../session/schemas';
import type { AccessKey, NewAccessKey, User } from '../session/schemas';
import { ask, showPanel } from '../elements/dialog';
import { button, h, shown, type Child } from '../elements/dom';
import { copyable, listOf, panel, remover } from '../elements/records';

/** The base URL for clients. */
const baseUrl = base.href.replace(/\/$/, '');

const step = (text: string, ...more: Child[]) => h('li', {}, text, ...more);

/** Instructions for n8n. @param key the new key; if omitted, placeholders are shown */
function stepsForN8n(key?: NewAccessKey) {
	const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(base.hostname);
	return [
		h('h3', { textContent: 'Use a key in n8n' }),
		h(
			'ol',
			{ className: 'steps' },
			step('In n8n, open Credentials, create one, and choose “DataGrid API”.'),
			step('Base URL: ', copyable(baseUrl)),
			step('Authentication: API Key'),
			key ? step('Key: ', copyable(key.key)) : step('Key: one of those above'),
			key ? step('Secret: ', copyable(key.secret)) : step('Secret: shown once, when the key is created'),
			step('Save: n8n tests the key at once. A reader key is enough for reading and the trigger; writing needs admin.'),
		),
		isLocal &&
			h('p', {}, h('small', { textContent: `${base.hostname} is this machine. An n8n in a container or on another machine needs an address at which it can reach the service.` })),
	]; // prettier-ignore
}

/** Access keys of the account. */
export const showKeys = (user: User) =>
	panel('Access keys', async (again) => {
		const keys = await all(user._links.accessKeys, schemas.accessKey);
		const add = () => {
			ask({
				title: 'Create an access key',
				fields: [
					{ name: 'name', label: 'Name', required: true },
					{ name: 'role', label: 'Role', type: 'select', options: ['reader', 'admin'] },
				],
				action: 'Create',
				run: async (body) => {
					// The secret comes once: it is shown whatever became of the list and its window.
					showSecret(await read(user._links.addAccessKey, schemas.newAccessKey, { body }));
					await again();
				},
			});
		};
		return [
			listOf(keys, 'There are no keys.', (key) => [
				h('b', { textContent: `${key.name}: ${key.role}` }),
				h('code', { textContent: key.key }),
				usesKey(key) ? h('small', { textContent: 'This page is logged in with it.' }) : undefined,
				remover(key, { word: 'Delete', ...(usesKey(key) ? ownQuestion(key) : { lost: `Everything that uses the key “${key.name}” stops working.`, again }) }),
			]),
			user._links.addAccessKey && button('Create a key', add, { className: 'main' }),
			...stepsForN8n(),
		];
	}); // prettier-ignore

/** What is asked before the key of this page is deleted. */
const ownQuestion = ({ name }: AccessKey) => ({
	title: `Delete your own key “${name}” and log out?`,
	lost: 'You are logged in with this key: you are logged out at once, and cannot log in with it again. Make sure that you have another way to log in.',
	action: 'Delete and log out',
	again: async () => {
		await forgetLogin();
		location.reload();
	},
});

function showSecret(key: NewAccessKey) {
	showPanel(
		`The key “${key.name}”`,
		h('p', { textContent: 'The secret is shown only once. Copy it into the credential in n8n now.' }),
		...shown(stepsForN8n(key)),
	);
}
