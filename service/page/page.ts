import {
	all,
	base,
	forgetLogin,
	isLoggedIn,
	keepLogin,
	logInWith,
	messageOf,
	onRefusedLogin,
	read,
} from './session/api';
import * as schemas from './session/schemas';
import type { GridSummary, Space, User } from './session/schemas';
import { abandonPending, ask, leaveDialogs } from './elements/dialog';
import { askedFor, getLink, pageOf, setAddress } from './session/addresses';
import { $, button, elementOf, h, inputOfPage, replaceButtons, say, shown, tell, told } from './elements/dom';
import { makeTabStop } from './elements/tabStop';
import { GridView } from './grid/gridView';
import { undo } from './rows/writing';
import { ROW_LINK } from './values/linkedRows';
import { importCsv } from './structure/importCsv';
import { add, changeSpace } from './structure/spacesAndGrids';
import { changeName, changePassword, invitation, showInvitation } from './sharing/account';
import { openPublicLink } from './guest/guestPage';
import { showKeys } from './sharing/accessKeys';
import { showPeople } from './sharing/people';

/**
 * The web page of the service. It offers only actions for which representations have `_links`, so
 * a reader sees no button that would be refused.
 */

/** Pause between two looks at what others changed in spaces and columns. */
const FOLLOW_MS = 5000;

/** The person at the page. */
let user: User;
let view: GridView | undefined;
/** The grid that was asked for last. */
let wanted: GridView | undefined;
/** The list of spaces that was asked for last. */
let listing: Promise<ListedSpace[]> | undefined;

/** A grid, and the grid of a view, if the person may read it. */
interface ListedGrid {
	readonly grid: GridSummary;
	readonly base?: GridSummary;
}

interface ListedSpace {
	readonly space: Space;
	readonly grids: readonly ListedGrid[];
}

/** Shows or hides the list of spaces or of changes in a narrow window. */
function toggle(id: string, isOpen = !$('app').classList.contains(id)) {
	$('app').classList.remove('nav-open', 'aside-open');
	$('app').classList.toggle(id, isOpen);
	$('menu').setAttribute('aria-expanded', String($('app').classList.contains('nav-open')));
	$('show-changes').setAttribute('aria-expanded', String(getComputedStyle($('aside')).display !== 'none'));
}

/** The grids of the list by their id, each with the grid of a view. */
const listed = new Map<string, ListedGrid>();

/**
 * @param address what becomes of the address of the page: with a new one, Back returns to what was
 * shown before; that of a row is kept
 */
const openGrid = ({ grid: summary, base }: ListedGrid, address: 'new' | 'replaced' | 'kept' = 'new') =>
	told(async () => {
		abandonPending();
		toggle('nav-open', false);
		const next = new GridView(summary, { me: user.id, base, changed: showSpaces, open: openCreated });
		wanted = next;
		const isRead = await next.read().catch((error: unknown) => {
			if (wanted === next) throw error;
			return false;
		});
		if (!isRead || wanted !== next) return;
		view?.stop();
		view = next;
		if (address !== 'kept') setAddress(pageOf(summary._links.self), address === 'new');
		await view.start();
		if (view !== next) return;
		for (const one of document.querySelectorAll<HTMLElement>('#spaces [data-grid]'))
			one.setAttribute('aria-current', String(one.dataset.grid === summary.id));
	})();

/** Opens what the address of the page names. */
async function openAsked() {
	const asked = askedFor();
	if (!asked) return;
	if (view?.summary.id !== asked.id) {
		const entry = listed.get(asked.id) ?? { grid: await read(asked.grid, schemas.gridSummary) };
		await openGrid(entry, asked.row ? 'kept' : 'replaced');
	}
	for (const dialog of document.querySelectorAll('dialog')) dialog.close();
	if (asked.row && view?.summary.id === asked.id) await view.open({ _links: { self: asked.row } });
}

/**
 * Opens a grid or view that was just created.
 * @param location its address @param isWanted whether the person still waits for it
 */
async function openCreated(location: string, isWanted: () => boolean) {
	await showSpaces();
	const { id } = await read(getLink(location), schemas.gridSummary);
	if (isWanted()) document.querySelector<HTMLElement>(`[data-grid="${CSS.escape(id)}"]`)?.click();
}

