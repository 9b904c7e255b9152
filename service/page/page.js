import { all, forgetLogin, isLoggedIn, keepLogin, logIn, onRefusedLogin, send } from './session/api.js';
import { abandonPending, ask } from './elements/dialog.js';
import { $, button, h, replaceButtons, say, told } from './elements/dom.js';
import { GridView } from './grid/gridView.js';
import { undo } from './rows/writing.js';
import { importCsv } from './structure/importCsv.js';
import { add, changeSpace } from './structure/spacesAndGrids.js';
import { openPublicLink } from './guest/guestPage.js';
import { showKeys } from './sharing/accessKeys.js';
import { showShares } from './sharing/people.js';

/**
 * The web page of the service. It offers only actions for which representations have `_links`, so
 * a reader sees no button that would be refused.
 */

let user;
let view;
/** The grid that was asked for last. */
let wanted;
/** The list of spaces that was asked for last. */
let listing;

/** Shows or hides the list of spaces or of changes in a narrow window. */
function toggle(id, isOpen = !$('app').classList.contains(id)) {
	$('app').classList.remove('nav-open', 'aside-open');
	$('app').classList.toggle(id, isOpen);
	$('menu').setAttribute('aria-expanded', String($('app').classList.contains('nav-open')));
	$('show-changes').setAttribute('aria-expanded', String($('app').classList.contains('aside-open')));
}

const openGrid = (summary, base) =>
	told(async () => {
		abandonPending();
		toggle('nav-open', false);
		const next = new GridView(summary, { me: user.id, base, changed: showSpaces, open: openCreated });
		wanted = next;
		const isRead = await next.read().catch((error) => {
			if (wanted === next) throw error;
		});
		if (!isRead || wanted !== next) return;
		view?.stop();
		view = next;
		await view.start();
		if (view !== next) return;
		for (const one of document.querySelectorAll('#spaces [data-grid]'))
			one.setAttribute('aria-current', String(one.dataset.grid === summary.id));
	})();

/**
 * Opens a view that was just created.
 * @param location its address @param isWanted whether the person still waits for it
 */
async function openCreated(location, isWanted) {
	await showSpaces();
	const { id } = await send({ href: location, method: 'get' });
	if (isWanted()) document.querySelector(`[data-grid="${CSS.escape(id)}"]`)?.click();
}

/** @param base the grid of a view, if the user may read it */
function gridButton({ grid, base }) {
	const open = button(grid.name, () => openGrid(grid, base), { 'data-grid': grid.id, className: grid.type });
	open.setAttribute('aria-current', String(view?.summary.id === grid.id));
	return h('li', {}, open);
}

/** Grids, each with its views below it. */
async function withViews(grids) {
	const views = new Map(grids.filter(({ type }) => type === 'virtual').map((grid) => [grid.id, grid]));
	const placed = grids.filter(({ type }) => type !== 'virtual').map((grid) => ({ grid }));
	if (views.size === 0) return placed;
	const below = async ({ grid }) => {
		const listed = grid._links.virtualGrids ? await all(grid._links.virtualGrids) : [];
		return [
			{ grid },
			...listed.filter(({ id }) => views.delete(id)).map((one) => ({ grid: one, base: grid })),
		];
	};
	const nested = (await Promise.all(placed.map(below))).flat();
	return [...nested, ...[...views.values()].map((grid) => ({ grid }))];
}

async function spaceGroup(space) {
	const grids = await withViews(await all(space._links.grids));
	const { addGrid, uploadCSV, shares, update } = space._links;
	const actions = [
		addGrid && button('+ Grid', () => add(`Create a grid in “${space.name}”`, addGrid, showSpaces)),
		uploadCSV &&
			button(
				'Import CSV',
				told(() => importCsv(space, showSpaces)),
			),
		shares &&
			button(
				'People',
				told(() => showShares(space)),
			),
		update &&
			button('Edit', () => changeSpace(space, showSpaces), { 'aria-label': `Edit the space ${space.name}` }),
	];
	return [
		h('h2', { textContent: space.name }),
		h('ul', {}, ...grids.map(gridButton)),
		h('p', { className: 'actions' }, ...actions.filter(Boolean)),
	];
}

async function readSpaces() {
	const spaces = (await all(user._links.spaces)).filter((space) => space._links.grids);
	return Promise.all(spaces.map(spaceGroup));
}

async function showSpaces() {
	const reading = readSpaces();
	listing = reading;
	const groups = await reading;
	if (listing !== reading) return void (await listing);
	replaceButtons($('spaces'), groups.flat());
	const { addSpace, accessKeys } = user._links;
	const actions = [
		addSpace && button('+ Space', () => add('Create a space', addSpace, showSpaces)),
		accessKeys &&
			button(
				'Access keys',
				told(() => showKeys(user)),
			),
		h('a', { href: 'api/docs', textContent: 'API' }),
	];
	replaceButtons($('account'), actions.filter(Boolean));
	const isThere = (id) =>
		groups.flat().some((group) => group.querySelector?.(`[data-grid="${CSS.escape(id)}"]`));
	if (view && !isThere(view.summary.id)) {
		view.stop();
		view.clear();
		view = undefined;
	}
}

async function enter() {
	user = await send({ href: '/api/users/me', method: 'get' });
	$('who').textContent = user.displayValue;
	await showSpaces();
	$('entry').hidden = true;
	$('app').hidden = false;
	if (matchMedia('(max-width: 48em)').matches) toggle('nav-open', true);
}

$('login').addEventListener('submit', async (event) => {
	event.preventDefault();
	event.submitter.disabled = true;
	logIn($('key').value.trim(), $('secret').value.trim());
	try {
		await enter();
		keepLogin();
		$('refused').textContent = '';
	} catch (error) {
		$('refused').textContent = error.message;
	}
	event.submitter.disabled = false;
});

$('logout').addEventListener('click', () => {
	forgetLogin();
	location.reload();
});
onRefusedLogin(() => {
	$('login-again').hidden = false;
});
$('login-again').addEventListener('click', () => {
	ask({
		title: 'Log in again',
		intro: 'The service no longer accepts this key. What is on the page stays.',
		fields: [
			{ name: 'key', label: 'Key', autocomplete: 'username', required: true },
			{ name: 'secret', label: 'Secret', type: 'password', autocomplete: 'current-password', required: true },
		],
		action: 'Log in',
		run: async ({ key, secret }) => {
			logIn(key.trim(), secret.trim());
			const { id } = await send({ href: '/api/users/me', method: 'get' });
			keepLogin();
			// Links of the page lead to what the first person may read.
			if (id !== user.id) location.reload();
			$('login-again').hidden = true;
			say();
		},
	});
});
$('menu').addEventListener('click', () => toggle('nav-open'));
$('show-changes').addEventListener('click', () => toggle('aside-open'));
document.addEventListener('keydown', (event) => {
	const isElsewhere = event.target.closest('input, textarea, select, dialog') !== null;
	if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !isElsewhere && view && !view.edits.isEmpty) {
		event.preventDefault();
		void told(() => undo(view))();
	}
	if (event.key === 'Escape' && !document.querySelector('dialog')) toggle('nav-open', false);
	if (event.key === '/' && !isElsewhere) {
		event.preventDefault();
		$('search').focus();
	}
});

const link = new URLSearchParams(location.search).get('link');
if (link) void openPublicLink(link);
else if (isLoggedIn()) enter().catch(forgetLogin);
say();
