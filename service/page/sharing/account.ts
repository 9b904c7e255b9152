import { getLink } from '../session/addresses';
import { base, beginSession, messageOf, read, send } from '../session/api';
import * as schemas from '../session/schemas';
import type { Link, Links, User } from '../session/schemas';
import { ask, showPanel, waiting, type Question } from '../elements/dialog';
import { $, counted, h, labelled, tell } from '../elements/dom';
import { copyable } from '../elements/records';

const MIN_PASSWORD = 8;
const HINT = `At least ${MIN_PASSWORD} characters.`;
const KEYS_HINT =
	'A new password ends sessions, not keys. Delete them if somebody else may have used the account; programs such as n8n then need new ones.';

const newPassword = <Name extends string>(name: Name, label: string): Question<Name> => ({
	name,
	label,
	type: 'password',
	autocomplete: 'new-password',
	required: true,
	minLength: MIN_PASSWORD,
	hint: HINT,
});

/** The address of the page that an invitation opens. The part after # is sent to no server. */
const joinUrl = ({ href }: { href: string }) => `${base.href}#join=${href.replace(/^.*\//, '')}`;

/** The link of the invitation that the address of the page names. */
export function invitation(): Link | undefined {
	const [, token] = /^#join=([\w-]+)$/.exec(location.hash) ?? [];
	return token === undefined ? undefined : getLink(`/api/join/${token}`);
}

/** Shows the form of an invitation. @param done called once the person is logged in */
export async function showInvitation(link: Link, done: () => Promise<void>) {
	$('entry').hidden = true;
	$('public').hidden = false;
	const title = h('h1', { textContent: 'Join' });
	const error = h('p', { role: 'alert' });
	try {
		const { email, name, keys } = await read(link, schemas.invited);
		title.textContent = name === null ? 'Join' : `A new password for ${name}`;
		const inputs = {
			email: h('input', { type: 'email', value: email, readOnly: true, autocomplete: 'username' }),
			name: h('input', { required: true, maxLength: 1000, autocomplete: 'name' }),
			password: h('input', { type: 'password', required: true, minLength: MIN_PASSWORD, autocomplete: 'new-password' }),
			removeKeys: h('input', { type: 'checkbox' }),
		}; // prettier-ignore
		const submit = h('button', { type: 'submit', className: 'main', textContent: name === null ? 'Join' : 'Set the password' }); // prettier-ignore
		const form = h(
			'form',
			{},
			labelled('Email address', inputs.email),
			...(name === null ? [labelled('Your name', inputs.name, 'The others see it.')] : []),
			labelled('Password', inputs.password, HINT),
			...(keys > 0
				? [
						labelled(
							`Also delete ${counted(keys, 'access key')} of the account`,
							inputs.removeKeys,
							KEYS_HINT,
						),
					]
				: []),
			error,
			submit,
		);
		const join = async () => {
			submit.disabled = true;
			error.textContent = '';
			try {
				const own = name === null ? { name: inputs.name.value.trim() } : {};
				const body = { ...own, password: inputs.password.value, removeKeys: inputs.removeKeys.checked };
				await send({ ...link, method: 'post' }, { body });
				beginSession();
				history.replaceState(null, '', base.href);
				await done();
				$('public').hidden = true;
			} catch (problem) {
				error.textContent = messageOf(problem);
			}
			submit.disabled = false;
		};
		form.addEventListener('submit', (event) => {
			event.preventDefault();
			void join();
		});
		$('public').replaceChildren(title, form);
		(name === null ? inputs.name : inputs.password).focus();
	} catch {
		error.textContent =
			'This invitation is no longer valid. Ask for a new one, or log in if you have joined.';
		$('public').replaceChildren(title, error, h('a', { href: base.href, textContent: 'Log in' }));
	}
}

/**
 * Makes a link with which a person joins or sets a new password, and shows it.
 * @param isWanted whether the user still waits for it; the link can be made again
 */
export async function showJoinLink(
	share: { readonly userId: string | null; readonly _links: Links },
	isWanted = waiting(),
) {
	const made = await read(share._links.joinLink, schemas.joinLink);
	if (!isWanted()) return;
	const isKnown = share.userId !== null;
	showPanel(
		isKnown ? `A new password for ${made.email}` : `Invitation for ${made.email}`,
		h('p', {
			textContent: `The service sends no emails: send this link to ${made.email} yourself. ${isKnown ? 'It sets a new password' : 'It makes an account with a name and a password'}, works once, and ends on ${new Date(made.expiresAt).toLocaleDateString()}.`,
		}),
		h('p', {}, copyable(joinUrl(made))),
		h(
			'p',
			{},
			h('a', { href: mailTo(made.email, isKnown ? 'A new password' : 'Invitation', joinUrl(made)), textContent: 'Write the email' }),
		),
	); // prettier-ignore
}

const mailTo = (email: string, subject: string, text: string) =>
	`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;

/** Changes the name that the others see. @param done called afterwards */
export function changeName(user: User, done: () => Promise<void>) {
	ask({
		title: 'Your name',
		fields: [
			{ name: 'name', label: 'Name', value: user.displayValue, required: true, maxLength: 1000, autocomplete: 'name', hint: 'The others see it, also beside what you changed before.' },
		],
		action: 'Change the name',
		run: async ({ name }) => {
			await send(user._links.update, { body: { name } });
			await done();
		},
	});
} // prettier-ignore

/** Changes the password of the account, or sets its first one. */
export function changePassword(user: User) {
	ask<'email' | 'current' | 'password' | 'removeKeys'>({
		title: 'Password',
		intro: 'With it, you log in by your email address. A change ends your sessions in other browsers.',
		fields: [
			{ name: 'email', label: 'Email address', type: 'email', value: user.email, readOnly: true, autocomplete: 'username' },
			{ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', hint: 'Empty if you have none yet.' },
			newPassword('password', 'New password'),
			{ name: 'removeKeys', label: 'Also delete all access keys', type: 'checkbox', hint: KEYS_HINT },
		],
		action: 'Change the password',
		run: async ({ current, password }, { isChecked }) => {
			const body = { password, removeKeys: isChecked('removeKeys'), ...(current ? { current } : {}) };
			await send(user._links.changePassword, { body });
			tell('The password was changed.');
		},
	});
} // prettier-ignore