function gridButton(entry: ListedGrid) {
	const { grid } = entry;
	const open = button(grid.name, () => openGrid(entry), { 'data-grid': grid.id, className: grid.type });
	open.setAttribute('aria-current', String(view?.summary.id === grid.id));
	return h('li', {}, open);
}

/** Grids, each with its views below it. */
async function withViews(grids: readonly GridSummary[]): Promise<ListedGrid[]> {
	const views = new Map(grids.filter(({ type }) => type === 'virtual').map((grid) => [grid.id, grid]));
	const placed = grids.filter(({ type }) => type !== 'virtual').map((grid) => ({ grid }));
	if (views.size === 0) return placed;
	const below = async ({ grid }: ListedGrid): Promise<ListedGrid[]> => {
		const { virtualGrids } = grid._links;
		const listed = virtualGrids ? await all(virtualGrids, schemas.gridSummary) : [];
		return [
			{ grid },
			...listed.filter(({ id }) => views.delete(id)).map((one) => ({ grid: one, base: grid })),
		];
	};
	const nested = (await Promise.all(placed.map(below))).flat();
	return [...nested, ...[...views.values()].map((grid) => ({ grid }))];
}

function spaceGroup({ space, grids }: ListedSpace) {
	const { addGrid, uploadCSV, people, update } = space._links;
	const opened = (location: string) => openCreated(location, () => true);
	const actions = [
		addGrid &&
			button('+ Grid', () => {
				add(`Create a grid in “${space.name}”`, addGrid, opened);
			}),
		uploadCSV &&
			button(
				'Import CSV',
				told(() => importCsv(space, opened)),
			),
		people &&
			button(
				'People',
				told(() => showPeople(space, user)),
			),
		update &&
			button(
				'Edit',
				() => {
					changeSpace(space, showSpaces);
				},
				{ 'aria-label': `Edit the space ${space.name}` },
			),
	];
	return [
		h('h2', { textContent: space.name }),
		h('ul', {}, ...grids.map(gridButton)),
		h('p', { className: 'actions' }, ...shown(actions)),
	];
}

async function readSpaces() {
	const spaces = (await all(user._links.spaces, schemas.space)).filter((space) => space._links.grids);
	return Promise.all(
		spaces.map(async (space) => ({
			space,
			grids: await withViews(await all(space._links.grids, schemas.gridSummary)),
		})),
	);
}

/** What the list of spaces shows. */
let shownSpaces: string | undefined;

async function showSpaces() {
	const reading = readSpaces();
	listing = reading;
	const spaces = await reading;
	if (listing !== reading) {
		await listing;
		return;
	}
	const next = JSON.stringify(spaces);
	if (next === shownSpaces) return;
	shownSpaces = next;
	listed.clear();
	for (const entry of spaces.flatMap(({ grids }) => grids)) listed.set(entry.grid.id, entry);
	replaceButtons($('spaces'), spaces.flatMap(spaceGroup));
	const { addSpace, accessKeys, changePassword: password, update } = user._links;
	const actions = [
		addSpace &&
			button('+ Space', () => {
				add('Create a space', addSpace, showSpaces);
			}),
		accessKeys &&
			button(
				'Access keys',
				told(() => showKeys(user)),
			),
		update &&
			button('Your name', () => {
				changeName(user, readUser);
			}),
		password &&
			button('Password', () => {
				changePassword(user);
			}),
		h('a', { href: new URL('api/docs', base).href, textContent: 'API' }),
	];
	replaceButtons($('account'), shown(actions));
	if (!view || listed.has(view.summary.id)) return;
	view.stop();
	view.clear();
	view = undefined;
	setAddress(base.href, false);
}

/** Shows what others changed in the list of spaces and in the columns of the open grid. */
async function follow() {
	if (document.hidden || $('app').hidden) return;
	const { name } = view?.summary ?? {};
	await showSpaces();
	if (name !== undefined && !view) tell(`“${name}” was deleted, or is no longer shared with you.`);
	await view?.refresh();
}

async function keepFollowing() {
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
		// The list of changes shows that the service cannot be reached.
		await follow().catch(() => undefined);
	}
}

async function readUser() {
	user = await read(getLink('/api/users/me'), schemas.user);
	$('who').textContent = user.displayValue;
}

