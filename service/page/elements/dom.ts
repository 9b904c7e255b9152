import { messageOf } from '../session/api';
import { whileShown } from './progress';

/** An element of the page that is always there. */
export function $(id: string): HTMLElement {
	const element = document.getElementById(id);
	if (!element) throw new Error(`The page has no #${id}`);
	return element;
}

/** An input of the page that is always there. */
export function inputOfPage(id: string): HTMLInputElement {
	const element = $(id);
	if (!(element instanceof HTMLInputElement)) throw new Error(`#${id} is no input`);
	return element;
}

type Tag = keyof HTMLElementTagNameMap;
export type Child = Node | string | undefined;
export type Properties<Name extends Tag> = {
	readonly [Key in keyof HTMLElementTagNameMap[Name]]?: HTMLElementTagNameMap[Name][Key] | undefined;
} & { readonly [attribute: `data-${string}` | `aria-${string}`]: string | undefined };

/** A list without the parts that are not shown. */
export const shown = <Item>(items: ReadonlyArray<Item | '' | false | undefined>): Item[] =>
	items.flatMap((item) => (item === undefined || item === false || item === '' ? [] : [item]));

/**
 * Creates an element. Texts are never parsed as HTML.
 * @param properties of the element; `data-…`, `aria-…` and `role` are set as attributes
 */
export function h<Name extends Tag>(tag: Name, properties: Properties<Name> = {}, ...children: Child[]) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined) continue;
		if (typeof value === 'string' && /^(data-|aria-|role$)/.test(name)) element.setAttribute(name, value);
		else Object.assign(element, { [name]: value });
	}
	element.append(...children.filter((child) => child !== undefined));
	return element;
}

export const button = (
	text: string,
	onclick?: (event: MouseEvent) => unknown,
	properties: Properties<'button'> = {},
) => h('button', { type: 'button', textContent: text, onclick, ...properties });

/** What a button is called. */
export const nameOf = (element: Element) => element.ariaLabel ?? element.textContent;

/** Replaces what holds buttons; the one of the same name takes over the focus. */
export function replaceButtons(container: HTMLElement, nodes: readonly Node[]) {
	const focused = container.contains(document.activeElement) ? document.activeElement : undefined;
	container.replaceChildren(...nodes);
	if (focused)
		[...container.querySelectorAll('button')].find((one) => nameOf(one) === nameOf(focused))?.focus();
}

let labels = 0;

/** An input with its label, and a hint as its accessible description. */
export function labelled(text: string, input: HTMLElement, hint?: string | null) {
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

/**
 * Texts to show once the pointer is released, by the id of their element. They move the rows: a
 * button that moves between press and release gets no click.
 */
const awaitingRelease = new Map<string, string>();
let isPressed = false;
// An open list takes the release for itself.
const press = ({ target }: Event) => (isPressed = !elementOf(target)?.closest('select'));
addEventListener('pointerdown', press, true);
// The click follows in the same task.
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(release), true);

function release() {
	isPressed = false;
	for (const [id, text] of awaitingRelease) $(id).textContent = text;
	awaitingRelease.clear();
}

function show(id: 'message' | 'notice', text: string) {
	if (isPressed) awaitingRelease.set(id, text);
	else $(id).textContent = text;
}

/** Shows an error, or removes it. */
export function say(error?: unknown) {
	show('message', error === undefined ? '' : messageOf(error));
}

/** Shows what was done; screen readers announce it. */
export function tell(text: string) {
	show('notice', text);
}

/** Wraps an event handler: shows its errors, and that it is under way if it takes long. */
export const told =
	<Given extends readonly unknown[]>(handler: (...given: Given) => unknown) =>
	async (...given: Given): Promise<void> => {
		// Not at the end: that would take away what another handler said meanwhile.
		say();
		try {
			await whileShown($('message'), Promise.resolve(handler(...given)));
		} catch (error) {
			say(error);
		}
	};

/** A number with its noun: 1 row, 2 rows. */
export const counted = (count: number, one: string, many = `${one}s`) =>
	`${count.toLocaleString()} ${count === 1 ? one : many}`;

/** A button that opens a list of buttons. Choosing one closes the list, and the focus returns. */
export function menu(name: string, items: readonly Node[]) {
	const list = h('div', { className: 'menu-list', popover: 'auto' }, ...items);
	const opener = button(name, undefined, { 'aria-expanded': 'false', popoverTargetElement: list });
	// Before the chosen button's own action, which may open a dialog.
	list.addEventListener(
		'click',
		({ target }) => {
			if (elementOf(target)?.closest('button')) list.hidePopover();
		},
		true,
	);
	const isOpening = (event: Event) => event instanceof ToggleEvent && event.newState === 'open';
	list.addEventListener('beforetoggle', (event) => {
		opener.setAttribute('aria-expanded', String(isOpening(event)));
		const first = list.querySelector<HTMLElement>('button:enabled');
		// Gets the focus when the list is shown.
		if (first) first.autofocus = true;
	});
	list.addEventListener('toggle', (event) => {
		if (!isOpening(event)) return;
		const { left, bottom } = opener.getBoundingClientRect();
		const room = document.documentElement.clientWidth - list.offsetWidth;
		list.style.left = `${Math.max(0, Math.min(left, room))}px`;
		list.style.top = `${bottom}px`;
	});
	list.addEventListener('keydown', (event) => {
		const step = new Map([
			['ArrowUp', -1],
			['ArrowDown', 1],
		]).get(event.key);
		if (step === undefined) return;
		event.preventDefault();
		const buttons = [...list.querySelectorAll<HTMLElement>('button:enabled')];
		const place = buttons.findIndex((one) => one === document.activeElement) + step;
		buttons.at(place % buttons.length)?.focus();
	});
	return [opener, list] as const;
}

/** The element at which an event happened. */
export const elementOf = (target: EventTarget | null) => (target instanceof Element ? target : undefined);

/** An element whose value is read from its parts, like that of an input. */
export function withValue<E extends HTMLElement>(element: E, read: () => string) {
	return Object.defineProperty(Object.assign(element, { value: '' }), 'value', { get: read });
}

/** An input, or a group of inputs. */
export type Editor = HTMLElement & { readonly value: string };
