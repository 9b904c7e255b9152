import { all, send } from '../session/api.js';
import { $, h } from '../elements/dom.js';

/** Lists the addresses that the person may see: their own, and those of the shares of the space. */
async function listPeople(space) {
	const [me, { _links }] = await Promise.all(
		['/api/users/me', space].map((href) => send({ href, method: 'get' })),
	);
	const shares = _links.shares ? await all(_links.shares) : [];
	const emails = new Set([me.email, ...shares.flatMap((share) => share.emails)]);
	$('people').replaceChildren(...[...emails].map((value) => h('option', { value })));
}

/** Lets an input suggest the people of a space. Another text can be typed, too. */
export function suggestPeople(input, space) {
	input.setAttribute('list', 'people');
	// Without them, the address is typed.
	input.addEventListener('focus', () => void listPeople(space).catch(() => {}), { once: true });
	return input;
}
