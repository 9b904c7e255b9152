/** Where arrow keys lead in a row of elements. */
export const STEPS = new Map([
	['ArrowLeft', -1],
	['ArrowRight', 1],
]);

const isControl = (element: Element): element is HTMLElement =>
	element instanceof HTMLElement && element.matches('button:enabled, select');

/** Makes the controls in an element one tab stop, within which arrow keys move. */
export function makeTabStop(container: HTMLElement) {
	container.addEventListener('focusin', ({ target }) => {
		setTabStop(container, target);
	});
	container.addEventListener('keydown', (event) => {
		const controls = [...container.children].filter(isControl);
		const place = controls.findIndex((one) => one === event.target);
		const step = STEPS.get(event.key);
		if (step === undefined || place < 0) return;
		// In a list of choices, the key would choose.
		event.preventDefault();
		controls.at((place + step) % controls.length)?.focus();
	});
}

/** @param stop the control that Tab reaches; the first one if it is not there */
export function setTabStop(container: HTMLElement, stop: EventTarget | null) {
	const controls = [...container.children].filter(isControl);
	const chosen = controls.find((one) => one === stop) ?? controls[0];
	for (const one of controls) one.tabIndex = one === chosen ? 0 : -1;
}
