import { showJoinLink } from './account';
import { getLink } from '../session/addresses';
import { all, create, read } from '../session/api';
import * as schemas from '../session/schemas';
import type { Person, Space, User } from '../session/schemas';
import { ask } from '../elements/dialog';
import { button, h, tell, told } from '../elements/dom';
import { listOf, panel, remover } from '../elements/records';

/** What people with a role may do, weakest first. */
const ROLES = new Map<string, string>([
	['creator', 'adds rows, and sees none'],
	['reader', 'sees everything, and changes nothing'],
	['writer', 'adds, changes and deletes rows'],
	['admin', 'also changes columns, views, forms, links and people'],
]);
const choices = [...ROLES].map(([role, does]) => [role, `${role}: ${does}`] as const);

const roleText = (role: string) =>
	role === 'owner' ? 'owner: also deletes the space' : `${role}: ${ROLES.get(role) ?? ''}`;

/** What a person is called: the name, and for those who share the space the address. */
const called = ({ name, email }: Person) => (name && email ? `${name} (${email})` : (name ?? email ?? ''));

/** A list that changes the role of a person at once. */
function roleList(person: Person, space: Space, again: () => Promise<void>) {
	const options = choices.map(([role, label]) =>
		h('option', { value: role, textContent: label, selected: role === person.role }),
	);
	const change = told(async () => {
		await create(space._links.addShare, { body: { email: person.email, role: list.value } });
		tell(`${called(person)} is now ${roleText(list.value)}.`);
		await again();
	});
	const list = h('select', { 'aria-label': `Role of ${called(person)}`, onchange: change }, ...options);
	return list;
}

interface Listed {
	readonly space: Space;
	/** The person at the page. */
	readonly user: User;
	/** Reads the list again. */
	readonly again: () => Promise<void>;
}

function personLine(person: Person, { space, user, again }: Listed) {
	const isOwn = person.userId === user.id;
	const isNew = person.userId === null;
	const { addShare } = space._links;
	const action = isNew ? 'Invitation link' : 'New password';
	return [
		h('b', { textContent: isOwn ? `${called(person)}, you` : called(person) }),
		isNew ? h('small', { textContent: 'Has not joined yet' }) : undefined,
		person._links.remove && addShare && !isOwn
			? roleList(person, space, again)
			: h('span', { textContent: roleText(person.role) }),
		person._links.joinLink &&
			button(
				action,
				told(() => showJoinLink(person)),
				{ 'aria-label': `${action} for ${person.email ?? ''}` },
			),
		remover(person, { word: 'Remove', lost: `${called(person)} can no longer open “${space.name}”.`, again }),
	];
} // prettier-ignore

/** The owner of a space and the people with a role in it, also those who have not joined yet. */
export const showPeople = (space: Space, user: User) =>
	panel(`People in “${space.name}”`, async (again) => {
		const people = await all(space._links.people, schemas.person);
		const share = () => {
			ask({
				title: `Share “${space.name}”`,
				fields: [
					{ name: 'email', label: 'Email address', type: 'email', required: true },
					{ name: 'role', label: 'Role', type: 'select', options: choices, value: 'reader' },
				],
				action: 'Share',
				run: async ({ email, role }, { isOpen }) => {
					const href = await create(space._links.invite, { body: { email, role } });
					const one = await read(getLink(href), schemas.share);
					await again();
					// A person who has an account logs in as ever.
					const isNew = one.users.length === 0;
					if (isNew) await showJoinLink({ userId: null, _links: one._links ?? {} }, isOpen);
				},
			});
		};
		return [
			listOf(people, '', (one) => personLine(one, { space, user, again })),
			h('p', {
				textContent: people.some(({ _links }) => _links.joinLink)
					? 'Who has forgotten the password gets a link from you: “New password”.'
					: 'Who has forgotten the password asks the owner of the service for a link that sets a new one.',
			}),
			space._links.invite && button('Share', share, { className: 'main' }),
		];
	});
