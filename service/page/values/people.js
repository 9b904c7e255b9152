import { all, send } from '../session/api';
import { $, h } from '../elements/dom';

const link = (href) => ({ href, method: 'get' });

/** The names of the people of the open grid, by the id of their account. */
const names = new Map();

/** Reads the names of the people of a space. Without a role in it, accounts keep their ids. */
export async function learnPeople(space) {
	const { _links } = await send(link(space)).catch(() => ({ _links: {} }));
	const people = _links.people ? await all(_links.people) : [];
	for (const { userId, name } of people) if (userId !== null && name !== null) names.set(userId, name);
}

/** The name of the account that created a row. */
export const nameOfUser = (userId) =>
	names.get(userId) ?? (userId.startsWith('link:') ? 'a public link' : userId);

/** The account of a name, for a filter; an id stays. */
export const userOfName = (text) => [...names].find(([, name]) => name === text)?.[0] ?? text;

/** Lists the people whose address the person may see: their own, and those of the space. */
async function listPeople(space) {
	const [me, { _links }] = await Promise.all(['/api/users/me', space].map((href) => send(link(href))));
	const people = _links.people ? await all(_links.people) : [];
	const known = new Map([me, ...people].map(({ email, name }) => [email, name]));
	known.delete(null);
	$('people').replaceChildren(
		...[...known].map(([value, name]) => h('option', { value, label: name ?? value })),
	);
}

/** Lets an input suggest the people of a space. Another text can be typed, too. */
export function suggestPeople(input, space) {
	input.setAttribute('list', 'people');
	// Without them, the address is typed.
	input.addEventListener('focus', () => void listPeople(space).catch(() => {}), { once: true });
	return input;
}
