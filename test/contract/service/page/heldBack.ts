import type { Page, Request } from 'playwright-core';
import { until } from '../../../../testbed/until';

/** A promise and what resolves it. */
function signal() {
	let resolve: () => void = () => undefined;
	const promise = new Promise<void>((given) => {
		resolve = given;
	});
	return { promise, resolve };
}

/**
 * Holds back responses to what a page asks for; the service has carried out the requests by then.
 * @param path end of the path of the address
 * @returns `arrived`, resolved when one is held back, and `release()`, which lets all of them go
 * and waits until the page has shown them and what it then asked for
 */
export async function holdBack(page: Page, method: string, path: string) {
	const [arrival, gate] = [signal(), signal()];
	const pending = new Set<Request>();
	page.on('request', (request) => {
		if (!request.url().includes('/updates')) pending.add(request);
	});
	page.on('requestfinished', (request) => pending.delete(request));
	page.on('requestfailed', (request) => pending.delete(request));
	let isReleased = false;
	await page.route(
		(url) => url.pathname.endsWith(path),
		async (route) => {
			if (isReleased || route.request().method() !== method) return route.fallback();
			const response = await route.fetch();
			arrival.resolve();
			await gate.promise;
			return route.fulfill({ response });
		},
	);
	/** @returns whether nothing was under way before and after the page had time to ask for more */
	const isIdle = async () => {
		const before = pending.size;
		await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
		await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
		return before + pending.size === 0;
	};
	const release = async () => {
		isReleased = true;
		gate.resolve();
		await until('all responses', isIdle);
	};
	return { arrived: arrival.promise, release };
}
