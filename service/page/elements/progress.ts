/** Shorter waits go unnoticed. */
const NOTICED_MS = 300;

/**
 * Shows that something is under way, once it takes so long that a person notices.
 * @param place the element before which that is shown
 */
export async function whileShown<Value>(place: HTMLElement, work: Promise<Value>): Promise<Value> {
	const bar = Object.assign(document.createElement('progress'), {
		className: 'waiting',
		ariaLabel: 'In progress',
	});
	const timer = setTimeout(() => {
		// A bar that tells how much is done says more.
		if (!place.parentElement?.querySelector('progress:not([hidden])')) place.before(bar);
	}, NOTICED_MS);
	try {
		return await work;
	} finally {
		clearTimeout(timer);
		bar.remove();
	}
}
