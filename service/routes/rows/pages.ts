import { Readable } from 'node:stream';
import { collection, type Page } from '../../http/paging';
import type { StoredPage } from '../../store/rows/storedPage';
import { HttpResponse, type Call } from '../../http/route';

/**
 * Responds with a page of a list. A large page is streamed at the client's speed, as long as the
 * caller has the right to it; `size` is then the last member, because rows deleted in the meantime
 * are missing.
 */
export function pageResponse<Stored>(
	{ items, total }: StoredPage<Stored>,
	present: (item: Stored) => unknown,
	page: Page,
	{ url, authorizeAgain }: Pick<Call, 'url' | 'authorizeAgain'>,
) {
	if (!(Symbol.asyncIterator in items)) return collection(items.map(present), total, page, url);
	const head = Object.entries(collection([], total, page, url)).filter(
		([name]) => name !== 'items' && name !== 'size',
	);
	const body = Readable.from(
		written(JSON.stringify(Object.fromEntries(head)), checked(items, authorizeAgain), present),
	);
	return new HttpResponse(200, { 'Content-Type': 'application/json; charset=utf-8' }, body);
}

/** @param check ends the response by an error if the caller lost the right to it */
async function* checked<Stored>(batches: AsyncIterable<Stored>, check: () => Promise<void>) {
	for await (const batch of batches) {
		await check();
		yield batch;
	}
}

async function* written<Stored>(
	head: string,
	batches: AsyncIterable<readonly Stored[]>,
	present: (item: Stored) => unknown,
) {
	let size = 0;
	yield `${head.slice(0, -1)},"items":[`;
	for await (const batch of batches) {
		for (const item of batch) {
			yield (size === 0 ? '' : ',') + JSON.stringify(present(item));
			size += 1;
		}
	}
	yield `],"size":${size}}`;
}
