import { getLink } from '../session/addresses';
import { all, read } from '../session/api';
import * as schemas from '../session/schemas';
import { $, h } from '../elements/dom';

/** The names of the people of the open grid, by the id of their account. */
const names = new Map<string, string>();

/** Reads the names of the people of a space. Without a role in it, accounts keep their ids. */
export async function learnPeople(space: string) {
	const { people: link } = await read(getLink(space), schemas.linked).then(
		({ _links }) => _links,
		(): schemas.Links => ({}),
	);
	const people = link ? await all(link, schemas.person) : [];
	for (const { userId, name } of people) if (userId !== null && name !== null) names.set(userId, name);
}

/** The name of the account that created a row. */
export const nameOfUser = (userId: string) =>
	names.get(userId) ?? (userId.startsWith('link:') ? 'a public link' : userId);

/** The account of a name, for a filter; an id stays. */
export const userOfName = (text: string) => [...names].find(([, name]) => name === text)?.[0] ?? text;

/** Lists the people whose address the person may see: their own, and those of the space. */
async function listPeople(space: string) {
	const [me, { _links }] = await Promise.all([
		read(getLink('/api/users/me'), schemas.user),
		read(getLink(space), schemas.linked),
	]);
	const people = _links.people ? await all(_links.people, schemas.person) : [];
	const known = new Map([me, ...people].map(({ email, name }) => [email, name]));
	$('people').replaceChildren(
		...[...known].flatMap(([value, name]) =>
			value === null ? [] : [h('option', { value, label: name ?? value })],
		),
	);
}

/** Lets an input suggest the people of a space. Another text can be typed, too. */
export function suggestPeople<Input extends HTMLElement>(input: Input, space: string) {
	input.setAttribute('list', 'people');
	// Without them, the address is typed.
	input.addEventListener('focus', () => void listPeople(space).catch(() => undefined), { once: true });
	return input;
}
