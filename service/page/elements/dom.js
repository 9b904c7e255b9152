export const $ = (id) => document.getElementById(id);

/**
 * Creates an element. Texts are never parsed as HTML.
 * @param properties of the element; `data-…`, `aria-…` and `role` are set as attributes
 */
export function h(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined) continue;
		if (/^(data-|aria-|role$)/.test(name)) element.setAttribute(name, value);
		else element[name] = value;
	}
	element.append(...children.filter((child) => child !== undefined));
	return element;
}

export const button = (text, onclick, properties = {}) =>
	h('button', { type: 'button', textContent: text, onclick, ...properties });

/** What a button is called. */
export const nameOf = (element) => element.ariaLabel ?? element.textContent;

/** Replaces what holds buttons; the one of the same name takes over the focus. */
export function replaceButtons(container, nodes) {
	const focused = container.contains(document.activeElement) ? document.activeElement : undefined;
	container.replaceChildren(...nodes);
	if (focused)
		[...container.querySelectorAll('button')].find((one) => nameOf(one) === nameOf(focused))?.focus();
}

let labels = 0;

/** An input with its label, and a hint as its accessible description. */
export function labelled(text, input, hint) {
	labels += 1;
	input.id = `input-${labels}`;
	const label = input.matches('input, select, textarea')
		? h('label', { htmlFor: input.id, textContent: text })
		: h('b', { id: `label-${labels}`, textContent: text });
	if (label.id) input.setAttribute('aria-labelledby', label.id);
	if (!hint) return h('div', { className: 'field' }, label, input);
	input.setAttribute('aria-describedby', `hint-${labels}`);
	return h(
		'div',
		{ className: 'field' },
		label,
		input,
		h('small', { id: `hint-${labels}`, textContent: hint }),
	);
}

/** Shows an error, or removes it. */
export function say(error) {
	$('message').textContent = error ? error.message : '';
}

/** Shows what was done; screen readers announce it. */
export function tell(text) {
	$('notice').textContent = text;
}

/** Wraps an event handler, so that its errors are shown. */
export const told =
	(handler) =>
	async (...given) => {
		// Not at the end: that would take away what another handler said meanwhile.
		say();
		try {
			await handler(...given);
		} catch (error) {
			say(error);
		}
	};

/** A number with its noun: 1 row, 2 rows. */
export const counted = (count, one, many = `${one}s`) =>
	`${count.toLocaleString()} ${count === 1 ? one : many}`;

/** A button that opens a list of buttons. Choosing one closes the list, and the focus returns. */
export function menu(name, items) {
	const list = h('div', { className: 'menu-list', popover: 'auto' }, ...items);
	const opener = button(name, undefined, { 'aria-expanded': 'false', popoverTargetElement: list });
	// Before the chosen button's own action, which may open a dialog.
	list.addEventListener('click', ({ target }) => target.closest('button') && list.hidePopover(), true);
	list.addEventListener('beforetoggle', ({ newState }) => {
		opener.setAttribute('aria-expanded', String(newState === 'open'));
		const first = list.querySelector('button:enabled');
		// Gets the focus when the list is shown.
		if (first) first.autofocus = true;
	});
	list.addEventListener('toggle', ({ newState }) => {
		if (newState !== 'open') return;
		const { left, bottom } = opener.getBoundingClientRect();
		const room = document.documentElement.clientWidth - list.offsetWidth;
		list.style.left = `${Math.max(0, Math.min(left, room))}px`;
		list.style.top = `${bottom}px`;
	});
	list.addEventListener('keydown', (event) => {
		const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (!step) return;
		event.preventDefault();
		const buttons = [...list.querySelectorAll('button:enabled')];
		const place = buttons.indexOf(document.activeElement) + step;
		buttons.at(place % buttons.length)?.focus();
	});
	return [opener, list];
}
