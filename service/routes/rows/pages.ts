import { Readable } from 'node:stream';
import { collection, type Page } from '../../http/paging';
import type { Steps } from '../../store/files/slices';
import type { StoredItems, StoredPage } from '../../store/rows/storedPage';
import { HttpResponse, type Call } from '../../http/route';

/** Maximum size of a page that is written without a pause. */
const SMALL_BYTES = 64 * 1024;
/** Maximum size of a page that is kept in memory as a whole. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** Memory of a page that is streamed: its batches on their way to the client, and its list. */
const STREAM_BYTES = 128 * 1024;

type PageCall = Pick<Call, 'url' | 'authorizeAgain' | 'store' | 'reserve' | 'awaitRoom'>;

/**
 * Responds with a page of a list. A large page, and each while clients leave many unread, is
 * streamed at the client's speed, as long as the caller has the right to it; `size` is then the
 * last member, because rows deleted in the meantime are missing.
 */
export async function pageResponse<Stored>(
	stored: StoredPage<Stored>,
	present: (item: Stored) => unknown,
	page: Page,
	call: PageCall,
) {
	const { total, bytes } = stored;
	const write = (item: () => Stored) => JSON.stringify(present(item()));
	if (bytes <= SMALL_BYTES)
		return collection(stored.read().map((item) => present(item())), total, page, call.url); // prettier-ignore
	const members = { ...collection([], total, page, call.url), items: undefined, size: undefined };
	const head = `${JSON.stringify(members).slice(0, -1)},"items":[`;
	const isKept = bytes <= MAX_KEPT_BYTES && call.reserve(bytes);
	if (!isKept) await call.awaitRoom(STREAM_BYTES);
	const body = isKept
		? head + (await call.store.slices.read(texts(stored.read(), write)))
		: Readable.from(streamed(head, stored, write, call));
	return new HttpResponse(200, { 'Content-Type': 'application/json; charset=utf-8' }, body);
}

const end = (size: number) => `],"size":${size}}`;

/** The items and the end of a page, written in slices. */
function* texts<Stored>(items: StoredItems<Stored>, write: (item: () => Stored) => string): Steps<string> {
	const written: string[] = [];
	for (const item of items) {
		written.push(write(item));
		yield;
	}
	return written.join() + end(items.length);
}

async function* streamed<Stored>(
	head: string,
	stored: StoredPage<Stored>,
	write: (item: () => Stored) => string,
	{ authorizeAgain, store }: PageCall,
) {
	let size = 0;
	let checked: string | undefined;
	yield head;
	for await (const items of stored.batches(() => store.slices.turn())) {
		// Ends the response by an error if the caller lost the right to it.
		if (store.version() !== checked) await authorizeAgain();
		checked = store.version();
		yield items.map((item) => (size++ === 0 ? '' : ',') + write(item)).join('');
	}
	yield end(size);
}
