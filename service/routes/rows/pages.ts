import { Readable } from 'node:stream';
import { collection, type Page } from '../../http/paging';
import type { StoredPage } from '../../store/rows/storedPage';
import { HttpResponse } from '../../http/route';

/**
 * The answer for a page of a list. What is too large to be held at once is written as it is read,
 * as fast as the client takes it, and `size` stands at the end: a row that is deleted meanwhile is
 * not there.
 * @param url the address asked for
 */
export function answerPage<Stored>(
	{ items, total }: StoredPage<Stored>,
	present: (item: Stored) => unknown,
	page: Page,
	url: string,
) {
	if (!(Symbol.asyncIterator in items)) return collection(items.map(present), total, page, url);
	const head = Object.entries(collection([], total, page, url)).filter(
		([name]) => name !== 'items' && name !== 'size',
	);
	const body = Readable.from(written(JSON.stringify(Object.fromEntries(head)), items, present));
	return new HttpResponse(200, { 'Content-Type': 'application/json; charset=utf-8' }, body);
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
