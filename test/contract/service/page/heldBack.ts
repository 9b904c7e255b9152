import type { Page, Request } from 'playwright-core';
import { until } from '../../../../testbed/until';

/** A promise with its resolver. */
function signal() {
	let resolve: () => void = () => undefined;
	const promise = new Promise<void>((given) => {
		resolve = given;
	});
	return { promise, resolve };
}

/**
 * Holds back the responses to requests of a page; the service still carries the requests out.
 * @param path end of the path of the address
 * @returns `arrived`, which resolves when a response is held back, and `release()`, which delivers
 * all responses and waits until the page sends no further requests
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
	/** Returns whether no request is pending, also after the page had time to send more. */
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