async function enter() {
	await readUser();
	await showSpaces();
	$('entry').hidden = true;
	$('app').hidden = false;
	$('login-again').hidden = true;
	if (matchMedia('(max-width: 48em)').matches) toggle('nav-open', true);
	void told(openAsked)();
	void keepFollowing();
}

async function logIn(submitter: HTMLElement | null) {
	submitter?.setAttribute('disabled', '');
	try {
		await logInWith(inputOfPage('key').value.trim(), inputOfPage('secret').value.trim());
		await enter();
		keepLogin();
		$('refused').textContent = '';
	} catch (error) {
		await forgetLogin();
		$('refused').textContent = messageOf(error);
	}
	submitter?.removeAttribute('disabled');
}

$('login').addEventListener('submit', (event) => {
	event.preventDefault();
	void logIn(event.submitter);
});

const logOut = told(async () => {
	// Nothing asks with the session that ends.
	view?.stop();
	$('app').hidden = true;
	await forgetLogin();
	location.reload();
});

$('logout').addEventListener('click', () => void logOut());
onRefusedLogin(() => {
	$('login-again').hidden = false;
});
$('login-again').addEventListener('click', () => {
	ask({
		title: 'Log in again',
		intro: 'The service no longer accepts this log-in. What is on the page stays.',
		fields: [
			{ name: 'key', label: 'Email or key', autocomplete: 'username', required: true },
			{
				name: 'secret',
				label: 'Password or secret',
				type: 'password',
				autocomplete: 'current-password',
				required: true,
			},
		],
		action: 'Log in',
		run: async ({ key, secret }) => {
			await logInWith(key.trim(), secret.trim());
			const { id } = await read(getLink('/api/users/me'), schemas.user);
			keepLogin();
			// Links of the page lead to what the first person may read.
			if (id !== user.id) location.reload();
			$('login-again').hidden = true;
			say();
		},
	});
});
$('menu').addEventListener('click', () => {
	toggle('nav-open');
});
makeTabStop($('toolbar'));
$('skip').addEventListener('click', (event) => {
	event.preventDefault();
	$('table').querySelector<HTMLElement>('[tabindex="0"], button:not([tabindex])')?.focus();
});
/** The list of changes is open on wide screens until it is closed, on others until it is opened. */
$('show-changes').addEventListener('click', () => {
	const isWide = matchMedia('(min-width: 75.01em)').matches;
	if (!isWide) {
		toggle('aside-open');
		return;
	}
	const isOpen = !$('app').classList.toggle('aside-closed');
	$('show-changes').setAttribute('aria-expanded', String(isOpen));
});
$('close-changes').addEventListener('click', () => {
	$('show-changes').click();
	$('show-changes').focus();
});
/** The name on which the pointer was pressed: a press that selects a cell makes its names links. */
let pressed: Element | null | undefined;
document.addEventListener(
	'pointerdown',
	({ target }) => {
		pressed = elementOf(target)?.closest(`a.${ROW_LINK}`);
	},
	true,
);
/** A name of a linked row opens it here, unless another window or tab is asked for. */
document.addEventListener('click', (event) => {
	const link = elementOf(event.target)?.closest<HTMLAnchorElement>(`a.${ROW_LINK}`);
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	// With the keyboard, nothing is pressed. A double click edits the cell.
	if (event.detail > 1 || (event.detail === 1 && link !== pressed)) return;
	leaveDialogs(() => {
		setAddress(link.href, true);
		void told(openAsked)();
	});
});
addEventListener('popstate', () => void told(openAsked)());
document.addEventListener('keydown', (event) => {
	const isElsewhere = elementOf(event.target)?.closest('input, textarea, select, dialog') !== null;
	const open = view;
	if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !isElsewhere && open && !open.edits.isEmpty) {
		event.preventDefault();
		void told(() => undo(open))();
	}
	if (event.key === 'Escape' && !document.querySelector('dialog, :popover-open')) toggle('nav-open', false);
	if (event.key === '/' && !isElsewhere) {
		event.preventDefault();
		$('search').focus();
	}
});

const link = new URLSearchParams(location.search).get('link');
const joining = invitation();
if (link) void openPublicLink(link);
else if (joining) void showInvitation(joining, enter);
else if (isLoggedIn()) enter().catch(forgetLogin);
say();
