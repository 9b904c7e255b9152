const { confirm, document, location, sessionStorage, Tabulator } = globalThis;

/**
 * A person's way into the service: log in with a key, choose a grid, edit
 * cells, watch the changes. Everything it can do it learns from the `_links`
 * of what it reads, so it shows a reader no button that would be refused.
 */

const $ = (id) => document.getElementById(id);
const POLL_MS = 1000;
const CHANGES_SHOWN = 100;

/** Log-in data live as long as the tab. */
let authorization = sessionStorage.getItem('authorization');
/** What is open: the grid, its table, and how far its changes were read. */
let open = null;

/**
 * Sends a request.
 * @returns the JSON or text of the answer
 * @throws Error with the service's own words
 */
async function send(link, { query = {}, body, headers = {} } = {}) {
	const search = new URLSearchParams(query).toString();
	const response = await fetch(search ? `${link.href}?${search}` : link.href, {
		method: link.method.toUpperCase(),
		// The browser would answer a 401 with a login window of its own.
		credentials: 'omit',
		headers: {
			authorization,
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
			...headers,
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	const isJson = (response.headers.get('content-type') ?? '').includes('json');
	const result = isJson ? JSON.parse(text) : text;
	if (!response.ok) throw new Error(result.message ?? `The service answered ${response.status}`);
	return result;
}

/** All items of a paged collection. */
async function all(link) {
	const items = [];
	for (let page = await send(link); ; page = await send(page._links.next)) {
		items.push(...page.items);
		if (!page._links.next) return items;
	}
}

const say = (error) => {
	$('message').textContent = error ? error.message : '';
};

function element(tag, text, properties = {}) {
	return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

/** The grid library takes titles, tooltips and options for HTML; cells it escapes by itself. */
const asHtml = (text) => element('span', text).innerHTML;

/**
 * How a field is shown and edited. Values with an inner
 * structure are shown as JSON and edited elsewhere.
 */
function columnOf(field) {
	const plain = {
		title: asHtml(field.name),
		field: field.id,
		headerTooltip: asHtml(`${field.key}: ${field.type.name}`),
		minWidth: 90,
	};
	const options = (field.type.options ?? []).map((option) => option.value ?? option);
	const kinds = {
		boolean: {
			formatter: 'tickCross',
			formatterParams: { allowEmpty: true },
			editor: 'tickCross',
			hozAlign: 'center',
		},
		integer: { editor: 'number', editorParams: { step: 1 }, hozAlign: 'right' },
		decimal: { editor: 'number', hozAlign: 'right' },
		currency: { editor: 'number', hozAlign: 'right' },
		date: { editor: 'date' },
		enum: {
			editor: 'list',
			editorParams: { values: options, clearable: true, itemFormatter: (label) => asHtml(label) },
		},
		richText: { editor: 'textarea' },
	};
	const texts = ['string', 'email', 'phoneNumber', 'uri', 'date-time', 'user', 'signature'];
	const kind = kinds[field.type.name] ?? (texts.includes(field.type.name) ? { editor: 'input' } : {});
	const asJson = kind.editor === undefined ? { mutatorData: (value) => value && JSON.stringify(value) } : {};
	const { editor, ...shown } = kind;
	return {
		...plain,
		...shown,
		...asJson,
		...(editor ? { editor, editable: (cell) => cell.getData()._links.update !== undefined } : {}),
	};
}

/** Writes an edited cell; a refusal puts the old value back and says why. */
async function save(cell) {
	const row = cell.getData();
	const value = cell.getValue();
	try {
		const entity = await send(row._links.update, {
			body: { [cell.getField()]: value === '' ? null : value },
		});
		cell.getRow().update(entity);
		say();
	} catch (error) {
		cell.restoreOldValue();
		say(error);
	}
}

const removeColumn = {
	title: '',
	width: 50,
	headerSort: false,
	formatter: (cell) =>
		cell.getData()._links.remove ? element('span', '✕', { title: 'Delete this row' }) : '',
	cellClick: async (_event, cell) => {
		const { remove } = cell.getData()._links;
		if (!remove || !confirm('Delete this row?')) return;
		await send(remove).catch(say);
		cell.getTable().setPage(cell.getTable().getPage());
	},
};

/** Opens a grid. @param summary as a list of grids holds it */
async function openGrid(summary) {
	if (open) open.table.destroy();
	const version2 = { accept: 'application/vnd.service.hal;version=2' };
	const grid = await send(summary._links.self, { headers: version2 });
	$('title').textContent = grid.name;
	$('add').hidden = !grid._links.addEntity;
	$('changes').replaceChildren();
	const table = new Tabulator('#table', {
		index: '_id',
		height: '100%',
		layout: 'fitDataStretch',
		placeholder: 'No rows yet',
		columns: [...grid.fields.map(columnOf), removeColumn],
		sortMode: 'remote',
		pagination: true,
		paginationMode: 'remote',
		paginationSize: 100,
		ajaxURL: grid._links.entities.href,
		ajaxRequestFunc: async (_url, _config, { page, size, sort = [] }) => {
			const direction = { asc: 'ascending', desc: 'descending' };
			const sorting = Object.fromEntries(sort.map(({ field, dir }) => [field, { $order: direction[dir] }]));
			const query = {
				pageIndex: page ?? 1,
				pageSize: size ?? 100,
				...(sort.length ? { sorting: JSON.stringify(sorting) } : {}),
			};
			const list = await send(grid._links.entities, { query });
			return { data: list.items, last_page: Math.max(1, list.numberOfPages) };
		},
	});
	table.on('cellEdited', save);
	const started = new Date(Date.now() - 24 * 3600 * 1000).toISOString();
	open = {
		grid,
		table,
		names: new Map(grid.fields.map(({ id, name }) => [id, name])),
		since: started,
		seen: new Set(),
		first: true,
	};
	for (const button of document.querySelectorAll('#spaces button')) {
		button.setAttribute('aria-current', String(button.dataset.grid === grid.id));
	}
	say();
}

function showChange(event, names) {
	const item = element('li', '');
	const what = event.changes.map(
		({ fieldId, newValue }) => `${names.get(fieldId) ?? fieldId}: ${JSON.stringify(newValue)}`,
	);
	const detail = event.type === 'deleted' ? '' : ` ${what.join(', ')}`;
	item.append(element('strong', event.type), element('span', detail), document.createElement('br'));
	item.append(element('time', new Date(event.timestamp).toLocaleTimeString(), { dateTime: event.timestamp }));
	$('changes').prepend(item);
	while ($('changes').children.length > CHANGES_SHOWN) $('changes').lastElementChild.remove();
}

/** Reads what is new in the feed of the open grid, and shows it in the list and in the table. */
async function readChanges() {
	const current = open;
	if (!current?.grid._links.updates) return;
	const { grid, table, names, seen } = current;
	const events = [];
	const query = { since: current.since, pageSize: 1000 };
	for (let page = await send(grid._links.updates, { query }); ; page = await send(page._links.next)) {
		events.push(...page.items.filter((event) => !seen.has(event.id)));
		if (!page._links.next) break;
	}
	if (current !== open || events.length === 0) return;
	const last = events.at(-1).timestamp;
	// `since` includes its own millisecond: what was shown of it must not be shown again.
	current.seen = new Set([
		...events.filter((event) => event.timestamp === last).map((event) => event.id),
		...(last === current.since ? seen : []),
	]);
	current.since = last;
	for (const event of events.slice(-CHANGES_SHOWN)) showChange(event, names);
	const shown = new Set(table.getData().map((row) => row._id));
	const coming = events.some((event) => event.type !== 'updated');
	if (current.first) current.first = false;
	else if (coming) await table.setPage(table.getPage() || 1);
	else
		await table.updateData(
			events
				.filter((event) => event.entity && shown.has(event.entityId))
				.map(({ entity, entityId }) => ({ ...entity, _id: entityId })),
		);
}

async function watch() {
	for (;;) {
		try {
			await readChanges();
			$('live').textContent = open ? 'live' : '';
		} catch (error) {
			$('live').textContent = error.message;
		}
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}

async function showSpaces(user) {
	const groups = [];
	for (const space of await all(user._links.spaces)) {
		if (!space._links.grids) continue;
		const list = document.createElement('ul');
		for (const grid of await all(space._links.grids)) {
			const button = element('button', grid.name, {
				type: 'button',
				onclick: () => openGrid(grid).catch(say),
			});
			button.dataset.grid = grid.id;
			const item = document.createElement('li');
			item.append(button);
			list.append(item);
		}
		groups.push(element('h2', space.name), list);
	}
	$('spaces').replaceChildren(...groups);
}

async function enter() {
	const user = await send({ href: '/api/users/me', method: 'get' });
	$('who').textContent = user.displayValue;
	await showSpaces(user);
	$('login').hidden = true;
	$('app').hidden = false;
}

$('login').addEventListener('submit', async (event) => {
	event.preventDefault();
	const pair = new TextEncoder().encode(`${$('key').value.trim()}:${$('secret').value.trim()}`);
	authorization = `Basic ${btoa(String.fromCharCode(...pair))}`;
	try {
		await enter();
		sessionStorage.setItem('authorization', authorization);
		$('refused').textContent = '';
	} catch (error) {
		$('refused').textContent = error.message;
	}
});

$('logout').addEventListener('click', () => {
	sessionStorage.removeItem('authorization');
	location.reload();
});

$('add').addEventListener('click', async () => {
	try {
		await send(open.grid._links.addEntity, { query: { layout: 'field' }, body: {} });
		await open.table.setPage('last');
		say();
	} catch (error) {
		say(error);
	}
});

if (authorization) enter().catch(() => sessionStorage.removeItem('authorization'));
watch();
